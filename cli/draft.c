#include "draft.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool draft_open(draft *d, const char *target)
{
    size_t length = strlen(target) + 8;
    *d = (draft){.target = target, .path = malloc(length)};
    if (d->path == NULL) return false;
    snprintf(d->path, length, "%s.XXXXXX", target);
    int handle = mkstemp(d->path);
    /* mkstemp makes files for their owner alone; the finished one is like any other. */
    mode_t mask = umask(0);
    umask(mask);
    if (handle >= 0) fchmod(handle, 0666 & ~mask);
    d->file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (d->file != NULL) return true;
    if (handle >= 0) close(handle);
    free(d->path);
    d->path = NULL;
    return false;
}

bool draft_close(draft *d, bool keep)
{
    if (d->path == NULL) return false;
    bool fine = fclose(d->file) == 0 && keep && rename(d->path, d->target) == 0;
    if (!fine) unlink(d->path);
    free(d->path);
    return fine;
}

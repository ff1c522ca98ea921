#define _XOPEN_SOURCE 700 /* realpath */
#include "draft.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool draft_same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (!a || !b) return false;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

bool draft_is_direct(const char *target)
{
    struct stat kind;
    return stat(target, &kind) == 0 && !S_ISREG(kind.st_mode);
}

/* What a draft takes the name of: the target, or what it leads to if it is a link. */
static char *name_of(const char *target)
{
    char *name = realpath(target, NULL);
    return name ? name : strdup(target);
}

static bool give_up(draft *d)
{
    free(d->target);
    free(d->path);
    *d = (draft){0};
    return false;
}

static bool open_beside(draft *d)
{
    size_t length = strlen(d->target) + 8;
    d->path = malloc(length);
    if (!d->path) return false;
    snprintf(d->path, length, "%s.XXXXXX", d->target);
    int handle = mkstemp(d->path);
    if (handle < 0) return false;
    /* mkstemp makes files for their owner alone; the finished one is like any other. */
    mode_t mask = umask(0);
    umask(mask);
    fchmod(handle, 0666 & ~mask);
    d->file = fdopen(handle, "w");
    if (!d->file) close(handle);
    return d->file;
}

bool draft_open(draft *d, const char *target)
{
    bool direct = draft_is_direct(target);
    *d = (draft){.direct = direct, .target = direct ? strdup(target) : name_of(target)};
    if (!d->target) return give_up(d);
    if (!direct) return open_beside(d) || give_up(d);
    d->path = strdup(target);
    d->file = d->path ? fopen(target, "w") : NULL;
    return d->file || give_up(d);
}

bool draft_close(draft *d, bool keep)
{
    if (!d->path) return false;
    bool fine = fclose(d->file) == 0 && keep && (d->direct || rename(d->path, d->target) == 0);
    if (!fine && !d->direct) unlink(d->path);
    free(d->path);
    free(d->target);
    return fine;
}

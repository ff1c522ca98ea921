#include "page.h"

#include "draft.h"
#include "recording.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where recordings go in the built viewer. */
static const char mark[] = "<!--recordings-->";

static bool fail(abut_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(abut_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- the viewer ---- */

/* The folder of this program, with its last '/'; "" where the system does not tell. */
static void own_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) slash[1] = '\0';
}

/* ABUT_VIEWER in the environment, or what lies beside the program in a build, or where it was installed. */
static char *read_viewer(abut_error *error)
{
    char folder[2048], places[3][4096];
    const char *chosen = getenv("ABUT_VIEWER");
    own_folder(folder, sizeof folder);
    snprintf(places[0], sizeof places[0], "%s", chosen ? chosen : "");
    snprintf(places[1], sizeof places[1], "%sviewer.html", folder);
    snprintf(places[2], sizeof places[2], "%s../share/abut/viewer.html", folder);
    for (int i = chosen ? 0 : 1; i < (chosen ? 1 : 3); ++i) {
        size_t size;
        if (places[i][0] == '\0' || access(places[i], R_OK) != 0) continue;
        char *page = (char *)file_bytes(places[i], &size, error);
        char *whole = page ? realloc(page, size + 1) : NULL;
        if (!whole) {
            free(page);
            return NULL;
        }
        whole[size] = '\0';
        if (strstr(whole, mark)) return whole;
        fail(error, "%.150s: not a viewer of abut", places[i]);
        free(whole);
        return NULL;
    }
    if (chosen)
        fail(error, "ABUT_VIEWER=%.100s: %s", chosen, strerror(errno));
    else
        fail(error,
             "the viewer was not built. It needs npm: run 'scripts/setup viewer' and build again, or set "
             "ABUT_VIEWER to the viewer.html of a release");
    return NULL;
}

/* ---- a recording inside it ---- */

static void put_base64(FILE *out, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned group = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                         (left > 2 ? (unsigned)bytes[i + 2] : 0);
        char four[4] = {digits[group >> 18], digits[group >> 12 & 63],
                        left > 1 ? digits[group >> 6 & 63] : '=', left > 2 ? digits[group & 63] : '='};
        fwrite(four, 1, 4, out);
    }
}

/* Text inside an attribute. */
static void put_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    for (; *text != '\0'; ++text) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
    fputc('"', out);
}

static bool put_recording(FILE *out, const char *path, abut_error *warning, abut_error *error)
{
    recording r;
    if (!recording_open(&r, path, error)) return false;
    const abut_record_extent *extent = abut_record_reader_extent(r.reader);
    const char *slash = strrchr(path, '/');
    if (extent->ending != ABUT_RECORD_COMPLETE)
        fail(warning, "%.100s: %.120s; shown up to there", path, extent->what.text);
    fputs("<script type=\"text/plain\" class=\"recording\"", out);
    put_attribute(out, "data-name", slash ? slash + 1 : path);
    put_attribute(out, "data-problem", extent->what.text);
    fputc('>', out);
    put_base64(out, r.bytes, extent->bytes);
    fputs("</script>\n", out);
    recording_close(&r);
    return true;
}

bool page_ready(const char *path, abut_error *error)
{
    struct stat kind;
    draft d;
    char *viewer = read_viewer(error);
    if (!viewer) return false;
    free(viewer);
    if (stat(path, &kind) == 0 && S_ISDIR(kind.st_mode))
        return fail(error, "%.150s: %s", path, strerror(EISDIR));
    if (draft_is_direct(path)) return true;
    if (!draft_open(&d, path)) return fail(error, "%.150s: %s", path, strerror(errno));
    draft_close(&d, false);
    return true;
}

bool page_write(const char *const *recordings, int count, const char *path, abut_error *warning,
                abut_error *error)
{
    warning->text[0] = '\0';
    char *viewer = read_viewer(error);
    if (!viewer) return false;
    draft d;
    if (!draft_open(&d, path)) {
        free(viewer);
        return fail(error, "%.150s: %s", path, strerror(errno));
    }
    char *place = strstr(viewer, mark);
    bool fine = fwrite(viewer, 1, (size_t)(place - viewer), d.file) == (size_t)(place - viewer);
    bool readable = true;
    for (int i = 0; i < count && readable; ++i)
        readable = put_recording(d.file, recordings[i], warning, error);
    fputs(place + strlen(mark), d.file);
    free(viewer);
    errno = 0;
    fine = fine && !ferror(d.file);
    if (draft_close(&d, fine && readable)) return true;
    return readable ? fail(error, "%.150s: %s", path, errno != 0 ? strerror(errno) : "cannot be written")
                    : false;
}

/* abut view: recordings become one page that opens in any browser, offline. */

#include "cmd.h"
#include "draft.h"
#include "options.h"
#include "page.h"

#include <stdio.h>

int cmd_view(int argc, char **argv)
{
    const char *files[PAGE_RECORDINGS_MAX] = {NULL, NULL}, *to = NULL;
    const option table[] = {
        option_argument("RECORDING", "what to show", &files[0]),
        option_optional_argument(
            "OTHER", "another recording of the same scene: both are shown side by side, in step", &files[1]),
        option_required_text("-o", "FILE", "where to write the page", &to),
        {0},
    };
    static const usage help = {
        "view",
        "Writes one HTML file that holds the viewer and the recording, and asks the network for nothing. "
        "ABUT_VIEWER in\n"
        "the environment names another viewer.html than the one that was built.",
        "  abut view peg.abr -o peg.html\n"
        "  abut view coulomb.abr no-slip.abr -o compare.html\n",
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    for (int i = 0; i < 2; ++i)
        if (draft_same_file(to, files[i]))
            return cmd_error("view", "%s: -o would replace the recording; name another file", to);
    abut_error warning, error;
    if (!page_write(files, files[1] ? 2 : 1, to, &warning, &error))
        return cmd_error("view", "%s", error.text);
    if (warning.text[0] != '\0') fprintf(stderr, "abut view: %s\n", warning.text);
    printf("%s: open it in a browser\n", to);
    return EXIT_SOLVED;
}

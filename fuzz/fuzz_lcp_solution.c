/* The reader of what `abut lcp --json` printed, which `abut check` believes nothing of. */
#include "io/lcp_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abuti_text text;
    abut_error error;
    abuti_lcp_solution solution = {0};
    bool fine = abuti_text_open_memory(&text, "f", data, size, &error) &&
                abuti_lcp_solution_read(&text, 2, &solution);
    bool explained = error.text[0] != '\0' && !strchr(error.text, '\n');
    if (fine ? solution.n != 2 : !explained || solution.z) abort();
    abuti_lcp_solution_release(&solution);
    return 0;
}

/* The table of LCP solvers: one row a method. A new solver is one file and one row. */
#include "lcp/solver.h"
#include <string.h>

/* clang-format off */
static const abuti_lcp_solver *const table[] = {
    &abuti_lcp_lemke,
    &abuti_lcp_dantzig,
    &abuti_lcp_enumeration,
    &abuti_lcp_active_set,
    /* a further method: its row here */
};
/* clang-format on */

const abuti_lcp_solver *abuti_lcp_solver_for(abut_lcp_method method)
{
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        if (table[k]->method == method) return table[k];
    }
    return NULL;
}

/* Names stand in the order of the enumeration; they are promises, also for methods that are not in
 * the table. */
static const char *const names[ABUT_LCP_METHOD_COUNT] = {
    [ABUT_LCP_AUTO] = "auto",           [ABUT_LCP_LEMKE] = "lemke",           [ABUT_LCP_DANTZIG] = "dantzig",
    [ABUT_LCP_ENUMERATE] = "enumerate", [ABUT_LCP_ACTIVE_SET] = "active-set",
};

const char *abut_lcp_method_name(abut_lcp_method method)
{
    return (unsigned)method < ABUT_LCP_METHOD_COUNT ? names[method] : "unknown";
}

bool abut_lcp_method_from_name(const char *name, abut_lcp_method *method)
{
    for (int k = 0; name && k < ABUT_LCP_METHOD_COUNT; ++k) {
        if (strcmp(name, names[k]) == 0) {
            if (method) *method = (abut_lcp_method)k;
            return true;
        }
    }
    return false;
}

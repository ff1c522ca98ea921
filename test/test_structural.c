/* Lloyd's structural method: all friction rows from the start (section 5.1, appendix A). */
#include "lloyd_tests.h"

int main(void)
{
    return lloyd_tests(ABUT_SOLVER_STRUCTURAL);
}

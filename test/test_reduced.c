/* Lloyd's reduced method: friction rows when a contact presses (section 5.3, appendix D). */
#include "lloyd_tests.h"

int main(void)
{
    return lloyd_tests(ABUT_SOLVER_REDUCED);
}

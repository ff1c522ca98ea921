#include "abut/base.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *abut_version(void)
{
    return TEXT(ABUT_VERSION_MAJOR) "." TEXT(ABUT_VERSION_MINOR) "." TEXT(ABUT_VERSION_PATCH);
}

const char *abut_status_text(abut_status status)
{
    switch (status) {
    case ABUT_OK: return "fine";
    case ABUT_INVALID_ARGUMENT: return "an argument is not valid";
    case ABUT_OUT_OF_MEMORY: return "the allocator has no memory left";
    case ABUT_TOO_LARGE: return "the problem is larger than its workspace was made for";
    case ABUT_UNSUPPORTED: return "this solver does not answer this kind of problem";
    }
    return "unknown status";
}

const char *abut_outcome_name(abut_outcome outcome)
{
    switch (outcome) {
    case ABUT_SOLVED: return "solved";
    case ABUT_RAY: return "ray";
    case ABUT_INFEASIBLE: return "infeasible";
    case ABUT_LIMIT: return "limit";
    case ABUT_FAILED: return "failed";
    }
    return "unknown";
}

#include "abut/record.h"

const char *abut_record_shape_name(abut_record_shape_kind kind)
{
    static const char *const names[] = {"sphere", "capsule", "box",  "cylinder",   "ellipsoid",
                                        "plane",  "convex",  "mesh", "heightfield"};
    return (int)kind >= 0 && kind < ABUT_RECORD_SHAPE_KINDS ? names[kind] : "unknown";
}

const char *abut_record_joint_name(abut_record_joint_kind kind)
{
    static const char *const names[] = {"fixed", "hinge", "slide", "ball", "other"};
    return (int)kind >= 0 && kind < ABUT_RECORD_JOINT_KINDS ? names[kind] : "unknown";
}

const char *abut_record_state_name(abut_record_contact_state state)
{
    static const char *const names[] = {"open", "slide", "edge", "stick"};
    return (int)state >= 0 && state < ABUT_RECORD_CONTACT_STATES ? names[state] : "unknown";
}

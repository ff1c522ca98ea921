#include "io/capsule_fields.h"
#include "abut/contact.h"

const abuti_capsule_field abuti_capsule_body_fields[] = {
    {"mass", 1, offsetof(abut_body, mass), 1, true},
    {"inertia", 6, offsetof(abut_body, inertia), 3, true},
    {"com", 3, offsetof(abut_body, com), 3, true},
    {"velocity", 6, offsetof(abut_body, velocity), 6, false},
    {"force", 6, offsetof(abut_body, force), 6, false},
    {0},
};

const abuti_capsule_field abuti_capsule_contact_fields[] = {
    {"point", 3, offsetof(abut_contact, point), 3, true},
    {"normal", 3, offsetof(abut_contact, normal), 3, true},
    {"tangent", 3, offsetof(abut_contact, tangent), 3, false},
    {"friction", 1, offsetof(abut_contact, friction), 1, false},
    {"gap", 1, offsetof(abut_contact, gap), 1, false},
    {"restitution", 1, offsetof(abut_contact, restitution), 1, false},
    {"viscous", 1, offsetof(abut_contact, viscous), 1, false},
    {"drift", 3, offsetof(abut_contact, drift), 3, false},
    {"friction_across", 1, offsetof(abut_contact, friction_across), 1, false},
    {"compliance", 1, offsetof(abut_contact, compliance), 1, false},
    {0},
};

const abuti_capsule_field abuti_capsule_joint_fields[] = {
    {"target", 1, offsetof(abut_joint, target), 1, false},
    {"drift", 1, offsetof(abut_joint, drift), 1, false},
    {"compliance", 1, offsetof(abut_joint, compliance), 1, false},
    {0},
};

const abuti_capsule_field abuti_capsule_row_contact_fields[] = {
    {"friction", 1, offsetof(abut_contact, friction), 1, false},
    {"gap", 1, offsetof(abut_contact, gap), 1, false},
    {"restitution", 1, offsetof(abut_contact, restitution), 1, false},
    {"viscous", 1, offsetof(abut_contact, viscous), 1, false},
    {"drift", 3, offsetof(abut_contact, drift), 3, false},
    {"surface", 3, offsetof(abut_contact, surface), 3, false},
    {"friction_across", 1, offsetof(abut_contact, friction_across), 1, false},
    {"compliance", 1, offsetof(abut_contact, compliance), 1, false},
    {0},
};

const char *const abuti_capsule_kinds[ABUTI_CAPSULE_KINDS] = {"dynamic", "kinematic", "static"};

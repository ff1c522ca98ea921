/* Scenes with closed-form answers: boxes and spheres on slopes, stacks, a ladder, a corner, a groove, grasps.
 * v holds the velocities after one step, which are unique in all of them. */
#ifndef ABUT_TEST_GOLDEN_CONTACTS_H
#define ABUT_TEST_GOLDEN_CONTACTS_H

#include "abut/contact.h"

typedef struct golden_scene {
    const char *name;
    double step;
    int body_count;
    const abut_body *bodies;
    int contact_count;
    const abut_contact *contacts;
    const double *v;   /* 6 a body */
    double normal_sum; /* of all normal impulses where it is unique, else 0 */
} golden_scene;

/* clang-format off */
static const abut_body golden_0_bodies[] = {
    {.mass = 2.0, .inertia = {0.19333333333333336, 0.19333333333333336, 0.3333333333333333, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {6.710435212049622, 0.0, -18.43676921981952, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_0_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {-0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
};
static const double golden_0_v[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
static const abut_body golden_1_bodies[] = {
    {.mass = 2.0, .inertia = {0.19333333333333336, 0.19333333333333336, 0.3333333333333333, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {8.600841900001699, 0.0, -17.634339188389653, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_1_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {-0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
};
static const double golden_1_v[] = {0.0, 0.0, 0.0, 0.0, 0.0, -0.0};
static const abut_body golden_2_bodies[] = {
    {.mass = 2.0, .inertia = {0.19333333333333336, 0.19333333333333336, 0.3333333333333333, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {8.907293604889908, 0.0, -17.481548004575775, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_2_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {-0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 8},
};
static const double golden_2_v[] = {0.000832598013, 0.0, 0.0, -0.0, 0.0, 0.0};
static const abut_body golden_3_bodies[] = {
    {.mass = 2.0, .inertia = {0.19333333333333336, 0.19333333333333336, 0.3333333333333333, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {12.611492902049902, 0.0, -15.029791973994353, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_3_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.3, .directions = 8},
    {.bodies = {0, -1}, .point = {-0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.3, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.3, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.3, .directions = 8},
};
static const double golden_3_v[] = {0.040512776549, 0.0, 0.0, 0.0, 0.0, -0.0};
static const abut_body golden_4_bodies[] = {
    {.mass = 2.0, .inertia = {0.19333333333333336, 0.19333333333333336, 0.3333333333333333, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {5.0, 0.0, -19.62, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_4_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
    {.bodies = {0, -1}, .point = {-0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
};
static const double golden_4_v[] = {0.0, 0.0, -0.0, -0.0, 0.0, -0.0};
static const abut_body golden_5_bodies[] = {
    {.mass = 2.0, .inertia = {0.19333333333333336, 0.19333333333333336, 0.3333333333333333, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {7.0, 0.0, -19.62, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_5_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
    {.bodies = {0, -1}, .point = {-0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
    {.bodies = {0, -1}, .point = {0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
};
static const double golden_5_v[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
static const abut_body golden_6_bodies[] = {
    {.mass = 1.5, .inertia = {0.024000000000000007, 0.024000000000000007, 0.024000000000000007, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {7.357499999999998, 0.0, -12.743563816688013, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_6_contacts[] = {
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.3, .directions = 8},
};
static const double golden_6_v[] = {0.035035714286, 0.0, 0.0, 0.0, 0.175178571429, 0.0};
static const abut_body golden_7_bodies[] = {
    {.mass = 1.5, .inertia = {0.024000000000000007, 0.024000000000000007, 0.024000000000000007, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {7.357499999999998, 0.0, -12.743563816688013, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_7_contacts[] = {
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.1, .directions = 8},
};
static const double golden_7_v[] = {0.040554290789, 0.0, 0.0, 0.0, 0.106196365139, 0.0};
static const abut_body golden_8_bodies[] = {
    {.mass = 1.5, .inertia = {0.024000000000000007, 0.024000000000000007, 0.024000000000000007, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.2}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {10.405076285160048, 0.0, -10.40507628516005, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_8_contacts[] = {
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.3, .directions = 8},
};
static const double golden_8_v[] = {0.04954798231, 0.0, 0.0, 0.0, 0.247739911551, 0.0};
static const abut_body golden_9_bodies[] = {
    {.mass = 1.0, .inertia = {0.16666666666666666, 0.16666666666666666, 0.16666666666666666, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.5}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -9.81, 0.0, 0.0, 0.0}},
    {.mass = 1.0, .inertia = {0.16666666666666666, 0.16666666666666666, 0.16666666666666666, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 1.5}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -9.81, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_9_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {0, -1}, .point = {-0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {0, -1}, .point = {0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {0, -1}, .point = {0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {1, 0}, .point = {-0.5, -0.5, 1.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {1, 0}, .point = {-0.5, 0.5, 1.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {1, 0}, .point = {0.5, -0.5, 1.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {1, 0}, .point = {0.5, 0.5, 1.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
};
static const double golden_9_v[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
static const abut_body golden_10_bodies[] = {
    {.mass = 1.0, .inertia = {0.16666666666666666, 0.16666666666666666, 0.16666666666666666, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.5}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -9.81, 0.0, 0.0, 0.0}},
    {.mass = 1.0, .inertia = {0.16666666666666666, 0.16666666666666666, 0.16666666666666666, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 1.5}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -9.81, 0.0, 0.0, 0.0}},
    {.mass = 1.0, .inertia = {0.16666666666666666, 0.16666666666666666, 0.16666666666666666, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 2.5}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -9.81, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_10_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {0, -1}, .point = {-0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {0, -1}, .point = {0.5, -0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {0, -1}, .point = {0.5, 0.5, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {1, 0}, .point = {-0.5, -0.5, 1.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {1, 0}, .point = {-0.5, 0.5, 1.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {1, 0}, .point = {0.5, -0.5, 1.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {1, 0}, .point = {0.5, 0.5, 1.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 1}, .point = {-0.5, -0.5, 2.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 1}, .point = {-0.5, 0.5, 2.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, -0.5, 2.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, 0.5, 2.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.5, .directions = 4},
};
static const double golden_10_v[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
static const abut_body golden_11_bodies[] = {
    {.mass = 3.0, .inertia = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}, .com = {0.5000000000000001, 0.0, 0.8660254037844385}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -29.43, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_11_contacts[] = {
    {.bodies = {0, -1}, .point = {1.0000000000000002, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}, .friction = 0.4, .directions = 8},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 1.732050807568877}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.0, .directions = 8},
};
static const double golden_11_v[] = {0.0, 0.0, -0.0, 0.0, 0.0, 0.0};
static const abut_body golden_12_bodies[] = {
    {.mass = 1.0, .inertia = {0.6666666666666666, 0.6666666666666666, 0.6666666666666666, 0.0, 0.0, 0.0}, .com = {1.0, 1.0, 1.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {-5.663806140750229, -5.663806140750229, -5.663806140750229, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_12_contacts[] = {
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 2.0}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {0.0, 2.0, 0.0}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {0.0, 2.0, 2.0}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 0.0, -1.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 2.0}, .normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 0.0, -1.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {2.0, 0.0, 0.0}, .normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 0.0, -1.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {2.0, 0.0, 2.0}, .normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 0.0, -1.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {0.0, 2.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {2.0, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.25, .directions = 8},
    {.bodies = {0, -1}, .point = {2.0, 2.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.25, .directions = 8},
};
static const double golden_12_v[] = {0.0, 0.0, -0.0, -0.0, -0.0, -0.0};
static const abut_body golden_13_bodies[] = {
    {.mass = 1.0, .inertia = {0.6666666666666666, 0.6666666666666666, 0.6666666666666666, 0.0, 0.0, 0.0}, .com = {1.0, 1.0, 1.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {-5.663806140750229, -5.663806140750229, -5.663806140750229, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_13_contacts[] = {
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 2.0}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {0.0, 2.0, 0.0}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {0.0, 2.0, 2.0}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 0.0, -1.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 2.0}, .normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 0.0, -1.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {2.0, 0.0, 0.0}, .normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 0.0, -1.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {2.0, 0.0, 2.0}, .normal = {0.0, 1.0, 0.0}, .tangent = {0.0, 0.0, -1.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {0.0, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {0.0, 2.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {2.0, 0.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.0, .directions = 4},
    {.bodies = {0, -1}, .point = {2.0, 2.0, 0.0}, .normal = {0.0, 0.0, 1.0}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.0, .directions = 4},
};
static const double golden_13_v[] = {-0.0, -0.0, -0.0, 0.0, -0.0, -0.0};
static const abut_body golden_14_bodies[] = {
    {.mass = 1.0, .inertia = {0.036, 0.036, 0.036, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -9.81, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_14_contacts[] = {
    {.bodies = {0, -1}, .point = {-0.17207293090531378, 0.0, -0.24574561328669756}, .normal = {0.5735764363510459, 0.0, 0.8191520442889919}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.0, .directions = 8},
    {.bodies = {0, -1}, .point = {0.17207293090531378, 0.0, -0.24574561328669756}, .normal = {-0.5735764363510459, 0.0, 0.8191520442889919}, .tangent = {0.0, 1.0, 0.0}, .friction = 0.0, .directions = 8},
};
static const double golden_14_v[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
static const abut_body golden_15_bodies[] = {
    {.mass = 10.0, .inertia = {10.0, 10.0, 10.0, 0.0, 0.0, 0.0}, .com = {-0.5, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {20.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
    {.mass = 10.0, .inertia = {10.0, 10.0, 10.0, 0.0, 0.0, 0.0}, .com = {0.5, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {-20.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
    {.mass = 1.5, .inertia = {0.25, 0.25, 0.25, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -14.715, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_15_contacts[] = {
    {.bodies = {2, 0}, .point = {-0.5, -0.4, -0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, -0.4, 0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, 0.4, -0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, 0.4, 0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, -0.4, -0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, -0.4, 0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, 0.4, -0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.5, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, 0.4, 0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.5, .directions = 4},
};
static const double golden_15_v[] = {-0.0, 0.0, -0.006844186047, -0.0, 0.0, 0.0, 0.0, 0.0, -0.006844186047, 0.0, -0.0, -0.0, -0.0, 0.0, -0.006844186047, -0.0, -0.0, 0.0};
static const abut_body golden_16_bodies[] = {
    {.mass = 10.0, .inertia = {10.0, 10.0, 10.0, 0.0, 0.0, 0.0}, .com = {-0.5, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {20.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
    {.mass = 10.0, .inertia = {10.0, 10.0, 10.0, 0.0, 0.0, 0.0}, .com = {0.5, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {-20.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
    {.mass = 1.5, .inertia = {0.25, 0.25, 0.25, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -14.715, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_16_contacts[] = {
    {.bodies = {2, 0}, .point = {-0.5, -0.4, -0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.3, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, -0.4, 0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.3, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, 0.4, -0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.3, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, 0.4, 0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.3, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, -0.4, -0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.3, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, -0.4, 0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.3, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, 0.4, -0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.3, .directions = 4},
    {.bodies = {2, 1}, .point = {0.5, 0.4, 0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.3, .directions = 4},
};
static const double golden_16_v[] = {0.0, 0.0, -0.006, -0.0, -0.0, 0.0, -0.0, 0.0, -0.006, -0.0, 0.0, -0.0, -0.0, 0.0, -0.0181, 0.0, 0.0, 0.0};
static const abut_body golden_17_bodies[] = {
    {.mass = 10.0, .inertia = {10.0, 10.0, 10.0, 0.0, 0.0, 0.0}, .com = {-0.5, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {30.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
    {.mass = 10.0, .inertia = {10.0, 10.0, 10.0, 0.0, 0.0, 0.0}, .com = {1.5, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {-30.0, 0.0, 0.0, 0.0, 0.0, 0.0}},
    {.mass = 1.5, .inertia = {0.25, 0.25, 0.25, 0.0, 0.0, 0.0}, .com = {0.0, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -14.715, 0.0, 0.0, 0.0}},
    {.mass = 1.5, .inertia = {0.25, 0.25, 0.25, 0.0, 0.0, 0.0}, .com = {1.0, 0.0, 0.0}, .velocity = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, .force = {0.0, 0.0, -14.715, 0.0, 0.0, 0.0}},
};
static const abut_contact golden_17_contacts[] = {
    {.bodies = {2, 0}, .point = {-0.5, -0.4, -0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, -0.4, 0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, 0.4, -0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {2, 0}, .point = {-0.5, 0.4, 0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {3, 2}, .point = {0.5, -0.4, -0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {3, 2}, .point = {0.5, -0.4, 0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {3, 2}, .point = {0.5, 0.4, -0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {3, 2}, .point = {0.5, 0.4, 0.4}, .normal = {1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {3, 1}, .point = {1.5, -0.4, -0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {3, 1}, .point = {1.5, -0.4, 0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {3, 1}, .point = {1.5, 0.4, -0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
    {.bodies = {3, 1}, .point = {1.5, 0.4, 0.4}, .normal = {-1.0, 0.0, 0.0}, .tangent = {0.0, 0.0, 1.0}, .friction = 0.8, .directions = 4},
};
static const double golden_17_v[] = {-0.0, 0.0, -0.012795652174, -0.0, 0.0, 0.0, 0.0, 0.0, -0.012795652174, -0.0, 0.0, -0.0, -0.0, 0.0, -0.012795652174, 0.0, 0.0, 0.0, 0.0, 0.0, -0.012795652174, 0.0, -0.0, -0.0};
static const golden_scene golden_scenes[] = {
    {"box_incline_20deg_mu0.5", 0.01, 1, golden_0_bodies, 4, golden_0_contacts, golden_0_v, 0.1843676921981952},
    {"box_incline_26deg_mu0.5", 0.01, 1, golden_1_bodies, 4, golden_1_contacts, golden_1_v, 0.17634339188389653},
    {"box_incline_27deg_mu0.5", 0.01, 1, golden_2_bodies, 4, golden_2_contacts, golden_2_v, 0.17481548004575775},
    {"box_incline_40deg_mu0.3", 0.01, 1, golden_3_bodies, 4, golden_3_contacts, golden_3_v, 0.15029791973994353},
    {"push_block_P5.0", 0.01, 1, golden_4_bodies, 4, golden_4_contacts, golden_4_v, 0.0},
    {"push_block_P7.0", 0.01, 1, golden_5_bodies, 4, golden_5_contacts, golden_5_v, 0.0},
    {"sphere_incline_30deg_mu0.3", 0.01, 1, golden_6_bodies, 1, golden_6_contacts, golden_6_v, 0.12743563816688014},
    {"sphere_incline_30deg_mu0.1", 0.01, 1, golden_7_bodies, 1, golden_7_contacts, golden_7_v, 0.12743563816688014},
    {"sphere_incline_45deg_mu0.3", 0.01, 1, golden_8_bodies, 1, golden_8_contacts, golden_8_v, 0.1040507628516005},
    {"stack_2", 0.01, 2, golden_9_bodies, 8, golden_9_contacts, golden_9_v, 0.2943},
    {"stack_3", 0.01, 3, golden_10_bodies, 12, golden_10_contacts, golden_10_v, 0.5886},
    {"ladder_60deg_mu0.4", 0.01, 1, golden_11_bodies, 2, golden_11_contacts, golden_11_v, 0.37925709211125347},
    {"corner_12_contacts", 0.01, 1, golden_12_bodies, 12, golden_12_contacts, golden_12_v, 0.0},
    {"corner_12_contacts_frictionless", 0.01, 1, golden_13_bodies, 12, golden_13_contacts, golden_13_v, 0.1699141842225069},
    {"sphere_v_groove_35deg", 0.01, 1, golden_14_bodies, 2, golden_14_contacts, golden_14_v, 0.11975798715749884},
    {"grasp_1block_P20.0_mu0.5", 0.01, 3, golden_15_bodies, 8, golden_15_contacts, golden_15_v, 0.0},
    {"grasp_1block_P20.0_mu0.3", 0.01, 3, golden_16_bodies, 8, golden_16_contacts, golden_16_v, 0.0},
    {"grasp_2block_P30.0_mu0.8", 0.01, 4, golden_17_bodies, 12, golden_17_contacts, golden_17_v, 0.0},
};
/* clang-format on */

#define GOLDEN_SCENE_COUNT ((int)(sizeof golden_scenes / sizeof golden_scenes[0]))

#endif

/* A world in a page: a box is dropped onto a slope of 20 degrees, lands, and stays, because its friction holds up to
 * 26.6 degrees. */
#include <abut/world.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    double angle = 20 * 3.14159265358979 / 180;
    abut_world_def def = abut_world_default_def();
    def.step = 1.0 / 240;
    def.gravity[0] = 9.81 * sin(angle); /* x points down the slope, z up from it */
    def.gravity[2] = -9.81 * cos(angle);
    abut_world *world = NULL;
    if (abut_world_create(&def, NULL, &world, NULL) != ABUT_OK) return 1;

    abut_collider_def ground = abut_collider_default_def();
    ground.shape.kind = ABUT_PLANE;
    ground.friction = 0.5;
    abut_world_add_collider(world, (abut_body_id){0}, &ground, NULL, NULL);

    abut_body_def body = abut_body_default_def();
    body.position[2] = 0.3;
    abut_body_id box;
    abut_world_add_body(world, &body, &box, NULL);
    abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
    abut_world_add_joint(world, box, &joint, NULL, NULL);
    abut_collider_def cube = abut_collider_default_def();
    cube.shape = (abut_shape){.kind = ABUT_BOX, .half = {0.1, 0.1, 0.1}};
    cube.friction = 0.5;
    abut_world_add_collider(world, box, &cube, NULL, NULL);

    abut_step_report report;
    abut_body_state state;
    int unsolved = 0;
    for (int i = 0; i < 480; ++i) {
        if (abut_world_step(world, &report) != ABUT_OK) return 1;
        unsolved += report.unsolved;
        if (i % 60 != 59) continue;
        abut_body_get_state(world, box, &state);
        printf("%.2f s: x %.4f m, %.4f m above the slope, %.4f m/s, %d contacts\n", report.time, state.com[0],
               state.com[2] - 0.1, state.velocity[0], report.contacts);
    }
    abut_world_destroy(world);
    return unsolved == 0 && fabs(state.velocity[0]) < 1e-9 ? 0 : 1;
}

/* A convex polygon that moves among polygons that stand, for the examples on unions: steps it, and draws what
 * happened as SVG, two behaviours side by side. */
#ifndef ABUT_EXAMPLE_UNION_SCENE_H
#define ABUT_EXAMPLE_UNION_SCENE_H

#include <abut/planar.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCENE_VERTICES = 12, SCENE_OBSTACLES = 6, SCENE_FRAMES = 600, SCENE_CONTACTS = 96 };

typedef struct scene {
    int corners;
    double shape[SCENE_VERTICES][2]; /* about the centre of mass */
    int obstacles;
    struct {
        int count;
        double at[SCENE_VERTICES][2];
    } obstacle[SCENE_OBSTACLES];
    double pose[3], velocity[3]; /* x, y, angle */
    double gravity, friction, step;
    int steps;
    bool convex; /* no unions */
} scene;

typedef struct track {
    int frames;
    double pose[SCENE_FRAMES + 1][3], velocity[3];
    double worst_residual;
    int most_unions; /* unions that are touched at the end of one step */
} track;

static inline void scene_place(const scene *s, const double pose[3], double out[SCENE_VERTICES][2])
{
    double c = cos(pose[2]), d = sin(pose[2]);
    for (int i = 0; i < s->corners; ++i) {
        out[i][0] = pose[0] + c * s->shape[i][0] - d * s->shape[i][1];
        out[i][1] = pose[1] + d * s->shape[i][0] + c * s->shape[i][1];
    }
}

/* Counts the unions (groups of two sides and more) that are touched at the end of the step: none of their sides is
 * open. The sides of a union must follow each other in `contacts`. */
static inline int scene_touched(const abut_contact *contacts, const abut_contact_answer *answers, int count)
{
    int unions = 0;
    for (int first = 0, end; first < count; first = end) {
        double open = answers[first].gap_velocity;
        for (end = first + 1; end < count && contacts[end].group == contacts[first].group; ++end)
            open = fmax(open, answers[end].gap_velocity);
        unions += open <= 1e-9 && end - first > 1;
    }
    return unions;
}

/* One step; false when something went wrong. */
static inline bool scene_step(const scene *s, double pose[3], double velocity[3], track *t)
{
    double at[SCENE_VERTICES][2];
    abut_contact contacts[SCENE_CONTACTS];
    int used = 0;
    scene_place(s, pose, at);
    abut_polygon moving = {s->corners, (const double(*)[2])at};
    for (int k = 0; k < s->obstacles; ++k) {
        abut_polygon obstacle = {s->obstacle[k].count, s->obstacle[k].at};
        abut_planar_options options = {.bodies = {0, ABUT_WORLD},
                                       .reach = 0.15,
                                       .friction = s->friction,
                                       .convex = s->convex,
                                       .first_group = 1 + used};
        int count = 0;
        if (abut_planar_contacts(&moving, &obstacle, &options, contacts + used, SCENE_CONTACTS - used,
                                 &count) != ABUT_OK)
            return false;
        used += count;
    }
    abut_body body = {.mass = 1,
                      .inertia = {1, 1, 1},
                      .com = {pose[0], pose[1], 0},
                      .velocity = {velocity[0], velocity[1], 0, 0, 0, velocity[2]},
                      .force = {0, -s->gravity}};
    abut_contact_problem problem = {
        .step = s->step, .body_count = 1, .bodies = &body, .contact_count = used, .contacts = contacts};
    abut_contact_options options = abut_contact_default_options();
    abut_contact_limits limits = abut_contact_limits_for(&problem, &options);
    abut_contact_workspace *work = NULL;
    abut_contact_result result = {.outcome = ABUT_FAILED};
    if (abut_contact_workspace_create(&limits, NULL, &work) != ABUT_OK) return false;
    bool fine =
        abut_contact_solve(work, &problem, &options, &result) == ABUT_OK && result.outcome == ABUT_SOLVED;
    int unions = fine ? scene_touched(contacts, result.contacts, used) : 0;
    if (fine) {
        velocity[0] = result.velocity[0];
        velocity[1] = result.velocity[1];
        velocity[2] = result.velocity[5];
        for (int k = 0; k < 3; ++k) pose[k] += s->step * velocity[k];
        t->worst_residual = fmax(t->worst_residual, result.residual);
        if (unions > t->most_unions) t->most_unions = unions;
    }
    abut_contact_workspace_destroy(work);
    return fine;
}

static inline bool scene_run(const scene *s, track *t)
{
    double pose[3], velocity[3];
    *t = (track){0};
    for (int k = 0; k < 3; ++k) {
        pose[k] = t->pose[0][k] = s->pose[k];
        velocity[k] = s->velocity[k];
    }
    for (t->frames = 0; t->frames < s->steps && t->frames < SCENE_FRAMES;) {
        if (!scene_step(s, pose, velocity, t)) return false;
        t->frames++;
        for (int k = 0; k < 3; ++k) t->pose[t->frames][k] = pose[k];
    }
    for (int k = 0; k < 3; ++k) t->velocity[k] = velocity[k];
    return true;
}

/* ---- drawing: two panels of 420 x 290 pixels side by side ---- */

#define PICTURE_OBSTACLE "fill=\"#d8d2c6\" stroke=\"#6b6456\" stroke-width=\"1.5\" stroke-linejoin=\"round\""
#define PICTURE_WALL "stroke=\"#b3402f\" stroke-width=\"1.5\" stroke-dasharray=\"7 5\""

typedef struct picture {
    FILE *file;
    double left, bottom, scale; /* of the world in a panel */
    int panel;
} picture;

static inline void picture_open(picture *p, const char *path, double left, double right, double bottom)
{
    *p = (picture){.file = fopen(path, "w"), .left = left, .bottom = bottom, .scale = 420 / (right - left)};
    if (p->file)
        fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 890 350\" font-family=\"DejaVu Sans, "
              "Helvetica, sans-serif\" font-size=\"14\">\n<rect width=\"890\" height=\"350\" "
              "fill=\"white\"/>\n<defs><clipPath id=\"p\"><rect width=\"420\" height=\"290\" "
              "rx=\"6\"/></clipPath><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"6\" refY=\"4\" "
              "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
              "fill=\"context-stroke\"/></marker></defs>\n",
              p->file);
}

static inline void picture_end_panel(picture *p)
{
    if (p->file && p->panel > 0)
        fputs("<rect width=\"420\" height=\"290\" rx=\"6\" fill=\"none\" stroke=\"#b8b3a8\" "
              "stroke-width=\"2\"/></g>\n",
              p->file);
}

static inline void picture_panel(picture *p, const char *title, const char *note)
{
    picture_end_panel(p);
    int x = 15 + 440 * p->panel++;
    if (!p->file) return;
    fprintf(p->file,
            "<text x=\"%d\" y=\"24\"><tspan font-weight=\"bold\">%s</tspan><tspan fill=\"#555\" "
            "dx=\"8\">%s</tspan>"
            "</text>\n<g transform=\"translate(%d,36)\" clip-path=\"url(#p)\">\n<rect width=\"420\" "
            "height=\"290\" fill=\"#f7f9fb\"/>\n",
            x, title, note, x);
}

static inline double picture_x(const picture *p, double x)
{
    return (x - p->left) * p->scale;
}

static inline double picture_y(const picture *p, double y)
{
    return 290 - (y - p->bottom) * p->scale;
}

static inline void picture_polygon(picture *p, const double (*at)[2], int count, const char *style)
{
    if (!p->file) return;
    fputs("<polygon points=\"", p->file);
    for (int i = 0; i < count; ++i)
        fprintf(p->file, "%s%.1f,%.1f", i ? " " : "", picture_x(p, at[i][0]), picture_y(p, at[i][1]));
    fprintf(p->file, "\" %s/>\n", style);
}

static inline void picture_dot(picture *p, double x, double y, double radius, const char *style)
{
    if (p->file)
        fprintf(p->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>\n", picture_x(p, x),
                picture_y(p, y), radius, style);
}

static inline void picture_line(picture *p, double x1, double y1, double x2, double y2, const char *style)
{
    if (p->file)
        fprintf(p->file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", picture_x(p, x1),
                picture_y(p, y1), picture_x(p, x2), picture_y(p, y2), style);
}

static inline void picture_text(picture *p, double x, double y, const char *style, const char *text)
{
    if (p->file)
        fprintf(p->file, "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", picture_x(p, x), picture_y(p, y),
                style, text);
}

static inline bool picture_close(picture *p)
{
    picture_end_panel(p);
    if (!p->file) return false;
    fputs("</svg>\n", p->file);
    return fclose(p->file) == 0;
}

/* Draws the obstacles, the wall that one face becomes (4 numbers, or NULL), the body at `shown` moments with the
 * last one dark, and the way of its centre. */
static inline void picture_track(picture *p, const scene *s, const track *t, int shown, const double *wall)
{
    for (int k = 0; k < s->obstacles; ++k)
        picture_polygon(p, s->obstacle[k].at, s->obstacle[k].count, PICTURE_OBSTACLE);
    if (wall) picture_line(p, wall[0], wall[1], wall[2], wall[3], PICTURE_WALL);
    for (int f = 0; f < shown; ++f) {
        double at[SCENE_VERTICES][2];
        char style[128];
        scene_place(s, t->pose[t->frames * f / (shown - 1)], at);
        snprintf(style, sizeof style,
                 "fill=\"#2f6db3\" fill-opacity=\"%.2f\" stroke=\"#173a61\" stroke-opacity=\"%.2f\"",
                 f + 1 < shown ? 0.1 : 0.6, 0.35 + 0.65 * f / (shown - 1));
        picture_polygon(p, (const double(*)[2])at, s->corners, style);
    }
    for (int f = 0; f < t->frames; ++f)
        picture_line(p, t->pose[f][0], t->pose[f][1], t->pose[f + 1][0], t->pose[f + 1][1],
                     "stroke=\"#e08a1e\" stroke-width=\"2\"");
    picture_dot(p, t->pose[t->frames][0], t->pose[t->frames][1], 4, "fill=\"#e08a1e\"");
}

/* Words in a panel. */
typedef struct picture_word {
    double x, y;
    const char *style, *text;
} picture_word;

#define PICTURE_RED "fill=\"#b3402f\" font-size=\"13\""
#define PICTURE_DARK "fill=\"#333\" font-size=\"13\""

/* Both behaviours of a scene in one picture; `words` explain them, panel after panel, each list ended by one
 * without text. */
static inline bool scene_picture(const char *path, scene *s, const track *convex, const track *unions,
                                 double left, double right, double bottom, int shown, const double *wall,
                                 const picture_word *words)
{
    picture p;
    picture_open(&p, path, left, right, bottom);
    picture_panel(&p, "Every face an infinite wall", "(red: the one that stops it)");
    picture_track(&p, s, convex, shown, wall);
    for (; words->text; ++words) picture_text(&p, words->x, words->y, words->style, words->text);
    picture_panel(&p, "Unions of half-spaces", "");
    picture_track(&p, s, unions, shown, NULL);
    for (words++; words->text; ++words) picture_text(&p, words->x, words->y, words->style, words->text);
    return picture_close(&p);
}

#endif

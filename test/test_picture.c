/* Pictures as height fields: every kind of PNG, with every filter, stored and with both kinds of codes; and damaged ones. */
#include "abut/scene.h"
#include "check.h"
#include "scene/picture.h"

enum { ROWS = 7, COLUMNS = 9, BYTES_MAX = 4096 };

static size_t read_bytes(const char *name, unsigned char *bytes)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/mjcf/pictures/%s.png", ABUT_TEST_GOLDEN, name);
    FILE *file = fopen(path, "rb");
    CHECK_MSG(file, "%s", path);
    if (!file) return 0;
    size_t size = fread(bytes, 1, BYTES_MAX, file);
    fclose(file);
    return size;
}

/* What the pictures show, rows from the top. */
static int shown(const char *name, int r, int c)
{
    if (strcmp(name, "bits") == 0) return (r + 2 * c) % 4 * 85;
    if (strcmp(name, "palette") == 0) return (r * 3 + c) % 16 * ((r * 3 + c) % 16);
    return (r * 37 + c * 11) % 251;
}

static const char *const names[] = {"grey", "colour", "alpha", "deep", "bits", "palette"};

static void test_every_kind(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        unsigned char bytes[BYTES_MAX];
        double values[ROWS * COLUMNS];
        abuti_picture picture;
        size_t size = read_bytes(names[i], bytes);
        CHECK(abuti_is_picture(bytes, size));
        CHECK(!abuti_picture_begin(bytes, size, &picture));
        CHECK_EQ_INT(picture.height, ROWS);
        CHECK_EQ_INT(picture.width, COLUMNS);
        CHECK(!abuti_picture_read(&picture, values));
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < COLUMNS; ++c)
                CHECK_MSG(values[(ROWS - 1 - r) * COLUMNS + c] == shown(names[i], r, c),
                          "%s, row %d, column %d", names[i], r, c);
    }
}

/* Cut short, it is refused; with a bit turned round, refused or read, and nothing else happens. */
static void test_damage(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        unsigned char bytes[BYTES_MAX];
        static double values[1 << 20];
        abuti_picture picture;
        size_t size = read_bytes(names[i], bytes);
        for (size_t cut = 0; cut + 20 < size; ++cut) /* the end has a checksum and an empty chunk */
            CHECK(abuti_picture_begin(bytes, cut, &picture) || abuti_picture_read(&picture, values));
        for (size_t k = 0; k < 8 * size; ++k) {
            bytes[k / 8] ^= (unsigned char)(1 << k % 8);
            if (!abuti_picture_begin(bytes, size, &picture) &&
                (long)picture.width * picture.height <= 1 << 20)
                abuti_picture_read(&picture, values);
            bytes[k / 8] ^= (unsigned char)(1 << k % 8);
        }
    }
}

#ifdef ABUT_HAVE_XML
static void test_field(void)
{
    static const char text[] =
        "<mujoco><asset><hfield name='h' file='grey.png' size='1 1 1 1'/></asset><worldbody>"
        "<geom type='hfield' hfield='h'/></worldbody></mujoco>";
    abut_scene *scene = NULL;
    abut_error error = {""};
    CHECK_EQ_INT(
        abut_scene_parse(text, strlen(text), ABUT_TEST_GOLDEN "/mjcf/pictures", NULL, &scene, &error),
        ABUT_OK);
    CHECK_MSG(scene, "%s", error.text);
    if (!scene) return;
    CHECK_EQ_INT(scene->hfields[0].rows, ROWS);
    CHECK_NEAR(scene->hfields[0].elevation[0], 222.0 / 244, 1e-12); /* as MuJoCo has it */
    abut_scene_destroy(scene);
}
#endif

int main(void)
{
    RUN(test_every_kind);
    RUN(test_damage);
#ifdef ABUT_HAVE_XML
    RUN(test_field);
#endif
    return check_report();
}

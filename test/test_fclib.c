/* FCLIB files: the way there and back, with and without bilateral rows; files that are none. */
#include "contact_io_case.h"

#include <unistd.h>

#ifdef ABUT_HAVE_HDF5

static const char path[] = "test_fclib.hdf5";

static void test_round_trip(void)
{
    /* One contact in 3-D and one joint row. */
    static const double W[16] = {4, 1, 0, 0.5, 1, 3, 0, 0, 0, 0, 2, 0.25, 0.5, 0, 0.25, 1},
                        q[4] = {-1, 0.5, 0, 2};
    abut_local local = {.dimension = 3, .W = W, .q = q};
    abut_contact contact = {.friction = 0.3, .directions = 8};
    abut_joint joint = {.target = 0.5};
    abut_contact_problem problem = {.step = 1,
                                    .contact_count = 1,
                                    .contacts = &contact,
                                    .joint_count = 1,
                                    .joints = &joint,
                                    .local = &local};
    abut_error error = {""};
    abuti_contact_data back;
    CHECK_MSG(abuti_contact_write_fclib(path, &problem, NULL, &error), "%s", error.text);
    CHECK_MSG(abuti_contact_read(path, 0, &back, &error), "%s", error.text);
    CHECK(back.dimension == 3 && back.contact_count == 1 && back.joint_count == 1);
    if (back.W) {
        for (int i = 0; i < 16; ++i) CHECK_NEAR(back.W[i], W[i], 0);
        for (int i = 0; i < 3; ++i) CHECK_NEAR(back.q[i], q[i], 0);
        CHECK_NEAR(back.q[3], q[3] - 0.5, 0); /* the target is part of q */
        CHECK_NEAR(back.contacts[0].friction, 0.3, 0);
    }
    abuti_contact_data_release(&back);
    unlink(path);
}

/* No prefix of a file may crash the reader. */
static void test_truncated(void)
{
    static const double W[4] = {4, 1, 1, 3}, q[2] = {-1, 0.5};
    abut_local local = {.dimension = 2, .W = W, .q = q};
    abut_contact contact = {.friction = 0.3, .directions = 2};
    abut_contact_problem problem = {.step = 1, .contact_count = 1, .contacts = &contact, .local = &local};
    abut_error error = {""};
    abuti_contact_data data;
    CHECK(abuti_contact_write_fclib(path, &problem, NULL, &error));
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    for (long length = size - 1; length > 0; length -= 97) {
        CHECK(truncate(path, length) == 0);
        bool fine = abuti_contact_read(path, 0, &data, &error);
        CHECK_MSG(!fine && error.text[0] != '\0', "%ld bytes of %ld", length, size);
        if (fine) abuti_contact_data_release(&data);
    }
    unlink(path);
}

static void test_no_file(void)
{
    abuti_contact_data data;
    abut_error error;
    FILE *file = fopen(path, "w");
    fputs("this is no HDF5", file);
    fclose(file);
    CHECK(!abuti_contact_read(path, 0, &data, &error));
    check_message(&error, "not an HDF5 file", "text");
    unlink(path);
    CHECK(!abuti_contact_read(path, 0, &data, &error));
    check_message(&error, "No such file", "missing");
}

int main(void)
{
    RUN(test_round_trip);
    RUN(test_truncated);
    RUN(test_no_file);
    return check_report();
}

#else

static void test_left_out(void)
{
    abuti_contact_data data;
    abut_error error;
    CHECK(!abuti_contact_read_fclib("f.hdf5", &data, &error));
    check_message(&error, "component HDF5 (libhdf5) was left out", "f.hdf5");
}

int main(void)
{
    RUN(test_left_out);
    return check_report();
}

#endif

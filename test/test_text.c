/* The word reader: places, limits, and files that are no files. */
#include "io_case.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_places(void)
{
    abuti_text text;
    abut_error error;
    CHECK(abuti_text_open_memory(&text, "f", "1 2\n  x", 7, &error));
    double value;
    int whole;
    CHECK(abuti_text_integer(&text, "n", 1, 5, &whole) && whole == 1);
    CHECK(abuti_text_number(&text, "a", &value) && value == 2);
    CHECK(!abuti_text_number(&text, "b", &value));
    CHECK_STR(error.text, "f:2:3: b: 'x'; expected a finite number");
    CHECK(!abuti_text_word(&text));
}

static void test_numbers(void)
{
    static const struct {
        const char *input, *message;
    } bad[] = {
        {"1e999", "expected a finite number"},
        {"nan", "expected a finite number"},
        {"-inf", "expected a finite number"},
        {"1,5", "'1,5'"},
        {"1.5.2", "'1.5.2'"},
        {"--1", "expected a finite number"},
        {"   ", "ends too early"},
        {"\x01\x02", "'\?\?'"},
    };
    abuti_text text;
    abut_error error;
    double value;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        CHECK(abuti_text_open_memory(&text, "f", bad[i].input, strlen(bad[i].input), &error));
        CHECK(!abuti_text_number(&text, "a", &value));
        check_message(&error, bad[i].message, bad[i].input);
    }
    int whole;
    static const char *const not_whole[] = {"1.5", "6", "-1", "99999999999999999999", "0x2", "two"};
    for (size_t i = 0; i < sizeof not_whole / sizeof not_whole[0]; ++i) {
        CHECK(abuti_text_open_memory(&text, "f", not_whole[i], strlen(not_whole[i]), &error));
        CHECK(!abuti_text_integer(&text, "n", 0, 5, &whole));
        check_message(&error, "expected a whole number from 0 to 5", not_whole[i]);
    }
}

/* A billion numbers cannot stand in four bytes: refused before anything is allocated. */
static void test_room(void)
{
    abuti_text text;
    abut_error error;
    double *values = NULL;
    CHECK(abuti_text_open_memory(&text, "f", "1 2 3", 5, &error));
    CHECK(!abuti_text_numbers(&text, "q", 1000000000, 0, &values) && !values);
    check_message(&error, "f:1:1: the file ends too early: 1000000000 numbers of q are due, 5 bytes are left",
                  "");
    CHECK(abuti_text_numbers(&text, "q", 3, 0, &values) && values[2] == 3);
    free(values);
}

static void test_long_words_and_blanks(void)
{
    size_t size = 3 << 20;
    char *bytes = malloc(size), quote[40];
    abuti_text text;
    abut_error error;
    double value;
    memset(bytes, '1', size);
    CHECK(abuti_text_open_memory(&text, "f", bytes, size, &error));
    CHECK(!abuti_text_number(&text, "a", &value));
    CHECK_STR(abuti_text_quote(&text, quote), "111111111111111111111111...");
    memset(bytes, ' ', size);
    CHECK(abuti_text_open_memory(&text, "f", bytes, size, &error));
    CHECK(!abuti_text_number(&text, "a", &value));
    memset(bytes, 0, size);
    CHECK(abuti_text_open_memory(&text, "f", bytes, size, &error));
    CHECK(!abuti_text_number(&text, "a", &value));
    check_message(&error, "expected a finite number", "zeros");
    free(bytes);
}

static void test_no_file(void)
{
    abuti_text text;
    abut_error error;
    CHECK(!abuti_text_open(&text, "/", &error));
    check_message(&error, "is a directory; expected a file", "/");
    CHECK(!abuti_text_open(&text, "no/such/file", &error));
    check_message(&error, "no/such/file: No such file", "missing");
    CHECK(!abuti_text_open(&text, "/dev/null", &error));
    check_message(&error, "the file is empty", "/dev/null");
    CHECK(!abuti_text_open_memory(&text, "f", "", 0, &error));
    check_message(&error, "the file is empty", "");
}

/* Longer than the window, so that words cross its border. */
static void test_windows(void)
{
    char path[] = "test_text_XXXXXX";
    int handle = mkstemp(path);
    CHECK(handle >= 0);
    FILE *file = fdopen(handle, "w");
    enum { COUNT = 50000 };
    for (int i = 0; i < COUNT; ++i) fprintf(file, "%d.5\n", i);
    fclose(file);
    abuti_text text;
    abut_error error;
    double *values = NULL;
    CHECK(abuti_text_open(&text, path, &error));
    CHECK(abuti_text_numbers(&text, "q", COUNT, 0, &values));
    for (int i = 0; values && i < COUNT; ++i) CHECK_NEAR(values[i], i + 0.5, 0);
    CHECK_EQ_INT(text.word_line, COUNT);
    free(values);
    abuti_text_close(&text);
    unlink(path);
}

static void test_long_path(void)
{
    char path[600];
    memset(path, 'p', sizeof path);
    path[sizeof path - 1] = '\0';
    memcpy(path + sizeof path - 9, "/end.dat", 8);
    abuti_text text;
    abut_error error;
    double value;
    CHECK(abuti_text_open_memory(&text, path, "x", 1, &error));
    CHECK(!abuti_text_number(&text, "a", &value));
    check_message(&error, "/end.dat:1:1: a: 'x'; expected a finite number", path);
}

int main(void)
{
    RUN(test_places);
    RUN(test_numbers);
    RUN(test_room);
    RUN(test_long_words_and_blanks);
    RUN(test_no_file);
    RUN(test_windows);
    RUN(test_long_path);
    return check_report();
}

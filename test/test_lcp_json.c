/* LCPs in JSON: values, paths and places in messages, truncation, the guard, the way back. */
#include "lcp_io_case.h"

#ifdef ABUT_HAVE_JSON

static void test_plain(void)
{
    abuti_lcp_data data;
    abut_error error;
    CHECK(read_lcp_string(abuti_lcp_read_json,
                          "{\"M\": [[2, 1], [1e0, 2.5]], \"q\": [-5, -6], \"name\": \"x\"}", &data, &error));
    CHECK_EQ_INT(data.n, 2);
    CHECK_NEAR(data.M[1], 1, 0);
    CHECK_NEAR(data.M[3], 2.5, 0);
    CHECK_NEAR(data.q[1], -6, 0);
    abuti_lcp_data_release(&data);
}

/* A number without point or exponent is a number however many digits it has. A byte order mark and the line
 * ends of other systems are no part of the problem. */
static void test_whole_numbers_and_line_ends(void)
{
    abuti_lcp_data data;
    abut_error error;
    CHECK(read_lcp_string(abuti_lcp_read_json,
                          "\xef\xbb\xbf{\"M\": [[123456789012345678901234567890]],\r\n \"q\":\r\n"
                          "[-18446744073709551616],\r\n \"free\": [0]}\r\n",
                          &data, &error));
    CHECK(data.M[0] == 123456789012345678901234567890.0);
    CHECK(data.q[0] == -0x1p64);
    CHECK_EQ_INT(data.free_count, 1);
    abuti_lcp_data_release(&data);
}

static void test_free_is_sorted(void)
{
    abuti_lcp_data data;
    abut_error error;
    CHECK(read_lcp_string(abuti_lcp_read_json,
                          "{\"M\": [[1,0,0],[0,1,0],[0,0,1]], \"q\": [1,2,3], \"free\": [2, 0]}", &data,
                          &error));
    CHECK_EQ_INT(data.free_count, 2);
    CHECK_EQ_INT(data.free_indices[0], 0);
    CHECK_EQ_INT(data.free_indices[1], 2);
    abuti_lcp_data_release(&data);
}

static void test_bad(void)
{
    static const bad_text cases[] = {
        {"[1, 2]", "f:1:1: expected a JSON object"},
        {"  \n garbage", "f:2:2: expected a JSON object"},
        {"   ", "ends too early"},
        {"{\"M\": [[1]],\n \"q\": [1,]}", "f:2:10: not JSON"},
        {"{\"M\": [[1]], \"q\": [NaN]}", "f:1:2"},
        {"{\"M\": [[1]], \"q\": [Infinity]}", "not JSON"},
        {"{\"M\": [[1]], \"q\": [1e999]}", "not JSON: real number overflow"},
        {"{\"M\": [[1]], \"q\": [1]", "not JSON"},
        {"{\"M\": [[1]], \"q\": [1]} x", "not JSON: end of file expected"},
        {"{\"M\": [[1]], \"q\": [1], \"q\": [2]}", "duplicate"},
        {"{\"q\": [1]}", "f: M: expected a list of rows, found nothing"},
        {"{\"M\": [[1]]}", "f: q: expected a list of 1 numbers, found nothing"},
        {"{\"M\": [], \"q\": []}", "f: M: 0 rows; expected 1 to"},
        {"{\"M\": 3, \"q\": []}", "f: M: 3; expected a list of rows"},
        {"{\"M\": [[1, 2], [3]], \"q\": [1, 2]}", "f: M[1]: expected a list of 2 numbers, found one of 1"},
        {"{\"M\": [[1, 2], 7], \"q\": [1, 2]}", "f: M[1]: 7; expected a list of 2 numbers"},
        {"{\"M\": [[1, 2], [3, \"4\"]], \"q\": [1, 2]}", "f: M[1][1]: \"4\"; expected a finite number"},
        {"{\"M\": [[1, 2], [3, null]], \"q\": [1, 2]}", "f: M[1][1]: expected a finite number, found null"},
        {"{\"M\": [[1]], \"q\": [1, 2]}", "f: q: expected a list of 1 numbers, found one of 2"},
        {"{\"M\": [[1]], \"q\": [true]}", "f: q[0]: expected a finite number, found true or false"},
        {"{\"M\": [[1]], \"q\": [1], \"free\": [1]}", "f: free[0]: 1; expected a whole number from 0 to 0"},
        {"{\"M\": [[1]], \"q\": [1], \"free\": [0.5]}", "f: free[0]: 0.5; expected a whole number"},
        {"{\"M\": [[1]], \"q\": [1], \"free\": [0, 0]}", "f: free: 2 indices; expected at most n = 1"},
        {"{\"M\": [[1,0],[0,1]], \"q\": [1,1], \"free\": [1, 1]}", "f: free: index 1 twice"},
        {"{\"M\": [[1]], \"q\": [1], \"free\": 0}", "f: free: 0; expected a list of indices"},
        {"{\"m\": [[1]], \"q\": [1]}", "f: m: unknown name; expected \"M\""},
    };
    check_bad_lcps(abuti_lcp_read_json, cases, sizeof cases / sizeof cases[0]);
}

static void test_truncated(void)
{
    check_truncations(abuti_lcp_read_json, "{\"M\": [[2, 1], [1, 2]], \"q\": [-5, -6], \"free\": [1]}");
}

/* Text that would make the parser hoard memory is refused while it is read. */
static void test_guard(void)
{
    size_t size = 1 << 20;
    char *bytes = malloc(size + 1);
    abuti_lcp_data data;
    abut_error error;
    memset(bytes, 'a', size);
    bytes[size] = '\0';
    memcpy(bytes, "{\"", 2);
    CHECK(!read_lcp_string(abuti_lcp_read_json, bytes, &data, &error));
    check_message(&error, "f:1:4099: a text of more than 4096 characters", "long text");
    memset(bytes, '[', size);
    memcpy(bytes, "{\"M\":", 5);
    CHECK(!read_lcp_string(abuti_lcp_read_json, bytes, &data, &error));
    check_message(&error, "not JSON: maximum parsing depth", "deep");
    free(bytes);

    size = 3 << 20;
    bytes = malloc(size + 1);
    for (size_t i = 0; i < size; i += 2) memcpy(bytes + i, "1,", 3);
    memcpy(bytes, "{\"M\": [[", 8);
    CHECK(!read_lcp_string(abuti_lcp_read_json, bytes, &data, &error));
    check_message(&error, "f:1:2097162: more than a million values in one list", "long list");
    free(bytes);
}

static void test_round_trip(void)
{
    for (int mixed = 0; mixed < 2; ++mixed) {
        abuti_lcp_data data = awkward_lcp(mixed), back = {0};
        abut_lcp_problem problem = abuti_lcp_data_problem(&data);
        char *bytes = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&bytes, &size);
        CHECK(abuti_lcp_write_json(file, &problem));
        fclose(file);
        abut_error error;
        CHECK_MSG(read_lcp_string(abuti_lcp_read_json, bytes, &back, &error), "%s", error.text);
        check_same_lcp(&data, &back);
        free(bytes);
        abuti_lcp_data_release(&data);
        abuti_lcp_data_release(&back);
    }
}

static void test_solution(void)
{
    static const char input[] = "{\"outcome\": \"solved\", \"z\": [1, 2], \"w\": null, \"witness\": null}";
    abuti_text text;
    abut_error error;
    abuti_lcp_solution solution;
    CHECK(abuti_text_open_memory(&text, "s", input, strlen(input), &error));
    CHECK(abuti_lcp_solution_read(&text, 2, &solution));
    CHECK_STR(solution.outcome, "solved");
    CHECK(solution.count == 1 && solution.z[1] == 2 && !solution.witness);
    abuti_lcp_solution_release(&solution);
    CHECK(abuti_text_open_memory(&text, "s", input, strlen(input), &error));
    CHECK(!abuti_lcp_solution_read(&text, 3, &solution));
    check_message(&error, "s: z: expected a list of 3 numbers, found one of 2", input);
}

int main(void)
{
    RUN(test_plain);
    RUN(test_whole_numbers_and_line_ends);
    RUN(test_free_is_sorted);
    RUN(test_bad);
    RUN(test_truncated);
    RUN(test_guard);
    RUN(test_round_trip);
    RUN(test_solution);
    return check_report();
}

#else

static void test_left_out(void)
{
    abuti_lcp_data data;
    abut_error error;
    CHECK(!read_lcp_string(abuti_lcp_read_json, "{}", &data, &error));
    check_message(&error, "component JSON (jansson) was left out", "{}");
}

int main(void)
{
    RUN(test_left_out);
    return check_report();
}

#endif

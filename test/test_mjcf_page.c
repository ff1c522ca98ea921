/* The table of elements and attributes, and its copy in docs/mjcf.md. ABUT_WRITE=FILE in the environment writes what should
 * stand there. */
#include "check.h"
#include "scene/mjcf.h"

#include <stdbool.h>

static void list(FILE *out, const abuti_mjcf_attribute *attributes, int count, abuti_mjcf_status status)
{
    bool any = false;
    for (int i = 0; i < count; ++i) {
        if (attributes[i].status != status) continue;
        fprintf(out, "%s%s", any ? ", " : "", attributes[i].name);
        any = true;
    }
    fputs(any ? " | " : "- | ", out);
}

static void write_rows(FILE *out)
{
    int count;
    const abuti_mjcf_element *rows = abuti_mjcf_elements(&count);
    static const char *const statuses[] = {"read", "skipped", "soft", "refused"};
    fputs("| element | in | status | read | skipped | soft | refused |\n|---|---|---|---|---|---|---|\n",
          out);
    for (int i = 0; i < count; ++i) {
        abuti_mjcf_attribute attributes[ABUTI_MJCF_ATTRIBUTES_MAX];
        int n = abuti_mjcf_attributes(&rows[i], attributes);
        for (int k = 0; k < n; ++k)
            if (rows[i].status != ABUTI_MJCF_READ) attributes[k].status = rows[i].status;
        fprintf(out, "| %s | %s | %s | ", rows[i].name, rows[i].inside[0] ? rows[i].inside : "-",
                statuses[rows[i].status]);
        for (int s = ABUTI_MJCF_READ; s <= ABUTI_MJCF_REFUSED; ++s)
            list(out, attributes, n, (abuti_mjcf_status)s);
        fseek(out, -1, SEEK_CUR);
        fputc('\n', out);
    }
}

static char *slurp(FILE *file)
{
    enum { SIZE = 1 << 20 };
    char *text = calloc(1, SIZE);
    rewind(file);
    if (text) text[fread(text, 1, SIZE - 1, file)] = '\0';
    return text;
}

static void test_page_has_the_table(void)
{
    const char *path = getenv("ABUT_WRITE");
    FILE *expected = path ? fopen(path, "w+") : tmpfile();
    FILE *page = fopen(ABUT_TEST_GOLDEN "/../../docs/mjcf.md", "r");
    CHECK(expected);
    CHECK(page);
    if (!expected || !page) return;
    write_rows(expected);
    char *rows = slurp(expected), *text = slurp(page);
    CHECK_MSG(strstr(text, rows),
              "docs/mjcf.md has another table; ABUT_WRITE=FILE writes the one it should have");
    free(rows);
    free(text);
    fclose(expected);
    fclose(page);
}

static void test_every_attribute_is_read(void)
{
    int count;
    const abuti_mjcf_element *rows = abuti_mjcf_elements(&count);
    for (int i = 0; i < count; ++i) {
        abuti_mjcf_attribute attributes[ABUTI_MJCF_ATTRIBUTES_MAX], found;
        int n = abuti_mjcf_attributes(&rows[i], attributes);
        CHECK_MSG(n < ABUTI_MJCF_ATTRIBUTES_MAX, "%s", rows[i].name);
        CHECK(abuti_mjcf_find(rows[i].inside, rows[i].name) == &rows[i]);
        for (int k = 0; k < n; ++k) {
            CHECK_MSG(abuti_mjcf_attribute_find(&rows[i], attributes[k].name, &found), "%s %s", rows[i].name,
                      attributes[k].name);
            CHECK_MSG(found.kind == attributes[k].kind && found.high == attributes[k].high,
                      "%s %s is there twice", rows[i].name, attributes[k].name);
            CHECK(strlen(attributes[k].words) < sizeof attributes[k].words - 1);
        }
    }
}

int main(void)
{
    RUN(test_page_has_the_table);
    RUN(test_every_attribute_is_read);
    return check_report();
}

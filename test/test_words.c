/* Which known word a mistaken one meant. */
#include "check.h"
#include "io/words.h"

#include <stdbool.h>
#include <string.h>

static void test_closest(void)
{
    static const char *const known[] = {"friction", "gap",      "restitution",
                                        "mass",     "--solver", "--slide-threshold"};
    static const struct {
        const char *word, *meant;
    } cases[] = {
        {"frictoin", "friction"},
        {"FRICTION", "friction"},
        {"rest", "restitution"},
        {"mas", "mass"},
        {"Gap", "gap"},
        {"--slide", "--slide-threshold"},
        {"--sovler", "--solver"},
        {"colour", NULL},
        {"x", NULL},
        {"", NULL},
        {"--a-very-long-option-that-nobody-has", NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const char *found = abuti_closest_word(cases[k].word, known, sizeof known / sizeof *known);
        bool right = !cases[k].meant ? !found : found && strcmp(found, cases[k].meant) == 0;
        CHECK_MSG(right, "%s: %s", cases[k].word, found ? found : "none");
    }
}

/* Of two equally near words the first; a swap of two letters is one mistake, not two. */
static void test_order(void)
{
    static const char *const known[] = {"stack", "stick"}, *const one[] = {"ba"};
    CHECK_STR(abuti_closest_word("stock", known, 2), "stack");
    CHECK_STR(abuti_closest_word("ab", one, 1), "ba");
}

int main(void)
{
    RUN(test_closest);
    RUN(test_order);
    return check_report();
}

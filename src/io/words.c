#include "io/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

static int smallest(int a, int b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* How many letters have to be added, left out, replaced or swapped with their neighbour to turn one word into the other
 * (Levenshtein's distance, with swaps). Words are short. */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    int rows[3][LONGEST + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    for (int j = 0; j <= m; ++j) rows[0][j] = j;
    for (int i = 1; i <= n; ++i) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; ++j) {
            int replaced = above[j - 1] + !same(a[i - 1], b[j - 1]);
            row[j] = smallest(replaced, smallest(above[j], row[j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
            if (swapped) row[j] = smallest(row[j], before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

const char *abuti_closest_word(const char *word, const char *const *candidates, int count)
{
    const char *best = NULL;
    size_t length = strlen(word);
    int least = (int)length / 2 + 1; /* further away is a different word */
    for (int i = 0; i < count; ++i) {
        bool starts = length >= 4 && strncasecmp(candidates[i], word, length) == 0;
        int d = starts ? 0 : distance(word, candidates[i]);
        if (d < least) {
            least = d;
            best = candidates[i];
        }
    }
    return best;
}

/* near.c: see near.h. */
#include "launcher/near.h"
#include <string.h>

/* Number of letters to insert, delete or change. */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    int row[LONGEST + 1];
    int n = (int)strlen(b);
    if (n > LONGEST || strlen(a) > LONGEST)
        return LONGEST;
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            int gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < gap ? change : gap;
        }
    }
    return row[n];
}

struct near near_to(const char *word)
{
    int third = (int)strlen(word) / 3;
    return (struct near){ word, NULL, third > 1 ? third : 1 };
}

void near_try(struct near *n, const char *candidate)
{
    int d = distance(n->word, candidate);
    if (d > n->least || (n->best && d == n->least))
        return;
    n->least = d;
    n->best = candidate;
}

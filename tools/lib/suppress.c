/* suppress.c: see suppress.h. */
#include "tool.h"
#include "callstack.h"
#include "suppress.h"

KNOB_TEXT(path, "suppressions", "", "file of findings not to report: lines KIND FRAME..., patterns; ... for any frames");

enum { MAX_WORDS = 32 };
static VEC(char **) rules;

static bool is_kind(const char *word, const char *kinds)
{
    const char *at = strstr(kinds, word);
    size_t n = strlen(word);
    return !strcmp(word, "*") || (at && (at == kinds || at[-1] == ' ') && (!at[n] || at[n] == ' '));
}

VOID suppress_begin(const char *kinds)
{
    char line[4096];
    int number = 0;
    if (!*path)
        return;
    FILE *f = fopen(path, "r");
    if (!f)
        tool_fail("cannot read the suppressions of `%s`: %m", path);
    while (fgets(line, sizeof line, f)) {
        char **words = need((MAX_WORDS + 1) * sizeof *words), *save = NULL;
        UINT32 n = 0;
        number++;
        for (char *w = strtok_r(line, " \t\r\n", &save); w && *w != '#' && n < MAX_WORDS; w = strtok_r(NULL, " \t\r\n", &save))
            words[n++] = need_text("%s", w);
        if (n && !is_kind(words[0], kinds))
            tool_fail("%s:%d: there is no kind of finding `%s`; there are * %s", path, number, words[0], kinds);
        if (n)
            VEC_ADD(rules, words);
        else
            free(words);
    }
    fclose(f);
}

static bool frames_match(const struct callstack *s, UINT32 frame, char **words)
{
    if (!*words)
        return true;
    if (strcmp(*words, "...") == 0)
        return frames_match(s, frame, words + 1) || (frame < s->n && frames_match(s, frame + 1, words));
    return callstack_matches(s, frame, *words) && frames_match(s, frame + 1, words + 1);
}

BOOL suppress_matches(const char *kind, const struct callstack *s)
{
    for (size_t i = 0; i < rules.n; i++) {
        char **words = rules.at[i];
        if ((strcmp(words[0], "*") == 0 || strcmp(words[0], kind) == 0) && frames_match(s, 0, words + 1))
            return TRUE;
    }
    return FALSE;
}

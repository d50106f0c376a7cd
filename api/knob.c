/* knob.c: the tool's part of the command line. */
#include "api/api.h"
#include "loader/rt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct COTTER_KNOB *knobs, **knobs_end = &knobs;

VOID COTTER_AddKnob(struct COTTER_KNOB *k)
{
    *knobs_end = k;
    knobs_end = &k->next;
}

static struct COTTER_KNOB *find(const char *name)
{
    for (struct COTTER_KNOB *k = knobs; k; k = k->next)
        if (!strcmp(k->name, name))
            return k;
    return NULL;
}

static bool set_number(struct COTTER_KNOB *k, const char *text)
{
    char *end;
    *(INT64 *)k->value = strtoll(text, &end, 0);
    return *text && !*end;
}

static bool set_flag(struct COTTER_KNOB *k, const char *text)
{
    bool off = !strcmp(text, "0"), on = !strcmp(text, "1");
    *(BOOL *)k->value = on;
    return on || off;
}

static bool set(struct COTTER_KNOB *k, const char *text)
{
    k->is_set = TRUE;
    switch (k->kind) {
    case COTTER_KNOB_TEXT: *(const char **)k->value = text; return true;
    case COTTER_KNOB_NUMBER: return set_number(k, text);
    case COTTER_KNOB_FLAG: return set_flag(k, text);
    }
    return false;
}

const char *COTTER_KnobSummary(VOID)
{
    static char text[8192];
    size_t n = 0;
    text[0] = 0;
    for (struct COTTER_KNOB *k = knobs; k && n < sizeof text; k = k->next)
        n += (size_t)snprintf(text + n, sizeof text - n, "  -%-16s %s%s%s%s\n", k->name, k->purpose, *k->dflt ? " [" : "",
                              k->dflt, *k->dflt ? "]" : "");
    return text;
}

static BOOL wrong(const char *fmt, const char *a, const char *b)
{
    fprintf(stderr, "cotter: ");
    fprintf(stderr, fmt, a, b);
    fprintf(stderr, "\n");
    return TRUE;
}

/* -name VALUE; a flag may stand alone. Returns how many words were used, 0 on error. */
static int parse_one(int left, char **word)
{
    struct COTTER_KNOB *k = word[0][0] == '-' ? find(word[0] + (word[0][1] == '-' ? 2 : 1)) : NULL;
    if (!k) {
        wrong("the tool has no option %s", word[0], NULL);
        return 0;
    }
    bool has_value = left > 1 && strcmp(word[1], "--");
    if (k->kind == COTTER_KNOB_FLAG && !(has_value && (!strcmp(word[1], "0") || !strcmp(word[1], "1")))) {
        k->is_set = *(BOOL *)k->value = TRUE;
        return 1;
    }
    if (!has_value || !set(k, word[1])) {
        wrong(has_value ? "%s: bad value '%s'" : "%s wants a value", word[0], has_value ? word[1] : NULL);
        return 0;
    }
    return 2;
}

static bool is_help(const char *w) { return !strcmp(w, "-help") || !strcmp(w, "--help") || !strcmp(w, "-h"); }

/* cotter -t TOOL [options of the tool] -- PROGRAM ... */
BOOL knob_parse(int argc, char **argv)
{
    int i = 1;
    while (i < argc && strcmp(argv[i], "-t") && strcmp(argv[i], "--"))
        i++;
    if (i < argc && !strcmp(argv[i], "-t"))
        i += 2;
    while (i < argc && strcmp(argv[i], "--")) {
        int used = is_help(argv[i]) ? 0 : parse_one(argc - i, argv + i);
        if (!used) {
            fprintf(stderr, "options of the tool:\n%s", COTTER_KnobSummary());
            return TRUE;
        }
        i += used;
    }
    struct COTTER_KNOB *out = find("o");
    if (out && !out->is_set && rt_handoff()->opt.out_file[0])
        set(out, rt_handoff()->opt.out_file);
    return FALSE;
}

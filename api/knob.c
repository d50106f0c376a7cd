/* knob.c: the tool's part of the command line. */
#include "api/debugger.h"
#include "loader/rt.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct COTTER_KNOB *knobs, **knobs_end;

VOID COTTER_AddKnob(struct COTTER_KNOB *k)
{
    if (!knobs_end)
        knobs_end = &knobs;                         /* constructors come before initialised pointers could be relied on */
    *knobs_end = k;
    knobs_end = &k->next;
}

struct COTTER_KNOB *COTTER_FirstKnob(VOID) { return knobs; }

/* As with Pin, -start-address is -start_address, if no option has the very name. */
static bool is_same_name(const char *a, const char *b)
{
    while (*a && (*a == *b || (strchr("-_", *a) && *b && strchr("-_", *b))))
        a++, b++;
    return *a == *b;
}

static struct COTTER_KNOB *find(const char *name)
{
    struct COTTER_KNOB *alike = NULL;
    for (struct COTTER_KNOB *k = knobs; k; k = k->next) {
        if (k->is_heading || k->is_disabled)
            continue;
        if (!strcmp(k->name, name))
            return k;
        if (!alike && is_same_name(k->name, name))
            alike = k;
    }
    return alike;
}

/* ---- values ---- */
BOOL COTTER_SetText(struct COTTER_KNOB *k, const char *text) { return *(const char **)k->value = text, TRUE; }

BOOL COTTER_SetNumber(struct COTTER_KNOB *k, const char *text)
{
    char *end;
    errno = 0;
    *(INT64 *)k->value = strtoll(text, &end, 0);
    return *text && !*end && !errno;
}

BOOL COTTER_SetFlag(struct COTTER_KNOB *k, const char *text)
{
    bool off = !strcmp(text, "0") || !strcasecmp(text, "false"), on = !strcmp(text, "1") || !strcasecmp(text, "true");
    *(BOOL *)k->value = on;
    return on || off;
}

/* ---- the summary ---- */
struct text { char *at; size_t n, room; };

static void append(struct text *t, const char *s, size_t n)
{
    if (t->n + n + 1 > t->room) {
        t->room = (t->n + n + 1) * 2;
        t->at = realloc(t->at, t->room);
    }
    memcpy(t->at + t->n, s, n);
    t->n += n;
    t->at[t->n] = 0;
}

static void append_line(struct text *t, const struct COTTER_KNOB *k)
{
    char line[1024];
    int n = k->is_heading ? snprintf(line, sizeof line, "%s\n", k->purpose)
                          : snprintf(line, sizeof line, "-%s  [default %s]\n\t%s\n", k->name, k->dflt, k->purpose);
    append(t, line, (size_t)MIN(n, (int)sizeof line - 1));
}

const char *COTTER_KnobSummary(VOID)
{
    static struct text t;
    t.n = 0;
    append(&t, "", 0);
    for (struct COTTER_KNOB *k = knobs; k; k = k->next)
        if (!k->is_disabled)
            append_line(&t, k);
    return t.at;
}

/* ---- parsing ---- */
static bool set(struct COTTER_KNOB *k, const char *text)
{
    bool ok = k->set(k, text);
    k->is_set = TRUE;
    return ok;
}

static bool is_boolean(const char *w)
{
    return !strcmp(w, "0") || !strcmp(w, "1") || !strcasecmp(w, "true") || !strcasecmp(w, "false");
}

static const char *const ignored[] = { "slow_asserts", "short_name", "support_jit_api", "xyzzy", "discard_line_info_all" };
static const char *const ignored_with_value[] = { "mesgon", "mesgoff", "symbol_path", "discard_line_info", "dwarf_file" };

/* Where messages go: LOG's, and errors instead of stderr. */
static const char *log_file = "pintool.log", *error_file;
static bool log_is_unique, error_is_unique;

static FILE *open_messages(const char *name, bool is_unique)
{
    char own[4096];
    snprintf(own, sizeof own, is_unique ? "%s.%d" : "%s", name, PIN_GetPid());
    return fopen(own, "w");
}

/* Opened when first written to; NULL: it cannot be. */
FILE *COTTER_LogFile(VOID)
{
    static FILE *f;
    return f ? f : (f = open_messages(log_file, log_is_unique));
}

FILE *COTTER_ErrorFile(VOID)
{
    static FILE *f;
    if (!f && error_file)
        f = open_messages(error_file, error_is_unique);
    return f ? f : stderr;
}

/* How many words it takes; 0: it is none of these. */
static int message_switch(int left, char **word, const char *name)
{
    bool has_value = left > 1;
    if (!strcmp(name, "unique_logfile"))
        return log_is_unique = true, 1;
    if (!strcmp(name, "unique_error_file"))
        return error_is_unique = true, 1;
    if (!strcmp(name, "logfile") && has_value)
        return log_file = word[1], 2;
    if (!strcmp(name, "error_file") && has_value)
        return error_file = word[1], 2;
    return 0;
}

static bool is_one_of(const char *name, const char *const *list, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (!strcmp(name, list[i]))
            return true;
    return false;
}

/* Switches that every tool understands, whether they mean something here or not. */
static int standard_switch(int left, char **word, const char *name)
{
    int used = message_switch(left, word, name);
    if (!used)
        used = debug_switch(left, word, name);
    if (used)
        return used;
    if (is_one_of(name, ignored, ARRAY_LEN(ignored)))
        return 1;
    return left > 1 && is_one_of(name, ignored_with_value, ARRAY_LEN(ignored_with_value)) ? 2 : 0;
}

/* The knob that is meant by --name=VALUE, and its value. */
static struct COTTER_KNOB *find_with_value(const char *name, const char **value)
{
    char own[128];
    const char *equals = strchr(name, '=');
    if (!equals || (size_t)(equals - name) >= sizeof own)
        return NULL;
    snprintf(own, sizeof own, "%.*s", (int)(equals - name), name);
    *value = equals + 1;
    return find(own);
}

static const char *wanted(const struct COTTER_KNOB *k)
{
    return k->set == COTTER_SetNumber ? " (a number is wanted)" : k->set == COTTER_SetFlag ? " (0 or 1 is wanted)" : "";
}

/* Returns how many words were used, 0 on error. */
static int set_from(struct COTTER_KNOB *k, const char *value, int used)
{
    if (set(k, value))
        return used;
    fprintf(stderr, "cotter: -%s: bad value '%s'%s\n", k->name, value, wanted(k));
    return 0;
}

/* -name VALUE or --name=VALUE; a flag may stand alone. Returns how many words were used, 0 on error. */
static int parse_one(int left, char **word)
{
    const char *name = word[0] + (word[0][0] != '-' ? 0 : word[0][1] == '-' ? 2 : 1), *value;
    struct COTTER_KNOB *k = name > word[0] ? find(name) : NULL;
    int standard = k || name == word[0] ? 0 : standard_switch(left, word, name);
    if (standard)
        return standard;
    if (!k && name > word[0] && (k = find_with_value(name, &value)))
        return set_from(k, value, 1);
    if (!k) {
        fprintf(stderr, "cotter: the tool has no option %s (--help shows those it has; Cotter's own stand before the tool: "
                        "cotter -f run NAME)\n", word[0]);
        return 0;
    }
    bool has_value = left > 1 && strcmp(word[1], "--");
    if (k->is_flag && !(has_value && is_boolean(word[1])))
        return set(k, "1") ? 1 : 0;
    if (!has_value) {
        fprintf(stderr, "cotter: %s wants a value\n", word[0]);
        return 0;
    }
    return set_from(k, word[1], 2);
}

static bool is_help(const char *w) { return !strcmp(w, "-help") || !strcmp(w, "--help") || (!strcmp(w, "-h") && !find("h")); }

static BOOL show_help(void)
{
    const char *summary = COTTER_KnobSummary();
    fprintf(stderr, *summary ? "options of the tool:\n%s" : "the tool has no options\n", summary);
    return TRUE;
}

/* The tool runs by itself: is it asked what it can do? */
BOOL knob_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (is_help(argv[i]))
            return show_help();
    return FALSE;
}

/* cotter -t TOOL [options of the tool] -- PROGRAM ... */
BOOL knob_parse(int argc, char **argv)
{
    int i = 1;
    while (i < argc && strcmp(argv[i], "-t") && strcmp(argv[i], "--"))
        i++;
    if (i < argc && !strcmp(argv[i], "-t"))
        i += 2;
    while (i < argc && strcmp(argv[i], "--")) {
        if (is_help(argv[i]))
            return show_help();
        int used = parse_one(argc - i, argv + i);
        if (!used)
            return TRUE;
        i += used;
    }
    struct COTTER_KNOB *out = find("o");
    if (out && !out->is_set && rt_handoff()->opt.out_file[0])
        set(out, rt_handoff()->opt.out_file);
    return FALSE;
}

/* option_table.c: every option once, from loader/options.def and own.def; finding and setting them. */
#include "launcher/near.h"
#include "launcher/options_int.h"
#include "launcher/say.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct option option_table[] = {
#define AT(field) offsetof(struct options, field)
#define OPT_FLAG(field, name, help)                   {name, KIND_FLAG, AT(WHERE field), NULL, 0, 0, 1, help},
#define OPT_NUM(field, name, arg, dflt, lo, hi, help) {name, KIND_NUM, AT(WHERE field), arg, dflt, lo, hi, help},
#define OPT_TEXT(field, name, arg, help)              {name, KIND_TEXT, AT(WHERE field), arg, 0, 0, 0, help},
#define OPT_ENUM(field, name, words, dflt, help)      {name, KIND_ENUM, AT(WHERE field), words, dflt, 0, 0, help},
#define WHERE engine.
#include "loader/options.def"
#undef WHERE
#define WHERE
#include "launcher/own.def"
};
const size_t option_count = sizeof option_table / sizeof option_table[0];

static void *field(const struct options *o, const struct option *opt)
{
    return (char *)o + opt->offset;
}

uint32_t *option_word(const struct options *o, const struct option *opt) { return field(o, opt); }
uint64_t *option_num(const struct options *o, const struct option *opt) { return field(o, opt); }
char *option_text(const struct options *o, const struct option *opt) { return field(o, opt); }

const struct option *option_find(const char *name, size_t length)
{
    for (size_t i = 0; i < option_count; i++) {
        if (strlen(option_table[i].name) == length && !memcmp(option_table[i].name, name, length))
            return &option_table[i];
    }
    return NULL;
}

const char *option_nearest(const char *name)
{
    static const char *const plain[] = {"help", "version"};
    struct near near = near_to(name);
    for (size_t i = 0; i < option_count; i++)
        near_try(&near, option_table[i].name);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        near_try(&near, plain[i]);
    return near.best;
}

int enum_index(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (int i = 0;; i++) {
        size_t m = strcspn(words, "|");
        if (m == n && !memcmp(words, word, n))
            return i;
        if (!words[m])
            return -1;
        words += m + 1;
    }
}

void enum_word(const char *words, uint32_t index, char *out, size_t room)
{
    for (; index > 0; index--)
        words += strcspn(words, "|") + 1;
    snprintf(out, room, "%.*s", (int)strcspn(words, "|"), words);
}

static void set_number(struct options *o, const struct option *opt, const char *value)
{
    char *end;
    errno = 0;
    uint64_t n = strtoull(value, &end, 0);
    const char *suffixes = "kmg", *suffix = *end ? strchr(suffixes, *end | 0x20) : NULL;
    int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
    end += suffix != NULL;
    if (*value < '0' || *value > '9' || *end || errno || (n << shift) >> shift != n)
        fail(STATUS_FAILED, "--%s wants a number (k, m, g allowed), not '%s'", opt->name, value);
    n <<= shift;
    if (n < opt->lo || n > opt->hi)
        fail(STATUS_FAILED, "--%s must be between %llu and %llu", opt->name, (unsigned long long)opt->lo,
             (unsigned long long)opt->hi);
    *option_num(o, opt) = n;
}

static void check_text(const struct option *opt, const char *value)
{
    char *end;
    if (!value[0])
        fail(STATUS_FAILED, "--%s wants a value: %s", opt->name, opt->arg);
    if (strncmp(opt->arg, "ADDR", 4) || value[0] < '0' || value[0] > '9')
        return;
    errno = 0;
    strtoull(value, &end, 16);
    if (strncmp(value, "0x", 2) || end == value + 2 || *end || errno)
        fail(STATUS_FAILED, "--%s wants an address as 0x and hexadecimal digits, not '%s'", opt->name, value);
}

/* Files are named relative to where the user stands; the program may go elsewhere before they are opened. */
static void set_text(struct options *o, const struct option *opt, const char *value)
{
    char where[PATH_MAX] = "";
    check_text(opt, value);
    if (!strcmp(opt->arg, "FILE") && value[0] != '/' && getcwd(where, sizeof where - 1))
        strcat(where, "/");
    int n = snprintf(option_text(o, opt), OPT_PATH_MAX, "%s%s", where, value);
    if (n >= OPT_PATH_MAX)
        fail(STATUS_FAILED, "the value of --%s is too long", opt->name);
}

static void set_enum(struct options *o, const struct option *opt, const char *value)
{
    int index = enum_index(opt->arg, value);
    if (index < 0)
        fail(STATUS_FAILED, "--%s wants one of %s, not '%s'", opt->name, opt->arg, value);
    *option_word(o, opt) = (uint32_t)index;
}

static void set_flag(struct options *o, const struct option *opt, const char *value)
{
    int on = enum_index("0|1|off|on|no|yes", value);
    if (on < 0)
        fail(STATUS_FAILED, "--%s is a switch: it takes no value", opt->name);
    *option_word(o, opt) = on & 1;
}

void option_set(struct options *o, const struct option *opt, const char *value)
{
    switch (opt->kind) {
    case KIND_FLAG: set_flag(o, opt, value); break;
    case KIND_NUM: set_number(o, opt, value); break;
    case KIND_TEXT: set_text(o, opt, value); break;
    case KIND_ENUM: set_enum(o, opt, value); break;
    }
}

void option_defaults(struct options *o)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option *opt = &option_table[i];
        if (opt->kind == KIND_NUM)
            *option_num(o, opt) = opt->dflt;
        else if (opt->kind == KIND_ENUM)
            *option_word(o, opt) = (uint32_t)opt->dflt;
    }
}

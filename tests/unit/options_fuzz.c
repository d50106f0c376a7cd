/* options_fuzz.c: random command lines. What is accepted, is written as a followed child gets it, and read again: the
 * same options must come out. options_fuzz SECONDS SEED */
#include "launch_fuzz.h"
#include "launcher/options_int.h"

enum { MAX_ARGS = 12, MAX_LEN = 48, BIG = 3000 };

static const char *const words[] = {
    "-t", "--tool", "--", "run", "-f", "-q", "-v", "-vvv", "-o", "--exec-as", "tool", "=", "on", "off", "text", "json",
    "0", "1", "-1", " 5", "0x10", "4k", "4K", "1g", "99999999999999999999", "0777", "k", "", "-", "%p", "a/b",
    "auto", "hash", "--=", "--stats", "--help", "\xff\xfe",
};

static char *put(char *at, const char *end, const char *text)
{
    while (*text && at < end)
        *at++ = *text++;
    *at = 0;
    return at;
}

/* A whole option, often a good one. */
static void random_option(char *to, const char *end)
{
    const struct option *opt = &option_table[below((unsigned)option_count)];
    char number[40] = "", *at = put(put(to, end, "--"), end, opt->name);
    if (!below(3))
        return;
    at = put(at, end, "=");
    if (opt->kind == KIND_NUM && below(3))
        snprintf(number, sizeof number, "%llu", (unsigned long long)opt->lo + below(70000));
    else if (opt->kind == KIND_ENUM && below(3))
        enum_word(opt->arg, below(2), number, sizeof number);
    put(at, end, *number ? number : words[below(sizeof words / sizeof words[0])]);
}

static void damage(char *s)
{
    size_t n = strlen(s);
    if (n && !below(6))
        s[below((unsigned)n)] = (char)(1 + below(255));
}

static char *random_argument(void)
{
    static char text[BIG];
    switch (below(4)) {
    case 0: put(text, text + MAX_LEN, words[below(sizeof words / sizeof words[0])]); break;
    case 1:
        memset(text, 'x', BIG - 1);
        text[below(below(50) ? MAX_LEN : BIG)] = 0;
        break;
    default: random_option(text, text + MAX_LEN);
    }
    damage(text);
    return strdup(text);                    /* ends where its memory ends */
}

static bool is_same(const struct options *a, const struct options *b, const struct option *opt)
{
    switch (opt->kind) {
    case KIND_NUM: return *option_num(a, opt) == *option_num(b, opt);
    case KIND_TEXT: return !strcmp(option_text(a, opt), option_text(b, opt));
    default: return *option_word(a, opt) == *option_word(b, opt);
    }
}

static void check_same(const struct options *a, const struct options *b)
{
    for (size_t i = 0; i < option_count; i++)
        if (!is_same(a, b, &option_table[i])) {
            printf("--%s changes when it is written and read again\n", option_table[i].name);
            CHECK(!"the same options");
        }
}

static void check_round_trip(const struct options *o)
{
    static struct options again;
    static char text[65536];
    char *args[200];
    uint32_t n = 0;
    size_t used = options_write(o, text, sizeof text, &n), size = 1 + below(400);
    char *at = text;
    for (uint32_t i = 0; i < n; i++, at += strlen(at) + 1)
        args[i] = at;
    CHECK(at == text + used);
    memcpy(args + n, (char *[]){ "-t", "tool", "--", "program" }, 4 * sizeof *args);     /* as a followed child's */
    if (setjmp(failed))
        CHECK(!"what was written can be read");
    options_parse(&again, (int)n + 4, args);
    check_same(&again, o);
    char *small = malloc(size);                                     /* too small: says so, writes no further */
    n = 0;
    CHECK(options_write(o, small, size, &n) <= size);
    free(small);
}

static void once(void *unused)
{
    static struct options o;
    static char *args[MAX_ARGS + 1];
    static volatile int n;
    for (int i = 0; i < n; i++)
        free(args[i]);
    n = (int)below(MAX_ARGS);
    for (int i = 0; i < n; i++)
        args[i] = random_argument();
    if (n > 2 && below(2))
        strcpy(args[n - 2], args[n - 2][0] && args[n - 2][1] ? "--" : "");
    args[n] = NULL;
    if (setjmp(failed))
        return;
    options_parse(&o, n, args);
    CHECK(o.argc >= 0 && o.argc <= n && (!o.argc || o.argv[o.argc - 1] == args[n - 1]));
    n_passed++;
    check_round_trip(&o);
}

static bool is_accepted(char *option)
{
    static struct options o;
    char *args[] = { option, "-t", "tool", "--", "program" };
    if (setjmp(failed))
        return false;
    options_parse(&o, 5, args);
    return true;
}

static void check_known(void)
{
    CHECK(is_accepted("--random-layout=5") && is_accepted("--random-layout=0x5k"));
    CHECK(!is_accepted("--random-layout=-5") && !is_accepted("--random-layout= -5"));
    CHECK(!is_accepted("--random-layout=") && !is_accepted("--random-layout=k") && !is_accepted("--random-layout=5kk"));
}

int main(int argc, char **argv)
{
    check_known();
    return fuzz_for(atof(argv[1]), (unsigned)atoi(argv[2]), once, NULL);
}

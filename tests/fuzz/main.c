/* main.c: the fuzzer's command line.
 *   fuzz --seed S --count N [--only K] [--verbose]     make cases and run them
 *   fuzz --seed S --count N --save FILE                make them only
 *   fuzz --load FILE [--only K] [--nop I,J,...]        run those of a file; with some instructions made nops
 *   fuzz --load FILE --only K --repeat N               run one N times: what differs only when code is already cached
 *   fuzz --load FILE --from K                          run those from K on
 *   fuzz --kinds                                       how many kinds of instructions there are to choose from
 * Each case prints one line that digests its whole final state. */
#include "fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *why, const char *what)
{
    fprintf(stderr, "fuzz: %s %s\n", why, what);
    exit(2);
}

static struct fuzz_case *make(u64 seed, u32 count, int only)
{
    struct fuzz_case *list = calloc(count, sizeof *list);
    gen_start(seed);
    for (u32 i = 0; i < count; i++) {
        if (only < 0 || only == (int)i)
            gen_case(&list[i], seed, i);
        list[i].number = i;
    }
    return list;
}

static void save(const char *path, u64 seed, const struct fuzz_case *list, u32 count)
{
    struct fuzz_file head = {FUZZ_MAGIC, seed, count, 0};
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(&head, sizeof head, 1, f) != 1 || fwrite(list, sizeof *list, count, f) != count || fclose(f) != 0)
        fail("cannot write", path);
}

static struct fuzz_case *load(const char *path, u32 *count)
{
    struct fuzz_file head;
    FILE *f = fopen(path, "rb");
    if (!f || fread(&head, sizeof head, 1, f) != 1 || memcmp(head.magic, FUZZ_MAGIC, 8) != 0)
        fail("not a file of cases:", path);
    struct fuzz_case *list = malloc((size_t)head.count * sizeof *list);
    if (fread(list, sizeof *list, head.count, f) != head.count)
        fail("cut short:", path);
    fclose(f);
    *count = head.count;
    return list;
}

static void make_nops(struct fuzz_case *c, const char *list)
{
    for (const char *p = list; *p; p += strspn(p, ",")) {
        int i = (int)strtol(p, (char **)&p, 10);
        if (i < 0 || i >= c->n_insns)
            fail("no such instruction:", list);
        u16 end = i + 1 < c->n_insns ? c->at[i + 1] : c->len;
        memset(c->code + c->at[i], 0x90, (size_t)(end - c->at[i]));
    }
}

int main(int argc, char **argv)
{
    u64 seed = 1;
    u32 count = 1000, from = 0, repeat = 1;
    int only = -1;
    bool verbose = false, code = false;
    const char *save_to = NULL, *load_from = NULL, *nops = NULL;
    if (argc > 1 && !strcmp(argv[1], "--kinds")) {
        gen_start(1);
        gen_kinds();
        return 0;
    }
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(a, "--verbose"))
            verbose = true;
        else if (!strcmp(a, "--code"))
            code = true;
        else if (!strcmp(a, "--seed"))
            seed = strtoull(v, NULL, 0), i++;
        else if (!strcmp(a, "--count"))
            count = (u32)strtoul(v, NULL, 0), i++;
        else if (!strcmp(a, "--only"))
            only = atoi(v), i++;
        else if (!strcmp(a, "--from"))
            from = (u32)strtoul(v, NULL, 0), i++;
        else if (!strcmp(a, "--repeat"))
            repeat = (u32)strtoul(v, NULL, 0), i++;
        else if (!strcmp(a, "--save"))
            save_to = v, i++;
        else if (!strcmp(a, "--load"))
            load_from = v, i++;
        else if (!strcmp(a, "--nop"))
            nops = v, i++;
        else
            fail("unknown option", a);
    }
    struct fuzz_case *list = load_from ? load(load_from, &count) : make(seed, count, only);
    if (only >= (int)count)
        fail("no such case:", load_from ? load_from : "--only");
    if (save_to) {
        save(save_to, seed, list, count);
        return 0;
    }
    if (nops && only >= 0)
        make_nops(&list[only], nops);
    if ((verbose || code) && only >= 0)
        gen_print(&list[only]);
    if (code)
        return 0;
    setvbuf(stdout, NULL, _IOLBF, 0);                 /* what was printed before a crash tells where it was */
    exec_start();
    for (u32 i = 0; i < count; i += SLOTS)
        if (i + SLOTS > from && (only < 0 || (u32)only / SLOTS == i / SLOTS))
            exec_batch(list + i, count - i < SLOTS ? count - i : SLOTS, from, only, repeat, verbose);
    return 0;
}

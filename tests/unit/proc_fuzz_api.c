/* proc_fuzz_api.c: as proc_fuzz.c, for what tools' calls and probe mode read from /proc: maps, auxv, the folder of threads. Each
 * reader is a part of its own, since the files have names in common. Built with the sanitizers. */
#include <stdio.h>
#include <stdlib.h>
FILE *damaged_stream(void);
long damaged_call(long nr, long a, long b, long c, long d, long e, long f);
unsigned any_below(unsigned n);

#if PART == 1                                   /* the images of a process that is attached to */
#define fopen(path, mode) damaged_stream()
#include "api/img_attach.c"
void ask_1(void)
{
    struct mapping *list = read_mappings();
    for (struct mapping *m = list; m; m = m->next)
        if (m->path[0] != '/' || path_at(list, m->lo) == NULL)
            if (m->lo < m->hi)
                abort();
    forget(list);
}
bool mem_is_private(addr_t lo, addr_t hi) { return lo < PRIV_HI && hi > PRIV_LO; }
bool sound_1(void *p)
{
    struct mapping *list = read_mappings();
    bool is = path_at(list, (addr_t)p) != NULL;
    forget(list);
    return is;
}
void image_note(const char *path, addr_t at, u64 offset, u32 how) { }

#elif PART == 2                                 /* the images in probe mode */
#define fopen(path, mode) damaged_stream()
#include "api/probe_images.c"
void ask_2(void)
{
    struct line *lines;
    u32 n = read_code(&lines);
    for (u32 i = 0; i < n; i++)
        if (!lines[i].is_code || lines[i].path[0] != '/')
            abort();
    free(lines);
}
bool sound_2(void *p)
{
    struct line *lines;
    bool is = false;
    for (u32 i = 0, n = read_code(&lines); i < n; i++)
        is |= (addr_t)p >= lines[i].lo && (addr_t)p < lines[i].hi;
    free(lines);
    return is;
}

#elif PART == 3                                 /* PIN_CheckWriteAccess */
#define fopen(path, mode) damaged_stream()
#include "api/memory.c"
void ask_3(void) { PIN_CheckWriteAccess((VOID *)((ADDRINT)any_below(1u << 31) << any_below(30))); }
bool sound_3(void *p) { return PIN_CheckWriteAccess(&p) && !PIN_CheckWriteAccess(p); }
u32 mem_exec_prot(addr_t at) { return 0; }

#elif PART == 4                                 /* PIN_GetAuxVectorValue */
#define fopen(path, mode) damaged_stream()
#include "api/start.c"
void ask_4(void)
{
    BOOL found;
    PIN_GetAuxVectorValue(any_below(60), &found);
}

#elif PART == 5                                 /* what probe mode asks about mappings */
#include "base/sys.h"
#define sys_raw6 damaged_call
#include "probe/space.c"
void ask_5(void)
{
    struct mapping m;
    addr_t at = (addr_t)any_below(1u << 31) << any_below(30);
    if (space_find(at, &m) && (at < m.lo || at >= m.hi))
        abort();
    space_is_code(at, at + 100000);
    probe_mapping_end(at);
}
bool sound_5(void *p) { return space_is_code((addr_t)p, (addr_t)p + 1) && !space_is_code((addr_t)&p, (addr_t)&p + 1); }

#elif PART == 6                                 /* its threads */
#include "base/sys.h"
#define sys_raw6 damaged_call
#include "probe/stop.c"
void ask_6(void) { stop_is_alone(); }

#else
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <stdbool.h>
#include <time.h>

unsigned any_below(unsigned n) { return (unsigned)rand() % n; }
#define below any_below

static char text[1 << 16];
static size_t size, at;
FILE *damaged_stream(void) { return fmemopen(text, size ? size : 1, "r"); }

/* The kernel gives whole entries; a name in them may be anything. */
static long damaged_entries(char *to, size_t room)
{
    size_t n = 0;
    for (unsigned k = below(6); k; k--) {
        size_t len = 24 + below(60) / 8 * 8;
        if (n + len > room)
            break;
        for (size_t i = 0; i < len; i++)
            to[n + i] = below(2) ? (char)('0' + below(10)) : (char)any_below(256);
        to[n + len - 1] = 0;
        memcpy(to + n + 16, &(unsigned short){(unsigned short)len}, 2);
        n += len;
    }
    return (long)n;
}

long damaged_call(long nr, long a, long b, long c, long d, long e, long f)
{
    switch (nr) {
    case SYS_openat: at = 0; return 99;
    case SYS_getdents64: return below(3) ? damaged_entries((char *)b, (size_t)c) : 0;
    case SYS_read: {
        size_t n = (size_t)c < size - at ? (size_t)c : size - at;
        if (n && !below(4))
            n = 1 + below((unsigned)n);
        memcpy((void *)b, text + at, n);
        at += n;
        return (long)n;
    }
    }
    return 0;
}

static void load(const char *path)
{
    FILE *f = fopen(path, "r");
    size = f ? fread(text, 1, sizeof text / 2, f) : 0;
    if (f)
        fclose(f);
}

static void damage(void)
{
    static const char odd[] = "\n\n -:/0f\0x\xff)(\t9";
    for (unsigned n = below(12); n && size > 2; n--) {
        size_t i = below((unsigned)size), len = below(20000);
        switch (below(4)) {
        case 0: text[i] = odd[below(sizeof odd - 1)]; break;
        case 1: text[i] = (char)any_below(256); break;
        case 2: size = i + 1; break;
        case 3:                                         /* a long one */
            if (size + len < sizeof text) {
                memmove(text + i + len, text + i, size - i);
                memset(text + i, odd[below(sizeof odd - 1)], len);
                size += len;
            }
            break;
        }
    }
}

void ask_1(void), ask_2(void), ask_3(void), ask_4(void), ask_5(void), ask_6(void);
bool sound_1(void *), sound_2(void *), sound_3(void *), sound_5(void *);
int main(int argc, char **argv)
{
    static void (*const ask[])(void) = {ask_1, ask_2, ask_3, ask_4, ask_5, ask_6};
    time_t end = time(NULL) + atoi(argv[1]);
    unsigned long n = 0;
    load("/proc/self/maps");                            /* what is not damaged is read right */
    if (!sound_1(main) || !sound_2(main) || !sound_3(main) || !sound_5(main))
        return printf("the program is not where it is: %d %d %d %d\n", sound_1(main), sound_2(main), sound_3(main), sound_5(main)), 1;
    for (srand((unsigned)atoi(argv[2])); time(NULL) < end; n++) {
        load(below(3) ? "/proc/self/maps" : "/proc/self/auxv");
        damage();
        for (unsigned i = 0; i < sizeof ask / sizeof *ask; i++)
            ask[i]();
    }
    printf("%lu read\n", n);
    return n < 10;
}
#endif

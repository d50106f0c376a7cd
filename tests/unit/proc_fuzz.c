/* proc_fuzz.c: what is read from /proc, damaged. The parsers are those of the engine (maps, status) and of the launcher
 * (status, stat, maps, auxv, syscall); every file that they open is the one that was made up. Built with the sanitizers.
 *
 *   proc_fuzz SECONDS SEED */
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "launch_fuzz.h"

/* ---- the file ---- */
static char text[1 << 16];
static size_t size, at;
static FILE *as_stream(void) { return fmemopen(text, size ? size : 1, "r"); }

/* In pieces of any length, as a pipe would give it. */
static long as_read(void *to, size_t n)
{
    n = n < size - at ? n : size - at;
    if (n && !below(4))
        n = 1 + below((unsigned)n);
    memcpy(to, text + at, n);
    at += n;
    return (long)n;
}

/* ---- the engine's ---- */
#include "base/sys.h"
static long fake_call(long nr, long a, long b, long c, long d, long e, long f)
{
    if (nr == __NR_openat)
        at = 0;
    return nr == __NR_openat ? 99 : nr == __NR_read ? as_read((void *)b, (size_t)c) : 0;
}
#define sys_raw6 fake_call
#include "engine/emulate/memory.c"
#define find find_view
#define take_line take_view
#include "engine/emulate/views.c"
#undef find
#undef take_line
#include "engine/emulate/tracer.c"
void ct_fatal(const char *fmt, ...) { abort(); }
void lock_take(struct lock *l) { }
void lock_drop(struct lock *l) { }
bool lock_died_with(const struct lock *l, u32 tid) { return false; }
void lock_inherit(struct lock *l) { }
bool smc_is_own_file(u64 inode) { return inode & 1; }
void *heap_alloc(size_t n) { return calloc(1, n); }
void heap_free(void *p, size_t n) { free(p); }
void cache_lock_take(void) { }
void cache_lock_drop(void) { }
u32 cache_invalidate(addr_t lo, addr_t hi) { return 0; }
bool smc_is_watching(void) { return below(2); }
u32 smc_given_prot(addr_t page, u32 prot) { return prot ^ (page >> 12 & 2); }
void smc_forget(addr_t lo, addr_t hi) { }
void smc_release(addr_t lo, addr_t hi) { }
bool arch_is_canonical(addr_t a) { return (s64)(a << 16) >> 16 == (s64)a; }
bool arch_is_kernel_half(addr_t a) { return a >> 63; }
bool mem_copy_safely(void *to, const void *from, size_t n) { return false; }
static u64 seen;
static void view(addr_t v, u32 prot) { seen += v ^ prot; }
static bool is_odd(u64 inode) { return inode & 1; }

static void check_order(const struct set *s)
{
    for (u32 i = 1; i < s->n; i++)
        CHECK(s->r[i - 1].hi <= s->r[i].lo && s->r[i].lo < s->r[i].hi);
}

static void ask_engine(void)
{
    struct fetch_fault fault;
    code.n = files.n = 0;
    views_change();
    mem_init();
    check_order(&code);
    check_order(&files);
    for (int i = 0; i < 4; i++) {
        addr_t a = code.n && below(2) ? code.r[below(code.n)].lo : (addr_t)below(1u << 31) << below(30);
        mem_exec_end(a, &fault);
        mem_learn_prot(a);
        views_each(a, view);
        views_inode(a);
        views_any_file(a, a + below(1 << 20), is_odd);
        views_change_in(a, a + below(1 << 20));
        mem_file_end(a);
    }
    tracer_init(false);
    tracer_is_there();
}

/* ---- the launcher's ---- */
#define open(path, ...) (at = 0, (void)(path), 98)
#define read(fd, to, n) as_read(to, n)
#define close(fd) ((void)(fd), 0)
#define fopen(path, mode) ((void)(path), as_stream())
#define find launcher_find
#define drop launcher_drop
#define kill(pid, sig) 0
#include "launcher/target.c"
#include "launcher/tracee.c"
#include "launcher/remote.c"
#include "launcher/incall.c"

static void ask_launcher(void)
{
    static Elf64_auxv_t auxv[16];
    pid_t pid = (pid_t)below(100000) + 2;
    target_read_auxv(pid, auxv, sizeof auxv);
    target_is_under_cotter(pid);
    target_is_stopped(pid);
    is_kernel_thread(pid);
    status_number(pid, "TracerPid");
    local_tid(pid, pid + 1);
    remote_is_alive(pid, pid);
    remote_face(pid);
    is_deaf(pid, pid);
    check_kind(pid);
}

/* ---- damage ---- */
static const char *const seeds[] = {"/proc/self/maps", "/proc/self/status", "/proc/self/stat", "/proc/self/auxv"};
static void load(const char *path)
{
#undef fopen
    FILE *f = fopen(path, "r");
    size = f ? fread(text, 1, sizeof text / 2, f) : 0;
    if (f)
        fclose(f);
}

static void damage(void)
{
    static const char odd[] = "\n\n -:/0f\0x\xff)(\t9";
    for (unsigned n = below(12); n && size > 2; n--) {
        size_t i = below((unsigned)size), len = 1 + below(60);
        switch (below(5)) {
        case 0: text[i] = odd[below(sizeof odd - 1)]; break;
        case 1: text[i] = (char)below(256); break;
        case 2: size = i + 1; break;
        case 3:                                         /* without a piece */
            len = len < size - i ? len : size - i - 1;
            memmove(text + i, text + i + len, size - i - len);
            size -= len;
            break;
        case 4:                                         /* a long one */
            len = below(20000);
            if (size + len < sizeof text) {
                memmove(text + i + len, text + i, size - i);
                memset(text + i, odd[below(sizeof odd - 1)], len);
                size += len;
            }
            break;
        }
    }
}

static void once(void *unused)
{
    load(seeds[below(sizeof seeds / sizeof *seeds)]);
    damage();
    ask_engine();
    if (!setjmp(failed))
        ask_launcher();
    n_passed++;
}

int main(int argc, char **argv) { return fuzz_for(atof(argv[1]), (unsigned)atoi(argv[2]), once, NULL); }

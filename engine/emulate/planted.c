/* planted.c: see planted.h. Only traps are looked at, which hardly any program runs into: the cost does not matter. */
#include "engine/emulate/planted.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/emulate/memory_int.h"
#include "engine/emulate/tracer.h"
#include "engine/engine.h"
#include "engine/log.h"

struct source { addr_t pc; u64 offset; char path[OPT_PATH_MAX]; };      /* no path: none was found */

static bool find_source(const char *line, void *arg)
{
    struct source *s = arg;
    struct file_place at;
    u64 lo, hi;
    const char *name = mem_parse_mapping(line, &lo, &hi, &at) ? strchr(line, '/') : NULL;
    if (!name || s->pc < lo || s->pc >= hi)
        return false;
    s->offset = at.offset + (s->pc - lo);
    ct_format(s->path, sizeof s->path, "%s", name);
    return true;
}

/* A file that is not there any more ("... (deleted)") cannot be opened: then nothing is known. */
static bool read_file(addr_t pc, u8 *to, u32 n)
{
    struct source s = { .pc = pc };
    mem_each_mapping(find_source, &s);
    long fd = s.path[0] ? sys4(__NR_openat, -100, s.path, 02000000, 0) : -E_NOENT;
    if (sys_failed(fd))
        return false;
    bool ok = sys4(__NR_pread64, fd, to, n, s.offset) == (long)n;
    sys1(__NR_close, fd);
    return ok;
}

static void tell(addr_t pc)
{
    static u32 has_told;
    if (!opt->quiet && !__atomic_exchange_n(&has_told, 1, __ATOMIC_RELAXED))
        ct_print(log_stderr(), "cotter: a debugger's breakpoint at 0x%lx is left out: the program runs in Cotter's code cache, where the "
                 "debugger cannot find it; -appdebug lets it\n", pc);
}

bool planted_over(addr_t pc, const u8 *now, u8 *original, u32 n)
{
    if (!mem_is_file(pc, pc + n) || !tracer_is_there() || !read_file(pc, original, n) || !memcmp(now, original, n))
        return false;
    tell(pc);
    return true;
}

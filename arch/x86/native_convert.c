/* native_convert.c: code of the planted ELF, from FS to GS.
 *
 * A linear sweep: compilers put no data between instructions on x86-64, and after a byte that is no instruction the sweep
 * is in step again soon. tests/unit/convert.sh compares with objdump. */
#include "arch/native.h"
#include "arch/x86/decode.h"

extern const u8 x86_native_lo[], x86_native_hi[];

static bool is_fs_access(const struct x86_insn *x) { return x->kind == X86_FSGSBASE && !(x->modrm >> 3 & 1); }

/* The segment prefix is one byte of the prefixes in front of the opcode; the last one counts. */
static void change_prefix(u8 *p, const struct x86_insn *x)
{
    for (u32 i = x->opcode_off; i-- > 0;)
        if (p[i] == 0x64) {
            p[i] = 0x65;
            return;
        }
}

u32 arch_native_convert(addr_t lo, addr_t hi)
{
    u32 n = 0;
    struct x86_insn x;
    for (addr_t at = lo; at < hi; at += x.len ? x.len : 1) {
        bool ok = x86_decode((u8 *)at, (u32)MIN(hi - at, 64ul), &x);         /* with few bytes it is slow */
        bool is_native = at >= (addr_t)x86_native_lo && at < (addr_t)x86_native_hi;
        if (!ok || is_native)
            continue;
        if (x.seg == X86_SEG_FS)
            change_prefix((u8 *)at, &x), n++;
        else if (is_fs_access(&x))
            *(u8 *)(at + x.modrm_off) |= 8, n++;        /* rdfsbase to rdgsbase, wrfsbase to wrgsbase */
    }
    return n;
}

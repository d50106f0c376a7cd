/* skim.c: how far does code go that can be copied as it is?
 *
 * Most instructions are that, and without a tool nobody asks what they do: their lengths will do. An instruction's length follows from
 * its opcode, one bit and three more of modrm (memory or register, modrm.reg), and the addressing bytes. What the first of these come to
 * is its shape, which is asked of the decoder once and kept: so there is one truth, and no table to be written beside it.
 *
 *  (1) What has a shape is copied as it is wherever the decoder and insn.c say so; anything doubtful has none.
 *  (2) Such code does not name r11, whose owner is a matter of the whole trace (r11.h). */
#include "arch/arch.h"
#include "arch/x86/decode.h"

enum { MAP_ONE, MAP_TWO, MAP_66, MAP_F3, MAP_F2, N_MAPS };        /* one byte; 0f without a prefix, and with each of them */
enum { KNOWN = 0x80, FITS = 0x40, HAS_MODRM = 0x20, WIDE = 0x10, IMM_LEN = 0x0f };  /* WIDE: four bytes more with REX.W */
enum { FORMS = 16, IS_REGISTER = 8 };
static u8 shapes[N_MAPS][256][FORMS];

/* Those that need a second look (insn.c), and those of which modrm.rm is a part. */
static bool is_odd(u32 map, u8 op)
{
    if (map != MAP_ONE)
        return op == 0x01 || op == 0xa6 || op == 0xa7 || op == 0xae || op == 0xc7;
    return op == 0x9d || (op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf) || (op >= 0xd8 && op <= 0xdf);
}
static bool is_odd_form(u32 map, u8 op, u32 form) { return map == MAP_ONE && (op == 0xc6 || op == 0xc7) && (form & 7) == 7; }

/* An instruction of this opcode and form, without a SIB byte or displacement. */
static bool decode_sample(u32 map, u8 op, u32 form, bool is_wide, struct x86_insn *x)
{
    static const u8 prefix[N_MAPS] = { [MAP_66] = 0x66, [MAP_F3] = 0xf3, [MAP_F2] = 0xf2 };
    u8 code[X86_WINDOW] = { 0 };
    u32 n = 0;
    if (prefix[map])
        code[n++] = prefix[map];
    if (is_wide)
        code[n++] = 0x48;
    if (map != MAP_ONE)
        code[n++] = 0x0f;
    code[n++] = op;
    code[n] = (u8)((form & IS_REGISTER ? 0xc0 : 0) | (form & 7) << 3);
    bool ok = x86_decode_padded(code, sizeof code, x) && x->kind == X86_PLAIN && x->enc == X86_ENC_LEGACY;
    return ok && x->opcode == op && x->opcode_off == n - 1 && x->len == n + x->has_modrm + x->imm_size;
}

static u8 shape_of(u32 map, u8 op, u32 form)
{
    struct x86_insn x, wide;
    if (is_odd(map, op) || is_odd_form(map, op, form) || !decode_sample(map, op, form, false, &x) ||
        !decode_sample(map, op, form, true, &wide))
        return KNOWN;
    return (u8)(KNOWN | FITS | (x.has_modrm ? HAS_MODRM : 0) | (wide.imm_size > x.imm_size ? WIDE : 0) | x.imm_size);
}

/* What modrm says of the bytes behind it: how many; whether the first is a SIB byte that may mean four more; whether the operand is
 * relative to rip. */
enum { TAIL_LEN = 7, MAYBE_FOUR = 8, HAS_SIB = 16, BY_RIP = 32 };
#define TAIL0 0, 0, 0, 0, 1 | HAS_SIB | MAYBE_FOUR, 4 | BY_RIP, 0, 0
#define TAIL1 1, 1, 1, 1, 2 | HAS_SIB, 1, 1, 1
#define TAIL2 4, 4, 4, 4, 5 | HAS_SIB, 4, 4, 4
#define TIMES8(t) t, t, t, t, t, t, t, t
static const u8 tails[256] = { TIMES8(TAIL0), TIMES8(TAIL1), TIMES8(TAIL2) };

/* Of the instruction at p; 0: it has no shape. New code is all surprises, so there are few branches. */
static inline u32 length(const u8 *p)
{
    u64 w;
    __builtin_memcpy(&w, p, sizeof w);
    u32 map = MAP_ONE, off = 0;
    if (UNLIKELY((u8)w == 0x66 || (w & 0xfe) == 0xf2)) {
        map = (u8)w == 0x66 ? MAP_66 : (u8)w == 0xf3 ? MAP_F3 : MAP_F2;
        w >>= 8;
        off = 1;
    }
    u32 has_rex = (w & 0xf0) == 0x40, rex = has_rex ? (u8)w : 0;
    w >>= 8 * has_rex;
    u32 is_two = (u8)w == 0x0f;
    w >>= 8 * is_two;
    off += has_rex + is_two + 1;
    if (UNLIKELY(map != MAP_ONE && !is_two))
        return 0;
    map = map == MAP_ONE ? is_two : map;
    u32 op = (u8)w, modrm = (u8)(w >> 8), form = (modrm >= 0xc0) << 3 | (modrm >> 3 & 7);
    u8 *known = &shapes[map][op][form], shape = *known;
    if (UNLIKELY(!shape))
        *known = shape = shape_of(map, (u8)op, form);
    u32 has_modrm = shape & HAS_MODRM ? 0xff : 0, tail = tails[modrm] & has_modrm, sib = tail & HAS_SIB ? (u8)(w >> 16) : 0;
    if (!(shape & FITS) || tail & BY_RIP)
        return 0;
    u32 low = has_modrm ? modrm : op;             /* as x86_may_name_r11 */
    u32 b = (low & 7) == 3 || (sib & 7) == 3, x = (sib >> 3 & 7) == 3, r = (modrm & has_modrm & 0x38) == 3 << 3;
    if (rex & (b | x << 1 | r << 2))
        return 0;
    off += (has_modrm & 1) + (tail & TAIL_LEN) + (tail & MAYBE_FOUR && (sib & 7) == 5 ? 4 : 0);
    return off + (shape & IMM_LEN) + (shape & WIDE && rex & 8 ? 4 : 0);
}

u32 arch_skim(const u8 *bytes, u32 avail, u32 most, u32 *n)
{
    u32 at = 0;
    for (*n = 0; *n < most; ++*n) {
        u32 len = length(bytes + at);
        if (!len || at + len > avail)
            break;
        at += len;
    }
    return at;
}

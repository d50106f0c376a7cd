/* skim_test.c: what arch_skim takes for code to be copied as it is, judged by the decoder: every opcode with every modrm, with the
 * prefixes that it knows and some that it does not, and the code of programs.
 *
 *   skim_test FILE... */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#undef AT_FLAGS                         /* of elf.h: the engine has its own */
#include "arch/arch.h"
#include "arch/x86/r11.h"

static unsigned long n_tried, n_skimmed, n_branches, n_wrong;

static bool is_string(const struct x86_insn *x) { return x->map == X86_MAP_1 && x->opcode >= 0xa4 && x->opcode <= 0xaf && (x->opcode | 1) != 0xa9; }
static bool may_store_fip(const struct x86_insn *x)
{
    bool is_x87 = x->map == X86_MAP_1 && x->opcode >= 0xd8 && x->opcode <= 0xdf;
    return is_x87 || (x->map == X86_MAP_0F && (x->opcode == 0xae || x->opcode == 0xc7));
}

/* Plain, at home anywhere, nothing that insn.c looks at twice, and no r11. */
static bool is_as_is(const struct x86_insn *x)
{
    bool is_popf = x->map == X86_MAP_1 && x->opcode == 0x9d;
    return x->kind == X86_PLAIN && x->seg == X86_SEG_NONE && !x->rip_rel && !x->addr32 && !x->lock && !is_popf && !is_string(x) &&
           !may_store_fip(x) && !x86_may_name_r11(x);
}

/* A branch, and whole or not, as the decoder has it in every field. */
static bool is_same_branch(const u8 *p, u32 avail, const struct x86_insn *x, u32 branch)
{
    struct insn in;
    n_branches++;
    if (!arch_skim_branch(branch, p, avail, 0x1234, &in))
        return !x->len;
    addr_t target = x->imm_size ? x86_target(x, 0x1234) : 0;
    return !memcmp(&in.a.x, x, sizeof *x) && in.len == x->len && in.target == target && in.bytes == p && in.count == 1 && !in.is_as_is;
}

/* At p, of which `avail` bytes count and enough can be read. */
static void try_at(const u8 *p, u32 avail, const struct x86_insn *x)
{
    u32 n = 7, branch = 7, len = arch_skim(p, avail, 1, &n, &branch);
    n_tried++;
    if (branch && (len || !is_same_branch(p, avail, x, branch)) && n_wrong++ < 20)
        printf("%02x %02x %02x: not the branch that the decoder sees\n", p[0], p[1], p[2]);
    n_skimmed += n;
    if (n != (len != 0) || (len && (len != x->len || !is_as_is(x)))) {
        if (n_wrong++ < 20)
            printf("%02x %02x %02x %02x %02x %02x: %u bytes; the decoder says %u, kind %u\n", p[0], p[1], p[2], p[3], p[4], p[5], len, x->len, x->kind);
    }
}

static void try_code(const u8 *code, u32 avail)
{
    struct x86_insn x;
    x86_decode_padded(code, avail, &x);
    try_at(code, avail, &x);
}

static void try_opcodes(const u8 *before, u32 n)
{
    u8 code[X86_WINDOW + DECODE_PADDING] = { 0 };
    memcpy(code, before, n);
    for (u32 op = 0; op < 256; op++)
        for (u32 modrm = 0; modrm < 256; modrm++)
            for (u32 sib = 0; sib < 256; sib += 37) {            /* with base 5 among them, and index and base 3 */
                code[n] = (u8)op;
                code[n + 1] = (u8)modrm;
                code[n + 2] = (u8)sib;
                try_code(code, 16);
                try_code(code, 1 + (op + modrm + sib) % 8);
            }
}

static void try_all(void)
{
    static const struct { u8 n, bytes[4]; } before[] = {
        { 0, { 0 } },          { 1, { 0x48 } },       { 1, { 0x41 } },             { 1, { 0x42 } },             { 1, { 0x44 } },
        { 1, { 0x4f } },       { 1, { 0x0f } },       { 2, { 0x48, 0x0f } },       { 2, { 0x41, 0x0f } },       { 2, { 0x45, 0x0f } },
        { 1, { 0x66 } },       { 2, { 0x66, 0x0f } }, { 2, { 0xf3, 0x0f } },       { 2, { 0xf2, 0x0f } },       { 1, { 0xf3 } },
        { 2, { 0x66, 0x48 } }, { 1, { 0xf0 } },       { 3, { 0x66, 0x41, 0x0f } }, { 3, { 0xf2, 0x48, 0x0f } }, { 2, { 0x66, 0x66 } },
        { 1, { 0x64 } },       { 2, { 0x48, 0x48 } }, { 2, { 0xf3, 0x66 } },       { 1, { 0x67 } },             { 2, { 0x0f, 0x38 } },
        { 2, { 0x48, 0x66 } }, { 3, { 0x66, 0xf2, 0x0f } },
    };
    for (u32 i = 0; i < sizeof before / sizeof *before; i++)
        try_opcodes(before[i].bytes, before[i].n);
}

/* As a trace sees it: several at once are as many as one by one. */
static u32 try_run(const u8 *p, u32 avail)
{
    u32 n, one, branch, len = arch_skim(p, avail, 64, &n, &branch), at = 0;
    for (u32 i = 0; i < n; i++) {
        u32 step = arch_skim(p + at, avail - at, 1, &one, &branch);
        at += step;
        n_wrong += !step;
    }
    n_wrong += at != len;
    return len;
}

static void try_section(const u8 *p, u64 size)
{
    for (u64 at = 0; at + X86_WINDOW < size;) {
        struct x86_insn x;
        u32 avail = (u32)(size - at > 64 ? 64 : size - at) - 24;
        if (!x86_decode_padded(p + at, avail, &x) || !x.len) {
            at++;
            continue;
        }
        try_at(p + at, avail, &x);
        try_run(p + at, avail);
        at += x.len;
    }
}

static bool try_file(const char *name)
{
    struct stat st;
    int fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) < 0)
        return false;
    const u8 *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)p;
    const Elf64_Shdr *s = (const Elf64_Shdr *)(p + h->e_shoff);
    n_tried = n_skimmed = n_branches = 0;
    for (u32 i = 0; i < h->e_shnum; i++)
        if (s[i].sh_flags & SHF_EXECINSTR && s[i].sh_type == SHT_PROGBITS)
            try_section(p + s[i].sh_offset, s[i].sh_size);
    printf("%s: %lu instructions, %lu skimmed, %lu branches\n", name, n_tried, n_skimmed, n_branches);
    return n_tried > 1000 && n_skimmed > n_tried / 2 && n_branches > n_tried / 20;
}

int main(int argc, char **argv)
{
    try_all();
    printf("made up: %lu tried, %lu skimmed\n", n_tried, n_skimmed);
    bool ok = n_skimmed > n_tried / 10 && n_branches;
    for (int i = 1; i < argc; i++)
        ok &= try_file(argv[i]);
    printf("%lu wrong\n", n_wrong);
    return !ok || n_wrong;
}

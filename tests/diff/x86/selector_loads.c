/* Every way to load a segment register, with every selector of the kernel's table and some of a local one: what is loaded,
 * what becomes of the base, and which faults there are. test-prefix: setarch -R */
#include "fault.h"
#include <asm/ldt.h>

/* rdi: selector; rsi: a far pointer with it. A base that is not null is in the register beforehand. Out: rax, the selector
 * read back; rdx, the base. */
#define BASED(load, store, rd, wr)                                                                           \
    rd " %r12; " load "; mov %" store ", %eax; " rd " %rdx; " wr " %r12"
#define GS_IN "mov $0x5151000, %ecx; rdgsbase %r13; wrgsbase %rcx; "
PIECE(p_ds, "mov %ds, %r12d; mov %edi, %ds; mov %ds, %eax; mov %r12d, %ds");
PIECE(p_es, "mov %es, %r12d; mov %edi, %es; mov %es, %eax; mov %r12d, %es");
PIECE(p_ds_mem, "mov %ds, %r12d; mov 4(%rsi), %ds; mov %ds, %eax; mov %r12d, %ds");
PIECE(p_ss, "mov %ss, %r12d; mov %edi, %ss; mov %ss, %eax; mov %r12d, %ss");
PIECE(p_lss, "mov %ss, %r12d; lss (%rsi), %edx; mov %ss, %eax; mov %r12d, %ss");
PIECE(p_fs, BASED("mov %edi, %fs", "fs", "rdfsbase", "wrfsbase"));
PIECE(p_fs_mem, BASED("mov 4(%rsi), %fs", "fs", "rdfsbase", "wrfsbase"));
PIECE(p_fs_pop, BASED("push %rdi; pop %fs", "fs", "rdfsbase", "wrfsbase"));
PIECE(p_fs_pop16, BASED("pushw %di; popw %fs", "fs", "rdfsbase", "wrfsbase"));
PIECE(p_lfs, BASED("lfs (%rsi), %ebx", "fs", "rdfsbase", "wrfsbase"));
PIECE(p_gs, GS_IN BASED("mov %edi, %gs", "gs", "rdgsbase", "wrgsbase"));
PIECE(p_gs_mem, GS_IN BASED("mov 4(%rsi), %gs", "gs", "rdgsbase", "wrgsbase"));
PIECE(p_gs_pop, GS_IN BASED("push %rdi; pop %gs", "gs", "rdgsbase", "wrgsbase"));
PIECE(p_lgs, GS_IN BASED("lgs (%rsi), %r9d", "gs", "rdgsbase", "wrgsbase"));
PIECE(p_lgs16, GS_IN BASED("lgs 2(%rsi), %r9w", "gs", "rdgsbase", "wrgsbase"));
PIECE(p_gs_keeps, "mov %edi, %gs; mov $0x7171000, %ecx; wrgsbase %rcx; mov %gs, %eax; rdgsbase %rdx; push %gs; pop %rbx;"
                  "pushw %gs; popw %r9w; mov %gs, %r10w; mov %gs, (%rsi); mov (%rsi), %r14; wrgsbase %r13; mov %r13d, %gs");

static const struct { const char *name; void (*piece)(void); } list[] = {
    { "ds", p_ds }, { "es", p_es }, { "ds from memory", p_ds_mem }, { "ss", p_ss }, { "lss", p_lss },
    { "fs", p_fs }, { "fs from memory", p_fs_mem }, { "pop fs", p_fs_pop }, { "popw fs", p_fs_pop16 }, { "lfs", p_lfs },
    { "gs", p_gs }, { "gs from memory", p_gs_mem }, { "pop gs", p_gs_pop }, { "lgs", p_lgs }, { "lgs16", p_lgs16 },
    { "gs, then its base", p_gs_keeps },
};
static const u16 selectors[] = { 0, 1, 3, 0x8, 0x10, 0x1b, 0x20, 0x23, 0x28, 0x29, 0x2b, 0x30, 0x33, 0x38, 0x43, 0x53, 0x63, 0x73, 0x7b,
                                 0x83, 7, 0xc, 0xf, 0x17, 0x1f, 0x27, 0xffff };
static struct { u32 offset; u16 selector, more; u64 room; } far_pointer;

static void try(const char *name, void (*piece)(void), u16 selector)
{
    char what[64];
    struct regs r = regs_fresh();
    u64 fs;
    __asm__("rdfsbase %0" : "=r"(fs));
    far_pointer.offset = 0x89abcdef, far_pointer.selector = selector, far_pointer.room = 0x77777777;
    r.rdi = selector | 0xabcd0000u, r.rsi = (u64)&far_pointer, r.r13 = 0;
    snprintf(what, sizeof what, "%s %x", name, selector);
    fault.addr_base = (u64)&far_pointer;
    fault_try(what, piece, &r);
    __asm__ volatile("mov %0, %%gs" : : "r"(0));
    if (r.rdx == fs)
        r.rdx = 0xf5ba5e, r.r12 = 0;
    printf("  rax %llx rbx %llx rdx %llx r9 %llx r10 %llx r14 %llx\n", (long long)r.rax, (long long)r.rbx, (long long)r.rdx,
           (long long)r.r9, (long long)r.r10, (long long)r.r14);
}

/* Entries of the local table: data, 32-bit code, data that is absent, data that is read-only. */
static void fill_local_table(void)
{
    static const struct user_desc d[] = {
        { 0, 0x12340000, 0xfffff, 1, MODIFY_LDT_CONTENTS_DATA, 0, 1, 0, 1 },
        { 1, 0, 0xfffff, 1, MODIFY_LDT_CONTENTS_CODE, 0, 1, 0, 1 },
        { 2, 0x1000, 0xfff, 1, MODIFY_LDT_CONTENTS_DATA, 0, 0, 1, 1 },
        { 3, 0x2000, 0xfff, 1, MODIFY_LDT_CONTENTS_DATA, 1, 0, 0, 1 },
    };
    for (unsigned i = 0; i < 4; i++) {
        long r = syscall(SYS_modify_ldt, 0x11, &d[i], sizeof d[i]);
        printf("entry %u: %ld %d\n", i, r, r ? errno : 0);
    }
}

/* arch_prctl makes the selector null; a new thread inherits the one of GS. */
static void *in_thread(void *unused)
{
    u32 fs, gs;
    u64 base;
    __asm__("mov %%fs, %0; mov %%gs, %1; rdgsbase %2" : "=r"(fs), "=r"(gs), "=r"(base));
    printf("thread: fs %x gs %x base %llx\n", fs, gs, (long long)base);
    return unused;
}

static void other_ways(void)
{
    u32 gs;
    pthread_t thread;
    __asm__ volatile("mov %0, %%gs" : : "r"(0x2b));
    syscall(SYS_arch_prctl, 0x1001, 0x3000);
    __asm__("mov %%gs, %0" : "=r"(gs));
    printf("after arch_prctl: %x\n", gs);
    __asm__ volatile("mov %0, %%gs; wrgsbase %1" : : "r"(0x2b), "r"(0x4000ul));
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
    fflush(stdout);
    if (fork() == 0) {
        in_thread(NULL);
        fflush(stdout);
        _exit(0);
    }
    wait(NULL);
}

int main(void)
{
    fault_catch_all();
    fill_local_table();
    for (unsigned i = 0; i < sizeof list / sizeof *list; i++)
        for (unsigned j = 0; j < sizeof selectors / sizeof *selectors; j++)
            try(list[i].name, list[i].piece, selectors[j]);
    other_ways();
    return DONE();
}

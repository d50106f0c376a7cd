/* borrow.c: see borrow.h.
 *
 *  (1) Places are not shared: one that a killed launcher has left is not zero, a thread may still be in it, and the next is
 *      taken. When all are taken, the first is used again: its thread has had the time to leave. */
#include "launcher/borrow.h"
#include "launcher/remote.h"
#include "launcher/tracee.h"
#include "base/types.h"
#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

enum { SLOT = 256, LEFT_US = 200000, SYSCALL_LEN = 2 };
enum { RESTARTSYS = -512, RESTARTNOINTR = -513, RESTARTNOHAND = -514, RESTARTBLOCK = -516 };

extern const unsigned char borrow_code[], borrow_clone[], borrow_go_home[], borrow_home[], borrow_code_end[];

/* Every process has the same vdso: the part of its last page that nothing of it is in. */
static bool find_room(uint64_t *lo, uint64_t *hi)
{
    const Elf64_Ehdr *e = (const void *)getauxval(AT_SYSINFO_EHDR);
    if (!e)
        return false;
    const Elf64_Phdr *ph = (const void *)((const char *)e + e->e_phoff);
    uint64_t end = e->e_shoff + (uint64_t)e->e_shnum * e->e_shentsize;
    for (int i = 0; i < e->e_phnum; i++)
        end = MAX(end, ph[i].p_offset + ph[i].p_memsz);
    *lo = ROUND_UP(end, 16ul);
    *hi = ROUND_UP(end, PAGE_SIZE);
    for (uint64_t i = *lo; i < *hi; i++)
        if (((const char *)e)[i])
            return false;
    return *hi - *lo >= SLOT;
}

static bool is_free(pid_t pid, uint64_t at)
{
    unsigned char bytes[SLOT];
    bool used = !remote_read(pid, at, bytes, sizeof bytes);
    for (int i = 0; i < SLOT; i++)
        used |= bytes[i];
    return !used;
}

uint64_t borrow_find(pid_t pid, uint64_t vdso)
{
    uint64_t lo, hi;
    if (!vdso || !find_room(&lo, &hi))
        return 0;
    for (uint64_t at = lo; at + SLOT <= hi; at += SLOT)
        if (is_free(pid, vdso + at))
            return vdso + at;
    nap_us(LEFT_US);
    return vdso + lo;
}

struct borrow_home borrow_home_of(const struct handoff_regs *r, uint64_t mask)
{
    struct borrow_home h = {mask, r->rax, r->rcx, r->rdx, r->rsi, r->rdi, r->r8, r->r9, r->r10, r->r11, r->rip};
    if ((int64_t)r->orig_rax < 0)
        return h;
    switch ((int64_t)r->rax) {
    case RESTARTSYS: case RESTARTNOINTR: case RESTARTNOHAND: h.rax = r->orig_rax; h.pc -= SYSCALL_LEN; break;
    case RESTARTBLOCK: h.rax = SYS_restart_syscall; h.pc -= SYSCALL_LEN; break;
    }
    return h;
}

/* Word by word: only ptrace writes where the target itself may not. */
static bool poke(pid_t tid, uint64_t at, const void *from, size_t size)
{
    const char *bytes = from;
    for (size_t i = 0; i < size; i += sizeof(long)) {
        long word;
        memcpy(&word, bytes + i, sizeof word);
        if (ptrace(PTRACE_POKEDATA, tid, at + i, word))
            return false;
    }
    return true;
}

bool borrow_put(pid_t tid, uint64_t at, const struct borrow_home *home)
{
    unsigned char bytes[SLOT] = {0};
    size_t head = (size_t)(borrow_home - borrow_code);
    memcpy(bytes, borrow_code, head);
    memcpy(bytes + head, home, sizeof *home);
    return poke(tid, at, bytes, head + sizeof *home);
}

void borrow_wipe(pid_t tid, uint64_t at)
{
    static const unsigned char zero[SLOT];
    poke(tid, at, zero, sizeof zero);
}

uint64_t borrow_entry(uint64_t at, bool is_clone) { return at + (is_clone ? (uint64_t)(borrow_clone - borrow_code) : 0); }
uint64_t borrow_way_home(uint64_t at) { return at + (uint64_t)(borrow_go_home - borrow_code); }

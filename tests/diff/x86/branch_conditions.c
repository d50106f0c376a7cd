/* All sixteen conditions, short and near, with all combinations of the six flags; setcc and cmovcc agree with them. */
#include "x86.h"

#define C(cc)                                                                                                    \
    PIECE(short_##cc, "lea 1f(%rip), %r8; lea 2f(%rip), %r9; j" #cc " 1f; mov $0, %eax; jmp 3f; 1: mov $1, %eax;"  \
                      "2: 3: set" #cc " %bl; mov $5, %ecx; cmov" #cc " %rax, %rcx; mov $0, %r8d; mov $0, %r9d");   \
    PIECE(near_##cc, "j" #cc " 1f; mov $0, %eax; jmp 2f; .skip 200, 0x90; 1: mov $1, %eax; 2:");
#define ALL(X) X(o) X(no) X(b) X(ae) X(e) X(ne) X(be) X(a) X(s) X(ns) X(p) X(np) X(l) X(ge) X(le) X(g)
ALL(C)
#define NAME(cc) {#cc, short_##cc, near_##cc},
static const struct { const char *name; void (*s)(void), (*n)(void); } list[] = {ALL(NAME)};

int main(void)
{
    for (int i = 0; i < 16; i++)
        for (int f = 0; f < 64; f++) {
            struct regs r = regs_fresh(), q = regs_fresh();
            u64 flags = 2 | (f & 1) | (f & 2) << 1 | (f & 4) << 2 | (f & 8) << 3 | (f & 16) << 3 | (f & 32) << 6;
            r.flags = q.flags = flags;
            x86_call(list[i].s, &r);
            x86_call(list[i].n, &q);
            printf("%s %03llx: %d %d %d %d flags %03llx %03llx\n", list[i].name, (unsigned long long)flags, (int)r.rax,
                   (int)(u8)r.rbx, (int)r.rcx, (int)q.rax, (unsigned long long)r.flags, (unsigned long long)q.flags);
        }
    return DONE();
}

/* Segment selectors as user mode sees them, mov and push of selectors, and es, ss, cs, ds prefixes that do nothing. */
#include "t.h"

int main(void)
{
    u64 cs, ss, ds, es, fs, gs, v, cell = 99;
    __asm__("mov %%cs, %0; mov %%ss, %1; mov %%ds, %2; mov %%es, %3; mov %%fs, %4; mov %%gs, %5"
            : "=r"(cs), "=r"(ss), "=r"(ds), "=r"(es), "=r"(fs), "=r"(gs));
    printf("%llx %llx %llx %llx %llx %llx\n", (unsigned long long)cs, (unsigned long long)ss, (unsigned long long)ds,
           (unsigned long long)es, (unsigned long long)fs, (unsigned long long)gs);
    __asm__ volatile("push %%fs; pop %0" : "=r"(v));
    printf("%llx\n", (unsigned long long)v);
    __asm__ volatile(".byte 0x26; mov (%1), %0" : "=r"(v) : "r"(&cell));
    printf("%llu\n", (unsigned long long)v);
    __asm__ volatile(".byte 0x2e; mov (%1), %0" : "=r"(v) : "r"(&cell));
    printf("%llu\n", (unsigned long long)v);
    __asm__ volatile(".byte 0x3e; add (%1), %0" : "+r"(v) : "r"(&cell));
    printf("%llu\n", (unsigned long long)v);
    __asm__ volatile("mov %%ds, %w0; mov %w0, %%ds; mov %w0, %%es" : "+r"(v));
    __asm__ volatile("xor %k0, %k0; lsl %1, %k0" : "=&r"(v) : "r"((u32)cs));
    printf("%llx\n", (unsigned long long)v);
    return DONE();
}

/* SSE arithmetic under every rounding mode, with flush-to-zero and denormals-are-zero; sticky flags end as natively. */
#include "t.h"

int main(void)
{
    static const double in[] = {1.0, 3.0, -1e-310, 5e-324, 1e308, -0.0, 0.1, 1e18 + 1};
    for (u32 mode = 0; mode < 16; mode++) {
        u32 csr = 0x1f80 | (mode & 3) << 13 | (mode & 4 ? 0x8000 : 0) | (mode & 8 ? 0x40 : 0), end;
        u64 h = T_HASH0;
        __asm__ volatile("ldmxcsr %0" :: "m"(csr));
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                volatile double a = in[i], b = in[j];
                double r[6] = {a + b, a * b, a / b, a - b, __builtin_sqrt(a * a), (double)(float)a};
                long long n;
                __asm__("cvtsd2si %1, %0" : "=r"(n) : "x"(b));
                h = t_hash(t_hash(h, r, sizeof r), &n, 8);
            }
        __asm__ volatile("stmxcsr %0" : "=m"(end));
        csr = 0x1f80;
        __asm__ volatile("ldmxcsr %0" :: "m"(csr));
        printf("%x: %016llx end %x\n", mode, (unsigned long long)h, end);
    }
    return DONE();
}

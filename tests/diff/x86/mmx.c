/* MMX: packing, saturation, shifts, multiplication, masked stores, aliasing with the x87 stack, emms. */
#include "t.h"
#include <mmintrin.h>

int main(void)
{
    u64 a = 0x7f80ff0112345678, b = 0x0180017f8765ffff, r[12];
    __asm__ volatile("movq %12, %%mm0; movq %13, %%mm1\n"
                     "movq %%mm0, %%mm2; paddsb %%mm1, %%mm2; movq %%mm2, %0\n"
                     "movq %%mm0, %%mm2; paddusw %%mm1, %%mm2; movq %%mm2, %1\n"
                     "movq %%mm0, %%mm2; psubsw %%mm1, %%mm2; movq %%mm2, %2\n"
                     "movq %%mm0, %%mm2; pmaddwd %%mm1, %%mm2; movq %%mm2, %3\n"
                     "movq %%mm0, %%mm2; packsswb %%mm1, %%mm2; movq %%mm2, %4\n"
                     "movq %%mm0, %%mm2; packuswb %%mm1, %%mm2; movq %%mm2, %5\n"
                     "movq %%mm0, %%mm2; punpcklbw %%mm1, %%mm2; movq %%mm2, %6\n"
                     "movq %%mm0, %%mm2; psllw $3, %%mm2; movq %%mm2, %7\n"
                     "movq %%mm0, %%mm2; pcmpgtb %%mm1, %%mm2; movq %%mm2, %8\n"
                     "pshufw $0x1b, %%mm0, %%mm2; movq %%mm2, %9\n"
                     "movq %%mm0, %%mm2; pmulhuw %%mm1, %%mm2; movq %%mm2, %10\n"
                     "movq %%mm0, %%mm2; psadbw %%mm1, %%mm2; movq %%mm2, %11\n"
                     : "=m"(r[0]), "=m"(r[1]), "=m"(r[2]), "=m"(r[3]), "=m"(r[4]), "=m"(r[5]), "=m"(r[6]), "=m"(r[7]),
                       "=m"(r[8]), "=m"(r[9]), "=m"(r[10]), "=m"(r[11]) : "m"(a), "m"(b) : "mm0", "mm1", "mm2");
    for (int i = 0; i < 12; i++)
        printf("%016llx\n", (unsigned long long)r[i]);
    u8 save[108], target[8] = {0};
    __asm__ volatile("maskmovq %%mm1, %%mm0" :: "D"(target) : "memory");
    __asm__ volatile("fnsave %0" : "=m"(save));
    printf("%02x%02x%02x tag %04x\n", target[0], target[3], target[7], *(u16 *)(save + 8));
    __asm__ volatile("emms");
    printf("%g\n", 1.5 * (double)a);
    return DONE();
}

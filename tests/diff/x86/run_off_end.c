/* Code that runs over the end of its mapping, or whose last instruction is cut by it, faults at the right address
 * after everything before it took effect. */
#include "fault.h"

int main(void)
{
    u8 *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(munmap(p + 4096, 4096) == 0);
    fault.addr_base = (u64)p;
    fault_catch_all();
    for (int i = 0; i < 5; i++) {
        /* inc rax; then i bytes of movabs, or nothing */
        static const u8 code[] = {0x48, 0xff, 0xc0, 0x48, 0xb8, 1, 2, 3};
        u8 *at = p + 4096 - 3 - i;
        memset(p, 0x90, 4096);
        memcpy(at, code, (size_t)(3 + i));
        struct regs r = regs_fresh();
        fault_try("cut", (void (*)(void))at, &r);
    }
    return DONE();
}

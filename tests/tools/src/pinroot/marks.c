/* A loop of 1000 rounds, two instructions each, between two marks; two more behind the second. */
int main(void)
{
    __asm__ volatile("mov $0x111, %%ebx\n .byte 0x64, 0x67, 0x90\n mov $1000, %%ecx\n 1: dec %%ecx\n jnz 1b\n"
                     "mov $0x222, %%ebx\n .byte 0x64, 0x67, 0x90\n nop\n mov $0x333, %%ebx" ::: "rbx", "rcx", "cc");
    return 0;
}

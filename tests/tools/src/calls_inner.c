/* inner, outer (which a tool replaces by a call of inner), inner. */
__attribute__((noinline)) void inner(void) { __asm__ volatile(""); }
__attribute__((noinline)) void outer(void) { __asm__ volatile(""); }
int main(void)
{
    inner();
    outer();
    inner();
    return 0;
}

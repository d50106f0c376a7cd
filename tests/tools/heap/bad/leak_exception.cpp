/* error: leak */
#include <stdexcept>
static __attribute__((noinline)) int risky(int n)
{
    int *volatile p = new int[20]; /* BUG */
    if (n)
        throw std::runtime_error("no");
    delete[] p;
    return 0;
}
static __attribute__((noinline)) void wipe() { volatile long room[200]; for (int i = 0; i < 200; i++) room[i] = 0; }

int main()
{
    try {
        risky(1);
    } catch (const std::exception &) {
    }
    wipe();
}

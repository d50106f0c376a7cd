// throws: exceptions through routines that may have calls behind them, also caught half-way and thrown again.
#include <cstdio>
#include <stdexcept>
extern "C" __attribute__((noinline, noipa)) long deep(long n)
{
    if (n == 0)
        throw std::runtime_error("bottom");
    return deep(n - 1) + 1;
}
extern "C" __attribute__((noinline, noipa)) long middle(long n)
{
    try {
        return deep(n);
    } catch (std::exception &) {
        if (n % 3 == 0)
            throw;
        return n;
    }
}
extern "C" __attribute__((noinline, noipa)) long outer(long n)
{
    try {
        return middle(n) + 1;
    } catch (...) {
        return -1;
    }
}
int main()
{
    long sum = 0;
    for (long i = 0; i < 300; i++)
        sum += outer(i % 10);
    std::printf("%ld\n", sum);
}

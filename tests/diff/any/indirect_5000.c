/* Indirect calls from one site to five thousand functions, in random order.
 * test-schemes: yes */
#include "t.h"

#define F(n) static u64 f##n(u64 x) { return (x ^ n##u) * 2654435761u + (x >> 11); }
#define F10(n) F(n##0) F(n##1) F(n##2) F(n##3) F(n##4) F(n##5) F(n##6) F(n##7) F(n##8) F(n##9)
#define F100(n) F10(n##0) F10(n##1) F10(n##2) F10(n##3) F10(n##4) F10(n##5) F10(n##6) F10(n##7) F10(n##8) F10(n##9)
#define F1000(n) F100(n##0) F100(n##1) F100(n##2) F100(n##3) F100(n##4) \
    F100(n##5) F100(n##6) F100(n##7) F100(n##8) F100(n##9)
F1000(1) F1000(2) F1000(3) F1000(4) F1000(5)

#define P(n) f##n,
#define P10(n) P(n##0) P(n##1) P(n##2) P(n##3) P(n##4) P(n##5) P(n##6) P(n##7) P(n##8) P(n##9)
#define P100(n) P10(n##0) P10(n##1) P10(n##2) P10(n##3) P10(n##4) P10(n##5) P10(n##6) P10(n##7) P10(n##8) P10(n##9)
#define P1000(n) P100(n##0) P100(n##1) P100(n##2) P100(n##3) P100(n##4) \
    P100(n##5) P100(n##6) P100(n##7) P100(n##8) P100(n##9)
static u64 (*const table[])(u64) = {P1000(1) P1000(2) P1000(3) P1000(4) P1000(5)};

int main(void)
{
    u64 s = 11, x = 1;
    for (int i = 0; i < 100000; i++)
        x = table[t_random(&s) % 5000](x);
    for (int i = 0; i < 5000; i++)
        x = table[i](x);
    printf("%016llx\n", (unsigned long long)x);
    return DONE();
}

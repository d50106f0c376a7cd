/* new, delete, virtual destructors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct A { virtual ~A() {} int a = 1; };
struct B : A { int b[10] = {}; };
int main()
{
    A *p[20];
    for (int i = 0; i < 20; i++)
        p[i] = i % 2 ? new B : new A;
    for (A *q : p)
        delete q;
    B *many = new B[5];
    delete[] many;
}

/* error: unset-read */
#include <cstdio>
struct flags { bool is_set; int n; };

int main()
{
    flags *volatile f = new flags;
    f->n = 3;
    if (f->is_set) /* BUG */
        puts("set");
    delete f;
}

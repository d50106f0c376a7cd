/* objects that are placed into blocks of malloc, aligned new, sized delete, nothrow new */
#include <cstdio>
#include <cstdlib>
#include <new>
struct alignas(64) wide { char c[100]; wide() { c[99] = 1; } };
struct item { int n; explicit item(int k) : n(k) {} };

int main()
{
    void *room = malloc(10 * sizeof(item));
    item *items = static_cast<item *>(room);
    for (int i = 0; i < 10; i++)
        new (&items[i]) item(i);
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += items[i].n;
    free(room);
    wide *w = new wide, *many = new wide[3];
    sum += w->c[99] + many[2].c[99];
    delete w;
    delete[] many;
    char *quiet = new (std::nothrow) char[50]();
    if (quiet && quiet[49] == 0)
        sum++;
    delete[] quiet;
    printf("%d\n", sum);
}

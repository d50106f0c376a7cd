/* near.c: where slots lie. The arch may have memory that emitted code adds to faster than to the image (arch_near_memory); what lies
 * there has to come home when the application wants the place for itself. */
#include "engine/jit/promote/promote_int.h"

enum { MOST = 4 };
static struct near { u64 **where, *home; size_t size; } list[MOST];
static u32 n;

void near_place(u64 **where, u64 *home, size_t size)
{
    u64 *near = arch_near_memory(size);
    *where = near ? near : home;
    if (near)
        list[n++] = (struct near){ where, home, size };
}

void promote_come_home(void)
{
    for (u32 i = 0; i < n; i++) {
        memcpy(list[i].home, *list[i].where, list[i].size);
        *list[i].where = list[i].home;
    }
    n = 0;
}

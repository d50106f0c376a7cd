/* events.c: see events.h. A list that grows; who tells takes all of it and starts a new one. */
#include "engine/cache/events.h"
#include "arch_signal.h"
#include "base/heap.h"
#include "engine/cache/cache.h"
#include "engine/hooks.h"

struct news { u64 a, b; u32 event; };
struct list { struct news *item; u32 n, room; };

u32 cache_events_wanted;
static struct list news;

static void grow(struct list *l)
{
    u32 room = l->room ? l->room * 2 : 256;
    struct news *item = heap_alloc(room * sizeof *item);
    memcpy(item, l->item, l->n * sizeof *item);
    heap_free(l->item, l->room * sizeof *item);
    l->item = item;
    l->room = room;
}

void cache_note(enum cache_event e, u64 a, u64 b)
{
    if (LIKELY(!(cache_events_wanted >> e & 1)))
        return;
    if (news.n == news.room)
        grow(&news);
    news.item[news.n++] = (struct news){ a, b, e };
}

bool cache_has_news(void) { return news.n != 0; }

static long tell(void *arg)
{
    struct list *l = arg;
    for (u32 i = 0; i < l->n; i++)
        hooks.cache_event((int)l->item[i].event, l->item[i].a, l->item[i].b);
    return 0;
}

void cache_tell(void)
{
    while (cache_has_news()) {
        cache_lock_take();
        struct list mine = news;
        news = (struct list){ 0 };
        cache_lock_drop();
        arch_call_hosted(tell, &mine);
        heap_free(mine.item, mine.room * sizeof *mine.item);
    }
}

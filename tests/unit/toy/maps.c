/* maps.c: what is written into a map is read out of it again, whatever the records are. */
#include "base/heap.h"
#include "toy.h"

static u64 state = 88172645463325252u;
static u32 any(u32 below)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (u32)(state % below);
}

/* Small steps as instructions make them, and now and then a jump to anywhere. */
static struct map_entry follow(struct map_entry m, u16 usual)
{
    m.app = (s32)((u32)m.app + (any(20) ? any(18) : any(0x7fffffff) - 0x3fffffffu));
    m.code = (u16)(m.code + (any(10) ? any(18) : any(300)));
    m.restore = any(5) ? usual : (u16)any(0x10000);
    m.is_run = !any(3);
    return m;
}

/* Two traces that overlap, and after a flush one that has been there before, and more. */
static void distinct(void)
{
    addr_t a = region_base[0];
    toy_reset();
    opt->stats = STATS_TEXT;
    memset(toy_text[0], OP_INC, 400);
    toy_get(a);
    CHECK(cache_distinct() == 64);
    toy_get(a + 10);
    CHECK(cache_distinct() == 74);
    cache_flush_all();
    CHECK(cache_distinct() == 74);
    toy_get(a + 20);
    CHECK(cache_distinct() == 84);
    opt->stats = STATS_OFF;
}

void test_maps(void)
{
    distinct();
    enum { MOST = 64 };
    struct map_entry list[MOST];
    struct map_change change[MOST + 1];
    u32 parked[MOST];
    struct trace *t = heap_alloc(sizeof *t + MAP_HEAD + MOST * (MAP_LONGEST + MAP_CHANGE));
    for (u32 round = 0; round < 2000; round++) {
        u32 n = any(MOST + 1);
        u16 usual = (u16)any(0x10000);
        u32 n_changes = 0;
        for (u32 i = 0; i < n; i++) {
            list[i] = follow(i ? list[i - 1] : (struct map_entry){ 0 }, usual);
            parked[i] = !any(4) ? any(1u << MAP_FIELDS * MAP_FIELD) : i ? parked[i - 1] : 0;
            if (parked[i] != (i ? parked[i - 1] : 0))
                change[n_changes++] = (struct map_change){ i, parked[i] };
        }
        change[n_changes].at = n;
        t->map_size = (u16)map_write(trace_map(t), list, n, usual, change);
        CHECK(t->map_size <= MAP_HEAD + n * (MAP_LONGEST + MAP_CHANGE));
        struct map_reader r = map_begin(t);
        for (u32 i = 0; i < n; i++)
            CHECK(map_next(&r) && r.last.app == list[i].app && r.last.code == list[i].code && r.last.restore == list[i].restore &&
                  r.last.is_run == list[i].is_run && r.parked == parked[i]);
        CHECK(!map_next(&r));
    }
    heap_free(t, sizeof *t + MAP_HEAD + MOST * (MAP_LONGEST + MAP_CHANGE));
}

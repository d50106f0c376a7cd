/* predictor.c: see predictor.h. */
#include "tool.h"
#include "predictor.h"

const char *const predictor_names[PREDICTORS] = { "bimodal", "gshare", "tage" };

struct predictors *predictors_new(UINT32 bits)
{
    struct predictors *p = need(sizeof *p);
    p->bits = bits;
    UINT8 **tables[] = { &p->bimodal, &p->gshare, &p->base };
    for (int i = 0; i < 3; i++) {
        *tables[i] = need(1ul << bits);
        memset(*tables[i], 1, 1ul << bits);
    }
    for (int i = 0; i < TAGE_TABLES; i++)
        p->tage[i] = need((1 << TAGE_BITS) * sizeof *p->tage[i]);
    return p;
}

/* ---- two-bit counters: 0 and 1 say not taken, 2 and 3 taken ---- */
/* No branch in here, nor below where the outcome is as good as random: those would be mispredicted themselves. */
static VOID count(UINT8 *c, bool taken) { *c = (UINT8)(*c + (taken & (*c < 3)) - (!taken & (*c > 0))); }

static bool use_counter(UINT8 *c, bool taken)
{
    bool said = *c >= 2;
    count(c, taken);
    return said != taken;
}

static UINT64 place(ADDRINT pc, UINT32 bits) { return (pc ^ pc >> bits) & ((1ul << bits) - 1); }

/* ---- tage ---- */
/* The last `length` outcomes, cut into pieces of `bits` that are xored: at most eight of them. */
static inline UINT32 fold(UINT64 history, UINT32 length, UINT32 bits)
{
    UINT64 h = length < 64 ? history & ((1ul << length) - 1) : history;
    h ^= h >> 4 * bits;
    h ^= h >> 2 * bits;
    h ^= h >> bits;
    return (UINT32)(h & ((1u << bits) - 1));
}

static inline struct tage_entry *entry_of(struct predictors *p, int table, ADDRINT pc, UINT16 *tag)
{
    UINT32 length = 4u << table;
    UINT64 at = (place(pc, TAGE_BITS) ^ fold(p->history, length, TAGE_BITS)) & ((1 << TAGE_BITS) - 1);
    *tag = (UINT16)((pc ^ fold(p->history, length, TAGE_TAG_BITS) ^ fold(p->history, length, TAGE_TAG_BITS - 1) << 1) &
                    ((1 << TAGE_TAG_BITS) - 1));
    return &p->tage[table][at];
}

static inline bool says(const struct tage_entry *e, const UINT8 *base) { return e ? e->counter >= 0 : *base >= 2; }

/* The longest history among those whose bits are set; -1: none. */
static inline int longest(UINT32 matches) { return matches ? 31 - __builtin_clz(matches) : -1; }

static VOID allocate(struct tage_entry **entry, const UINT16 *tag, int from, bool taken)
{
    for (int i = from; i < TAGE_TABLES; i++)
        if (!entry[i]->useful) {
            *entry[i] = (struct tage_entry){ tag[i], taken ? 0 : -1, 0 };
            return;
        }
    for (int i = from; i < TAGE_TABLES; i++)
        entry[i]->useful--;
}

static VOID age(struct predictors *p)
{
    for (int t = 0; t < TAGE_TABLES; t++)
        for (int i = 0; i < 1 << TAGE_BITS; i++)
            p->tage[t][i].useful >>= 1;
}

static VOID learn(struct tage_entry *e, bool taken, bool was_needed, bool was_right)
{
    e->useful = (UINT8)(e->useful + (was_needed & was_right & (e->useful < 3)) - (was_needed & !was_right & (e->useful > 0)));
    e->counter = (INT8)(e->counter + (taken & (e->counter < 3)) - (!taken & (e->counter > -4)));
}

static bool use_tage(struct predictors *p, ADDRINT pc, bool taken)
{
    struct tage_entry *entry[TAGE_TABLES];
    UINT16 tag[TAGE_TABLES];
    UINT8 *base = &p->base[place(pc, p->bits)];
    UINT32 matches = 0;
#pragma GCC unroll 5
    for (int i = 0; i < TAGE_TABLES; i++) {     /* lengths become constants */
        entry[i] = entry_of(p, i, pc, &tag[i]);
        /* An entry never given out has tag 0, as some branches do: it is then like one that is new and weak. */
        matches |= (UINT32)(entry[i]->tag == tag[i]) << i;
    }
    int best = longest(matches), next = best < 0 ? -1 : longest(matches & ~(1u << best));
    struct tage_entry *e = best < 0 ? NULL : entry[best];
    bool said_best = says(e, base), said_next = says(next < 0 ? NULL : entry[next], base);
    bool is_weak = e && !e->useful && (e->counter == 0 || e->counter == -1);
    bool wrong = (is_weak ? said_next : said_best) != taken;
    if (e)
        learn(e, taken, said_best != said_next, said_best == taken);
    else
        count(base, taken);
    if (wrong)
        allocate(entry, tag, best + 1, taken);
    return wrong;
}

UINT32 predictors_branch(struct predictors *p, ADDRINT pc, bool taken)
{
    UINT64 at = place(pc, p->bits), mask = (1ul << p->bits) - 1;
    UINT32 wrong = (UINT32)use_counter(&p->bimodal[at], taken) << BIMODAL;
    wrong |= (UINT32)use_counter(&p->gshare[(at ^ p->history) & mask], taken) << GSHARE;
    wrong |= (UINT32)use_tage(p, pc, taken) << TAGE;
    p->history = p->history << 1 | taken;
    if (++p->n % TAGE_AGE == 0)
        age(p);
    return wrong;
}

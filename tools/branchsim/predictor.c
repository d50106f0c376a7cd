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
static VOID count(UINT8 *c, bool taken)
{
    if (taken)
        *c += *c < 3;
    else
        *c -= *c > 0;
}

static bool use_counter(UINT8 *c, bool taken)
{
    bool said = *c >= 2;
    count(c, taken);
    return said != taken;
}

static UINT64 place(ADDRINT pc, UINT32 bits) { return (pc ^ pc >> bits) & ((1ul << bits) - 1); }

/* ---- tage ---- */
/* A history of `length` outcomes, cut into pieces of `bits` that are xored, is kept as it grows: bit k is the xor of outcomes
 * k, k + bits, k + 2 bits ... ago, so a new outcome turns it by one and replaces the one that leaves. */
static inline UINT32 turned(UINT32 f, UINT32 length, UINT32 bits, UINT32 comes, UINT32 leaves)
{
    f = (f << 1 | comes) ^ leaves << length % bits;
    return (f ^ f >> bits) & ((1u << bits) - 1);
}

static VOID fold_in(struct predictors *p, bool taken)
{
#pragma GCC unroll 5
    for (int t = 0; t < TAGE_TABLES; t++) {     /* lengths become constants */
        UINT32 length = 4u << t, leaves = (UINT32)(p->history >> (length - 1)) & 1;
        p->folded[0][t] = turned(p->folded[0][t], length, TAGE_BITS, taken, leaves);
        p->folded[1][t] = turned(p->folded[1][t], length, TAGE_TAG_BITS, taken, leaves);
        p->folded[2][t] = turned(p->folded[2][t], length, TAGE_TAG_BITS - 1, taken, leaves);
    }
    p->history = p->history << 1 | taken;
}

static struct tage_entry *entry_of(struct predictors *p, int table, ADDRINT pc, UINT16 *tag)
{
    UINT64 at = (place(pc, TAGE_BITS) ^ p->folded[0][table]) & ((1 << TAGE_BITS) - 1);
    *tag = (UINT16)((pc ^ p->folded[1][table] ^ p->folded[2][table] << 1) & ((1 << TAGE_TAG_BITS) - 1));
    return &p->tage[table][at];
}

struct match { struct tage_entry *e; int table; };

static bool says(const struct match *m, const UINT8 *base) { return m->e ? m->e->counter >= 0 : *base >= 2; }

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

static bool use_tage(struct predictors *p, ADDRINT pc, bool taken)
{
    struct tage_entry *entry[TAGE_TABLES];
    UINT16 tag[TAGE_TABLES];
    UINT8 *base = &p->base[place(pc, p->bits)];
    struct match best = { NULL, -1 }, next = { NULL, -1 };
    for (int i = 0; i < TAGE_TABLES; i++) {
        entry[i] = entry_of(p, i, pc, &tag[i]);
        /* An entry never given out has tag 0, as some branches do: it is then like one that is new and weak. */
        if (entry[i]->tag == tag[i]) {
            next = best;
            best = (struct match){ entry[i], i };
        }
    }
    bool said_best = says(&best, base), said_next = says(&next, base);
    bool is_weak = best.e && !best.e->useful && (best.e->counter == 0 || best.e->counter == -1);
    bool wrong = (is_weak ? said_next : said_best) != taken;
    if (!best.e) {
        count(base, taken);
    } else {
        if (said_best != said_next && said_best == taken)
            best.e->useful += best.e->useful < 3;
        if (said_best != said_next && said_best != taken)
            best.e->useful -= best.e->useful > 0;
        best.e->counter = (INT8)(taken ? best.e->counter + (best.e->counter < 3) : best.e->counter - (best.e->counter > -4));
    }
    if (wrong)
        allocate(entry, tag, best.table + 1, taken);
    return wrong;
}

UINT32 predictors_branch(struct predictors *p, ADDRINT pc, bool taken)
{
    UINT64 at = place(pc, p->bits), mask = (1ul << p->bits) - 1;
    UINT32 wrong = (UINT32)use_counter(&p->bimodal[at], taken) << BIMODAL;
    wrong |= (UINT32)use_counter(&p->gshare[(at ^ p->history) & mask], taken) << GSHARE;
    wrong |= (UINT32)use_tage(p, pc, taken) << TAGE;
    fold_in(p, taken);
    if (++p->n % TAGE_AGE == 0)
        age(p);
    return wrong;
}

/* countdown.c: words that are counted down through budgets come to zero when they would without, whoever looks or sets them. */
#include "engine/jit/countdown.h"
#include "toy.h"

enum { WORDS = 3, PLACES = 20 };
static s64 wide[2], model[WORDS];
static s32 narrow;
static u64 *slot[WORDS][PLACES];
static u32 number[WORDS];
static const s64 step[WORDS] = { 1, 7, 2 };

static void *at(u32 w) { return w < 2 ? (void *)&wide[w] : (void *)&narrow; }
static s64 value(u32 w) { return w < 2 ? wide[w] : narrow; }

static void set(u32 w, s64 v)
{
    model[w] = v;
    if (w < 2)
        wide[w] = v;
    else
        narrow = (s32)v;
}

/* What emitted code does at one place. */
static bool pass(u32 w, u32 place)
{
    return (*slot[w][place])-- == 0 && countdown_exact(number[w]);
}

static void check_all(void)
{
    countdown_fold();
    for (u32 w = 0; w < WORDS; w++)
        CHECK(value(w) == model[w]);
}

/* A Then, or other tool code: it looks, and may set the word to anything. */
static void tool_code(u32 w)
{
    static const s64 some[] = { 1, 2, 7, 14, 100, 5000, 0, -3 };
    check_all();
    if (toy_random(2))
        set(w, some[toy_random(8)] * (toy_random(2) ? 1 : step[w]));
}

void test_countdown(void)
{
    u32 zeros = 0, exact = 0;
    for (u32 w = 0; w < WORDS; w++) {
        set(w, 10000);
        struct count c = { (u64)at(w), -step[w], w < 2 ? 8 : 4, false };
        for (u32 p = 0; p < PLACES; p++)
            CHECK((slot[w][p] = countdown_place(&c, p == 0, &number[w])));
    }
    struct count up = { (u64)&wide[0], 1, 8, false };
    CHECK(!countdown_place(&up, false, &number[0]) && countdown_is_on());
    for (u32 n = 0; n < 300000; n++) {
        u32 w = toy_random(WORDS), p = toy_random(PLACES);
        model[w] -= step[w];
        exact += *slot[w][p] == 0;
        bool is_zero = pass(w, p);
        CHECK(is_zero == (model[w] == 0));
        zeros += is_zero;
        if (is_zero || !toy_random(300))
            tool_code(w);
    }
    check_all();
    CHECK(zeros > 100 && exact < 100000);
    countdown_end();
    CHECK(!countdown_is_on());
    for (u32 n = 0; n < 50; n++) {                      /* nothing is handed out any more: each pass is exact */
        model[0] -= step[0];
        CHECK(pass(0, n % PLACES) == (model[0] == 0) && wide[0] == model[0]);
    }
}

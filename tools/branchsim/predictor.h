/* predictor.h: three predictors of conditional branches. Each thread has its own.
 *
 *  bimodal  a table of two-bit counters, by address.
 *  gshare   the same, by address xor the outcomes of the last branches.
 *  tage     a bimodal table and five tables with tags, for histories of 4, 8, 16, 32 and 64 outcomes. The longest history whose
 *           tag matches predicts, unless its counter is new and weak: then the next longest does. After a wrong prediction a
 *           longer history gets an entry, in place of one that was not useful.
 *
 * Counters start at "weakly not taken". An index is (pc ^ pc >> bits) modulo the table's size. */
#ifndef BRANCHSIM_PREDICTOR_H
#define BRANCHSIM_PREDICTOR_H

enum predictor { BIMODAL, GSHARE, TAGE, PREDICTORS };
enum { TAGE_TABLES = 5, TAGE_BITS = 10, TAGE_TAG_BITS = 9, TAGE_AGE = 1 << 18 };
extern const char *const predictor_names[PREDICTORS];

struct tage_entry { UINT16 tag; INT8 counter; UINT8 useful; };  /* counter -4 to 3: taken from 0 on; useful 0 to 3 */
struct predictors {
    UINT32 bits;                                /* of bimodal's, gshare's and tage's basic table */
    UINT8 *bimodal, *gshare, *base;
    struct tage_entry *tage[TAGE_TABLES];
    UINT64 history, n;
};
struct predictors *predictors_new(UINT32 bits);
/* Tell all of them about a branch; bit k of the result: predictor k was wrong. */
UINT32 predictors_branch(struct predictors *p, ADDRINT pc, bool taken);
#endif

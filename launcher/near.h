/* near.h: which word was meant? The one that the fewest changes of letters lead to, if these are few for its length. */
#ifndef LAUNCHER_NEAR_H
#define LAUNCHER_NEAR_H

struct near { const char *word, *best; int least; };        /* best: NULL while none is near enough */
struct near near_to(const char *word);
void near_try(struct near *n, const char *candidate);       /* which must stay where it is */
#endif

/* optreport.h: --opt-report: what became of each analysis routine. Guarded by the cache lock. */
#ifndef JIT_OPTREPORT_H
#define JIT_OPTREPORT_H
#include "engine/jit/instrument.h"

void optreport_counted(const struct call *c);               /* its calls became sums */
void optreport_inlined(const struct call *c);
void optreport_called(const struct call *c, const char *why);    /* and not inlined because of this */
void optreport_print(void);
#endif

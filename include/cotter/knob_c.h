/* knob_c.h: command-line options of a C tool. A knob is a file-scope variable that registers itself before main():
 *
 *     KNOB_TEXT(output, "o", "", "write the report to this file");       const char *output
 *     KNOB_NUMBER(limit, "limit", 100, "stop after so many");            INT64 limit
 *     KNOB_FLAG(verbose, "v", "say more");                               BOOL verbose
 *
 * PIN_Init reads them: -limit 5, -v, -v 0. C++ tools have the class KNOB (pin.H). */
#ifndef COTTER_KNOB_C_H
#define COTTER_KNOB_C_H

enum COTTER_KNOB_KIND { COTTER_KNOB_TEXT, COTTER_KNOB_NUMBER, COTTER_KNOB_FLAG };
struct COTTER_KNOB {
    const char *name, *purpose;
    enum COTTER_KNOB_KIND kind;
    VOID *value;
    const char *dflt;                           /* as text, for the summary */
    struct COTTER_KNOB *next;
    BOOL is_set;
};
VOID COTTER_AddKnob(struct COTTER_KNOB *knob);
/* The text that KNOB_BASE::StringKnobSummary gives in C++: one line per option. */
const char *COTTER_KnobSummary(VOID);

/* A file for a report: `pattern` with %p replaced by the pid; stderr when it is empty or cannot be written. */
FILE *COTTER_OpenReport(const char *pattern);

#ifndef __cplusplus
#define COTTER_KNOB_DEFINE(var, type, kind_, name_, dflt_, text_, purpose_) \
    static type var = dflt_; \
    __attribute__((constructor)) static VOID cotter_knob_##var(VOID) \
    { \
        static struct COTTER_KNOB knob = { name_, purpose_, kind_, &var, text_, NULL, 0 }; \
        COTTER_AddKnob(&knob); \
    }
#define KNOB_TEXT(var, name, dflt, purpose) COTTER_KNOB_DEFINE(var, const char *, COTTER_KNOB_TEXT, name, dflt, dflt, purpose)
#define KNOB_NUMBER(var, name, dflt, purpose) COTTER_KNOB_DEFINE(var, INT64, COTTER_KNOB_NUMBER, name, dflt, #dflt, purpose)
#define KNOB_FLAG(var, name, purpose) COTTER_KNOB_DEFINE(var, BOOL, COTTER_KNOB_FLAG, name, 0, "0", purpose)
#endif
#endif

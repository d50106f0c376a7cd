/* knob_c.h: command-line options of a tool. In C a knob is a file-scope variable that registers itself before main():
 *
 *     KNOB_TEXT(output, "o", "", "write the report to this file");       const char *output
 *     KNOB_NUMBER(limit, "limit", 100, "stop after so many");            INT64 limit
 *     KNOB_FLAG(verbose, "v", "say more");                               BOOL verbose
 *
 * PIN_Init reads them: -limit 5, -v, -v 0. C++ tools have the class KNOB (cxx_knob.H). */
#ifndef COTTER_KNOB_C_H
#define COTTER_KNOB_C_H

struct COTTER_KNOB {
    const char *name, *family, *purpose;
    const char *dflt;                           /* as text, for the summary */
    BOOL is_flag;                               /* may stand without a value */
    BOOL is_heading;                            /* no option: a line in the summary */
    BOOL is_set;                                /* given on the command line */
    BOOL is_disabled;                           /* unknown to the parser */
    BOOL (*set)(struct COTTER_KNOB *knob, const char *text);    /* FALSE: not a possible value */
    VOID *value;
    struct COTTER_KNOB *next;
};
VOID COTTER_AddKnob(struct COTTER_KNOB *knob);
struct COTTER_KNOB *COTTER_FirstKnob(VOID);
/* What can be given: one line per option. */
const char *COTTER_KnobSummary(VOID);
/* A file for a report: `pattern` with %p replaced by the pid; stderr when it is empty or cannot be written. A relative name
 * means the folder where the process began. The report of a child process must not replace its parent's: without %p its
 * file has the pid as a suffix, and after an exec within the process a number as well. */
FILE *COTTER_OpenReport(const char *pattern);
/* Where a tool's messages go: pintool.log, or what -logfile and -unique_logfile say; stderr, or what -error_file says. */
FILE *COTTER_LogFile(VOID);
FILE *COTTER_ErrorFile(VOID);
/* In main(): end with a message now if that could not be written later. */
VOID COTTER_CheckReport(const char *pattern);
/* Was this process forked, or executed with -f, by one that runs under Cotter? */
BOOL COTTER_IsChildProcess(VOID);

BOOL COTTER_SetText(struct COTTER_KNOB *knob, const char *text);
BOOL COTTER_SetNumber(struct COTTER_KNOB *knob, const char *text);
BOOL COTTER_SetFlag(struct COTTER_KNOB *knob, const char *text);
#ifndef __cplusplus
#define COTTER_KNOB_DEFINE(var, type, set_, flag_, name_, dflt_, text_, purpose_) \
    static type var = dflt_; \
    __attribute__((constructor)) static VOID cotter_knob_##var(VOID) \
    { \
        static struct COTTER_KNOB knob = { .name = name_, .family = "", .purpose = purpose_, .dflt = text_, .is_flag = flag_, \
                                           .set = set_, .value = &var }; \
        COTTER_AddKnob(&knob); \
    }
#define KNOB_TEXT(var, name, dflt, purpose) COTTER_KNOB_DEFINE(var, const char *, COTTER_SetText, 0, name, dflt, dflt, purpose)
#define KNOB_NUMBER(var, name, dflt, purpose) COTTER_KNOB_DEFINE(var, INT64, COTTER_SetNumber, 0, name, dflt, #dflt, purpose)
#define KNOB_FLAG(var, name, purpose) COTTER_KNOB_DEFINE(var, BOOL, COTTER_SetFlag, 1, name, 0, "0", purpose)
#endif
#endif

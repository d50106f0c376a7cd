/* out.c: see out.h. */
#include "tool.h"
#include "progress.h"
#include <errno.h>

KNOB_TEXT(output, "o", "", "write the report to this file instead of stderr (%p: the pid)");
KNOB_FLAG(json, "json", "machine-readable report");

BOOL out_is_json(VOID) { return json; }
BOOL out_is_file(VOID) { return *output != 0; }
const char *out_pattern(VOID) { return output; }

FILE *out_open(VOID)
{
    progress_end(!*output);
    return COTTER_OpenReport(output);
}

FILE *out_open_beside(const char *suffix)
{
    char *pattern = *output ? need_text("%s%s", output, suffix) : need_text("%s.%%p%s", tool_name(), suffix);
    FILE *f = COTTER_OpenReport(pattern);
    free(pattern);
    return f;
}

VOID out_close(FILE *f)
{
    bool failed = fflush(f) || ferror(f);
    if (failed && f != stderr)
        fprintf(stderr, "cotter: the report is not complete: %s\n", strerror(errno));
    if (f != stderr)
        fclose(f);
}

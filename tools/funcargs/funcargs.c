/* funcargs: calls of chosen functions as they happen: arguments when they are entered, the result when they are left.
 * Arguments that point to text are shown with it. */
#include "tool.h"
#include "names.h"
#include "trace.h"
#include "watch.h"
#include <fnmatch.h>
TOOL_ABOUT("arguments and results of chosen functions");
KNOB_TEXT(functions, "f", "main", "functions to show: names with * and ?, separated by commas");
KNOB_TEXT(image_glob, "image", "*", "only functions of images with such a name (without folders)");
KNOB_NUMBER(n_args, "args", 3, "arguments to show: 0 to 6");

static bool has_chosen;

static VOID *choose(const struct routine *r)
{
    bool is_wanted = name_fits_any(functions, r->name) && !fnmatch(image_glob, r->image->name, 0);
    has_chosen |= is_wanted;
    return is_wanted ? (VOID *)r : NULL;
}

/* Text of at least two characters, or none. */
static bool read_text(ADDRINT a, char *text, size_t room)
{
    size_t n = a > 4096 ? PIN_SafeCopy(text, (VOID *)a, room - 1) : 0, i = 0;
    while (i < n && text[i] >= ' ' && text[i] < 0x7f)
        i++;
    bool is_ended = i < n && (text[i] == 0 || text[i] == '\n');
    if (i < 2 || (!is_ended && i < room - 1))
        return false;
    text[i] = 0;
    return true;
}

static VOID write_value(FILE *f, ADDRINT v)
{
    char text[49];
    if (read_text(v, text, sizeof text))
        fprintf(f, "0x%lx \"%s\"%s", v, text, strlen(text) == sizeof text - 1 ? "..." : "");
    else
        fprintf(f, v < 10 ? "%lu" : "0x%lx", v);
}

static VOID enter_text(FILE *f, const struct watched *w)
{
    fprintf(f, "%u %*s%s(", thread_me->number, (int)(2 * (w->depth - 1)), "", w->routine->name);
    for (int i = 0; i < n_args; i++) {
        fputs(i ? ", " : "", f);
        write_value(f, w->arg[i]);
    }
    fprintf(f, ") from %s\n", place_text(w->from));
}

static VOID write_json(FILE *f, const struct watched *w, const char *event, const ADDRINT *values, INT64 n)
{
    struct json j = { f };
    json_line(&j);
    json_text(&j, "event", event);
    json_number(&j, "thread", thread_me->number);
    json_number(&j, "depth", w->depth);
    json_text(&j, "function", w->routine->name);
    json_array(&j, "values");
    for (INT64 i = 0; i < n; i++)
        json_address(&j, NULL, values[i]);
    json_end(&j, ']');
    json_line_end(&j);
}

static VOID enter(struct watched *w)
{
    PIN_LockClient();
    if (out_is_json())
        write_json(trace_file(), w, "enter", w->arg, n_args);
    else
        enter_text(trace_file(), w);
    fflush(trace_file());
    PIN_UnlockClient();
}

static VOID leave(struct watched *w, ADDRINT result)
{
    PIN_LockClient();
    FILE *f = trace_file();
    if (out_is_json()) {
        write_json(f, w, "leave", &result, 1);
    } else {
        fprintf(f, "%u %*s%s = ", thread_me->number, (int)(2 * (w->depth - 1)), "", w->routine->name);
        write_value(f, result);
        fputc('\n', f);
    }
    fflush(f);
    PIN_UnlockClient();
}

static VOID report(VOID)
{
    trace_close();
    if (!has_chosen && !COTTER_IsChildProcess())
        fprintf(stderr, "funcargs: no code that ran is of a function '%s' in an image '%s'\n", functions, image_glob);
}
static VOID nothing(struct thread_record *t, const UINT8 *records, size_t bytes) {}

int main(int argc, char **argv)
{
    static const struct watch_hooks hooks = { choose, enter, leave };
    tool_begin(argc, argv, report);
    if (n_args < 0 || n_args > WATCH_ARGS)
        tool_fail("-args %ld: 0 to %d", n_args, WATCH_ARGS);
    trace_begin(nothing);
    watch_begin(&hooks);
    PIN_StartProgram();
}

/* imageload: the images of the program (the program, its loader, libraries) as they are mapped and unmapped.
 *
 * Shows: image callbacks. */
#include "tool.h"
#include "trace.h"
TOOL_ABOUT("images mapped and unmapped, with their addresses and sections");
KNOB_FLAG(has_sections, "sections", "sections of each image");

static UINT64 n_loaded;

static const char *kind_of(IMG img)
{
    return IMG_IsMainExecutable(img) ? "program" : IMG_IsInterpreter(img) ? "loader" : IMG_IsVDSO(img) ? "kernel" : "library";
}

static VOID write_json(const char *what, IMG img)
{
    struct json j = { trace_file() };
    json_line(&j);
    json_text(&j, "event", what);
    json_text(&j, "image", IMG_Name(img));
    json_text(&j, "kind", kind_of(img));
    json_address(&j, "low", IMG_LowAddress(img));
    json_address(&j, "high", IMG_HighAddress(img));
    json_address(&j, "entry", IMG_EntryAddress(img));
    json_line_end(&j);
}

static VOID write_text(const char *what, IMG img)
{
    FILE *f = trace_file();
    fprintf(f, "%-6s %-8s %012lx-%012lx %s\n", what, kind_of(img), IMG_LowAddress(img), IMG_HighAddress(img), IMG_Name(img));
    for (SEC sec = IMG_SecHead(img); has_sections && *what == 'l' && SEC_Valid(sec); sec = SEC_Next(sec))
        if (SEC_Mapped(sec))
            fprintf(f, "                %012lx-%012lx %c%c%c %s\n", SEC_Address(sec), SEC_Address(sec) + SEC_Size(sec) - 1,
                    SEC_IsReadable(sec) ? 'r' : '-', SEC_IsWriteable(sec) ? 'w' : '-', SEC_IsExecutable(sec) ? 'x' : '-', SEC_Name(sec));
}

static VOID tell(const char *what, IMG img)
{
    if (out_is_json())
        write_json(what, img);
    else
        write_text(what, img);
    fflush(trace_file());
}

static VOID load(IMG img, VOID *v)
{
    n_loaded++;
    tell("load", img);
}

static VOID unload(IMG img, VOID *v)
{
    if (!PIN_IsProcessExiting())
        tell("unload", img);
}

static VOID report(VOID) { trace_close(); }
static VOID nothing(struct thread_record *t, const UINT8 *records, size_t bytes) {}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    trace_begin(nothing);
    IMG_AddInstrumentFunction(load, 0);
    IMG_AddUnloadFunction(unload, 0);
    PIN_StartProgram();
}

/* build.c: see build.h. The compiler does the work; here are its flags. A tool is one static-PIE with the engine and its own
 * libc inside (docs/architecture.md). */
#include "launcher/build.h"
#include "launcher/say.h"
#include "launcher/tool.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_WORDS = 512, MAX_PATH = TOOL_PATH_MAX + 64 };

static const char *const before[] = { "-O2", "-g", "-Wall", "-fPIE", "-fno-stack-protector", "-ftls-model=local-exec", "-static-pie",
                                      "-Wl,-z,noseparate-code" };
static const char *const behind[] = { "-ldw", "-lelf", "-lz", "-liberty" };
/* What C++ tools count on besides: the kit's macros and folders of headers, found below the pin root. */
static const char *const macros[] = { "-DTARGET_IA32E", "-DHOST_IA32E", "-DTARGET_LINUX" };
static const char *const folders[] = { "source/include/pin", "source/include/pin/gen", "source/tools/InstLib", "source/tools/Utils",
                                       "source/tools", "extras/xed-intel64/include/xed", "extras/xed-intel64/include" };

static bool ends_with(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    return n > k && !strcmp(s + n - k, suffix);
}

static bool is_cxx(const char *file)
{
    return ends_with(file, ".cpp") || ends_with(file, ".cc") || ends_with(file, ".cxx") || ends_with(file, ".C");
}

/* tool.cpp -> tool, in the current folder */
static const char *default_output(const char *source)
{
    static char name[256];
    const char *base = strrchr(source, '/');
    snprintf(name, sizeof name, "%s", base ? base + 1 : source);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = 0;
    return name;
}

static char *beside_library(const char *what)
{
    char *path = malloc(MAX_PATH);
    if (!path)
        fail(STATUS_FAILED, "out of memory");
    snprintf(path, MAX_PATH, "%s/%s", tool_library(), what);
    if (access(path, F_OK))
        fail(STATUS_FAILED, "%s is missing: is Cotter installed completely?", path);
    return path;
}

/* C++ is compiled like a Pintool's makefile would: by the script that knows about older headers, with their folders. */
static int cxx_words(const char **word)
{
    int n = 0;
    for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++)
        word[n++] = macros[i];
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[128];
        snprintf(path, sizeof path, "pin-root/%s", folders[i]);
        word[n++] = "-I";
        word[n++] = beside_library(path);
    }
    return n;
}

int build_tool(int argc, char **argv)
{
    const char *word[MAX_WORDS], *source = NULL, *compiler = "gcc";
    bool has_output = false, cxx = false;
    int n = 1;
    for (int i = 0; i < argc; i++) {
        has_output |= !strcmp(argv[i], "-o");
        if (argv[i][0] != '-' && !(i && !strcmp(argv[i - 1], "-o"))) {
            source = source ? source : argv[i];
            cxx |= is_cxx(argv[i]);
        }
    }
    if (!source)
        fail(STATUS_FAILED, "build wants a source file: cotter build tool.c [-o tool] [compiler flags]");
    if ((size_t)argc + 48 > MAX_WORDS)
        fail(STATUS_FAILED, "too many words");
    if (cxx)
        compiler = beside_library("pin-root/c++");
    word[0] = compiler;
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        word[n++] = before[i];
    word[n++] = "-I";
    word[n++] = beside_library("include");
    if (cxx)
        n += cxx_words(word + n);
    for (int i = 0; i < argc; i++)
        word[n++] = argv[i];
    if (!has_output) {
        word[n++] = "-o";
        word[n++] = default_output(source);
        if (!strcmp(word[n - 1], source))
            fail(STATUS_FAILED, "%s has no ending such as .c: is it a source file? If it is, say -o TOOL", source);
    }
    word[n++] = beside_library("libcotter.a");
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++)
        word[n++] = behind[i];
    word[n] = NULL;
    execvp(compiler, (char **)word);
    fail(STATUS_FAILED, "cannot run %s: %s (install %s)", compiler, strerror(errno), compiler);
}

static const char skeleton[] =
    "/* %s: counts the instructions that a program executes.\n"
    " * Build: cotter build %s.c    Run: cotter -t ./%s -- /bin/ls */\n"
    "#include <pin.h>\n"
    "#include <stdio.h>\n"
    "\n"
    "static UINT64 count;\n"
    "\n"
    "/* Runs each time a basic block does. */\n"
    "static VOID count_block(UINT32 n) { count += n; }\n"
    "\n"
    "/* Runs when code is about to run for the first time. */\n"
    "static VOID instrument(TRACE trace, VOID *v)\n"
    "{\n"
    "    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))\n"
    "        BBL_InsertCall(bbl, IPOINT_ANYWHERE, AFUNPTR(count_block), IARG_UINT32, BBL_NumIns(bbl), IARG_END);\n"
    "}\n"
    "\n"
    "static VOID report(INT32 code, VOID *v) { fprintf(stderr, \"%%lu instructions\\n\", count); }\n"
    "\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    if (PIN_Init(argc, argv))\n"
    "        return 1;\n"
    "    TRACE_AddInstrumentFunction(instrument, 0);\n"
    "    PIN_AddFiniFunction(report, 0);\n"
    "    PIN_StartProgram();\n"
    "}\n";

int build_new(int argc, char **argv)
{
    char path[256];
    if (argc != 1 || !argv[0][0] || strchr("-.", argv[0][0]) || strchr(argv[0], '/') || strlen(argv[0]) > sizeof path - 3)
        fail(STATUS_FAILED, "new wants a name: cotter new mytool");
    snprintf(path, sizeof path, "%s.c", argv[0]);
    FILE *f = fopen(path, "wx");
    if (!f)
        fail(STATUS_FAILED, "cannot create %s: %s%s", path, strerror(errno), errno == EEXIST ? "; take another name" : "");
    fprintf(f, skeleton, argv[0], argv[0], argv[0]);
    fclose(f);
    printf("%s; now: cotter build %s && cotter -t ./%s -- /bin/ls\n", path, path, argv[0]);
    return 0;
}

int build_pin_root(void)
{
    puts(beside_library("pin-root"));
    return 0;
}

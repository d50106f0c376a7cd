/* debug_regs.c: the registers as the debugger counts them: a list, its description in XML, values in and out. */
#include "api/debugger.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What GDB expects of an x86-64 machine, in its order. `part`: bytes of the register before the piece that is meant. */
struct reg { char name[16]; REG reg; u8 size, part; const char *type, *feature; };
enum { MAX_REGS = 160 };
static struct reg regs[MAX_REGS];
static u32 n_regs;

static struct {
    const DEBUGGER_REG_DESCRIPTION *list;
    u32 n;
    GET_EMULATED_REGISTER_CALLBACK get;
    SET_EMULATED_REGISTER_CALLBACK set;
    COTTER_DESCRIBE describe;
    VOID *fun, *val;
} tools;

VOID COTTER_AddDebuggerRegisterEmulator(unsigned n, const DEBUGGER_REG_DESCRIPTION *list, GET_EMULATED_REGISTER_CALLBACK get,
                                        SET_EMULATED_REGISTER_CALLBACK set, COTTER_DESCRIBE describe, VOID *fun, VOID *val)
{
    DEBUGGER_REG_DESCRIPTION *copy = calloc(n + 1, sizeof *copy);
    memcpy(copy, list, n * sizeof *copy);
    for (u32 i = 0; i < n; i++)
        copy[i]._name = strdup(list[i]._name);
    tools.list = copy;
    tools.n = n;
    tools.get = get;
    tools.set = set;
    tools.describe = describe;
    tools.fun = fun;
    tools.val = val;
}

static USIZE describe_c(VOID *fun, const char *name, USIZE size, VOID *buf, VOID *v)
{
    return ((GET_TARGET_DESCRIPTION_CALLBACK)fun)(name, size, buf, v);
}

VOID PIN_AddDebuggerRegisterEmulator(unsigned n, const DEBUGGER_REG_DESCRIPTION *list, GET_EMULATED_REGISTER_CALLBACK get,
                                     SET_EMULATED_REGISTER_CALLBACK set, GET_TARGET_DESCRIPTION_CALLBACK describe, VOID *val)
{
    COTTER_AddDebuggerRegisterEmulator(n, list, get, set, describe ? describe_c : NULL, (VOID *)describe, val);
}

/* ---- the usual list ---- */
static void add(const char *name, REG reg, u32 size, const char *type, const char *feature)
{
    struct reg *r = &regs[n_regs++];
    *r = (struct reg){ .reg = reg, .size = (u8)size, .type = type, .feature = feature };
    snprintf(r->name, sizeof r->name, "%s", name);
}

static void add_numbered(const char *pattern, u32 n, REG first, u32 size, const char *type, const char *feature)
{
    for (u32 i = 0; i < n; i++) {
        char name[16];
        snprintf(name, sizeof name, pattern, i);
        add(name, (REG)(first + i), size, type, feature);
    }
}

static void make_list(void)
{
    static const char *const core = "org.gnu.gdb.i386.core", *const sse = "org.gnu.gdb.i386.sse", *const avx = "org.gnu.gdb.i386.avx",
                             *const bases = "org.gnu.gdb.i386.segments";
    static const struct { const char *name; REG reg; } general[] = {
        { "rax", REG_RAX }, { "rbx", REG_RBX }, { "rcx", REG_RCX }, { "rdx", REG_RDX }, { "rsi", REG_RSI }, { "rdi", REG_RDI },
        { "rbp", REG_RBP }, { "rsp", REG_RSP } };
    static const struct { const char *name; REG reg; } segments[] = {
        { "cs", REG_SEG_CS }, { "ss", REG_SEG_SS }, { "ds", REG_SEG_DS }, { "es", REG_SEG_ES }, { "fs", REG_SEG_FS }, { "gs", REG_SEG_GS } };
    static const struct { const char *name; REG reg; } x87[] = {
        { "fctrl", REG_FPCW }, { "fstat", REG_FPSW }, { "ftag", REG_FPTAG }, { "fiseg", REG_FPIP_SEL }, { "fioff", REG_FPIP_OFF },
        { "foseg", REG_FPDP_SEL }, { "fooff", REG_FPDP_OFF }, { "fop", REG_FPOPCODE } };
    for (u32 i = 0; i < ARRAY_LEN(general); i++)
        add(general[i].name, general[i].reg, 8, general[i].reg == REG_RSP || general[i].reg == REG_RBP ? "data_ptr" : "int64", core);
    for (u32 i = 8; i < 16; i++) {
        char name[8];
        snprintf(name, sizeof name, "r%u", i);
        add(name, (REG)(REG_R8 + (i - 8)), 8, "int64", core);
    }
    add("rip", REG_RIP, 8, "code_ptr", core);
    add("eflags", REG_RFLAGS, 4, "i386_eflags", core);
    for (u32 i = 0; i < ARRAY_LEN(segments); i++)
        add(segments[i].name, segments[i].reg, 4, "int32", core);
    add_numbered("st%u", 8, REG_ST0, 10, "i387_ext", core);
    for (u32 i = 0; i < ARRAY_LEN(x87); i++)
        add(x87[i].name, x87[i].reg, 4, "int", core);
    add_numbered("xmm%u", 16, REG_XMM0, 16, "vec128", sse);
    add("mxcsr", REG_MXCSR, 4, "int", sse);
    add("orig_rax", REG_INVALID_, 8, "int", "org.gnu.gdb.i386.linux");
    add("fs_base", REG_SEG_FS_BASE, 8, "int", bases);
    add("gs_base", REG_SEG_GS_BASE, 8, "int", bases);
    if (!PIN_SupportsProcessorState(PROCESSOR_STATE_YMM))
        return;
    for (u32 i = 0; i < 16; i++) {
        char name[16];
        snprintf(name, sizeof name, "ymm%uh", i);
        add(name, (REG)(REG_YMM0 + i), 16, "uint128", avx);
        regs[n_regs - 1].part = 16;
    }
}

static const struct reg *reg_at(u32 n)
{
    if (!n_regs)
        make_list();
    return &regs[n];
}

u32 debug_n_regs(void) { return tools.list ? tools.n : (reg_at(0), n_regs); }
u32 debug_reg_size(u32 n) { return tools.list ? (tools.list[n]._widthInBits + 7) / 8 : reg_at(n)->size; }

/* ---- the description ---- */
struct text { char *at; size_t n, room; };

static void put(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (t->room - t->n < 2048)
        t->at = realloc(t->at, t->room = t->room * 2 + 4096);
    t->n += (size_t)vsnprintf(t->at + t->n, t->room - t->n, fmt, ap);
    va_end(ap);
}

static const char vectors[] =
    "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>\n<vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>\n"
    "<vector id=\"v16i8\" type=\"int8\" count=\"16\"/>\n<vector id=\"v4i32\" type=\"int32\" count=\"4\"/>\n"
    "<vector id=\"v2i64\" type=\"int64\" count=\"2\"/>\n<union id=\"vec128\">\n<field name=\"v4_float\" type=\"v4f\"/>\n"
    "<field name=\"v2_double\" type=\"v2d\"/>\n<field name=\"v16_int8\" type=\"v16i8\"/>\n<field name=\"v4_int32\" type=\"v4i32\"/>\n"
    "<field name=\"v2_int64\" type=\"v2i64\"/>\n<field name=\"uint128\" type=\"uint128\"/>\n</union>\n";

#define FLAG(name, bit) "<field name=\"" name "\" start=\"" #bit "\" end=\"" #bit "\"/>\n"
static const char flags[] =
    "<flags id=\"i386_eflags\" size=\"4\">\n" FLAG("CF", 0) FLAG("", 1) FLAG("PF", 2) FLAG("AF", 4) FLAG("ZF", 6) FLAG("SF", 7)
    FLAG("TF", 8) FLAG("IF", 9) FLAG("DF", 10) FLAG("OF", 11) FLAG("NT", 14) FLAG("RF", 16) FLAG("VM", 17) FLAG("AC", 18)
    FLAG("VIF", 19) FLAG("VIP", 20) FLAG("ID", 21) "</flags>\n";

static void describe_usual(struct text *t)
{
    const char *feature = NULL;
    for (u32 i = 0; i < debug_n_regs(); i++) {
        const struct reg *r = reg_at(i);
        if (feature != r->feature) {
            put(t, "%s<feature name=\"%s\">\n%s", feature ? "</feature>\n" : "", r->feature,
                strstr(r->feature, "sse") ? vectors : strstr(r->feature, "core") ? flags : "");
            feature = r->feature;
        }
        put(t, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\"/>\n", r->name, r->size * 8u, r->type);
    }
    put(t, "</feature>\n");
}

static void describe_tools(struct text *t)
{
    put(t, "<feature name=\"org.gnu.gdb.i386.core\">\n");
    for (u32 i = 0; i < tools.n; i++)
        put(t, "<reg name=\"%s\" bitsize=\"%u\"/>\n", tools.list[i]._name, tools.list[i]._widthInBits);
    put(t, "</feature>\n");
}

static char *tools_own(void)
{
    enum { ROOM = 1 << 16 };
    char *xml = calloc(1, ROOM + 1);
    USIZE n = tools.describe(tools.fun, "target.xml", ROOM, xml, tools.val);
    xml[MIN(n, (USIZE)ROOM)] = 0;
    return xml;
}

const char *debug_target_xml(void)
{
    static char *xml;
    struct text t = { .at = NULL };
    if (xml)
        return xml;
    if (tools.describe)
        return xml = tools_own();
    put(&t, "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target>\n<architecture>i386:x86-64</architecture>\n"
            "<osabi>GNU/Linux</osabi>\n");
    if (tools.list)
        describe_tools(&t);
    else
        describe_usual(&t);
    put(&t, "</target>\n");
    return xml = t.at;
}

/* ---- values ---- */
static void read_value(REG reg, CONTEXT *c, u8 *whole)
{
    FXSAVE f;
    memset(whole, reg == REG_INVALID_ ? 0xff : 0, 64);      /* orig_rax: not in a system call that could be restarted */
    if (reg == REG_INVALID_)
        return;
    if (reg != REG_FPTAG) {
        PIN_GetContextRegval(c, reg, whole);
        return;
    }
    PIN_GetContextFXSave(c, &f);
    u16 full = REG_ConvertX87AbridgedTagToFull(&f);
    memcpy(whole, &full, sizeof full);
}

void debug_reg_read(u32 n, THREADID tid, CONTEXT *c, u8 *to)
{
    u8 whole[64];
    u32 part = 0;
    REG reg = REG_INVALID_;
    if (tools.list) {
        reg = tools.list[n]._pinReg;
        if (reg == REG_INVALID_) {
            tools.get(tools.list[n]._toolRegId, tid, c, to, tools.val);
            return;
        }
    } else {
        reg = reg_at(n)->reg;
        part = reg_at(n)->part;
    }
    read_value(reg, c, whole);
    memcpy(to, whole + part, debug_reg_size(n));
}

void debug_reg_write(u32 n, THREADID tid, CONTEXT *c, const u8 *from)
{
    u8 whole[64];
    if (tools.list && tools.list[n]._pinReg == REG_INVALID_) {
        tools.set(tools.list[n]._toolRegId, tid, c, from, tools.val);
        return;
    }
    REG reg = tools.list ? tools.list[n]._pinReg : reg_at(n)->reg;
    u32 part = tools.list ? 0 : reg_at(n)->part;
    if (reg == REG_FPTAG) {
        whole[0] = REG_ConvertX87FullTagToAbridged((UINT16)(from[0] | from[1] << 8));
        PIN_SetContextRegval(c, reg, whole);
        return;
    }
    if (REG_is_seg(reg) || reg == REG_INVALID_) /* selectors: the kernel's affair */
        return;
    read_value(reg, c, whole);
    memcpy(whole + part, from, debug_reg_size(n));
    PIN_SetContextRegval(c, reg, whole);
}

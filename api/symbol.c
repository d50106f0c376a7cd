/* symbol.c: function symbols, demangled names, source lines. */
#include "api/image.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sym_symbol *symbol_of(SYM sym, struct image **image)
{
    struct image *m = sym.index > 0 ? image_by_id(part_image(sym.index)) : NULL;
    if (!m || part_position(sym.index) >= sym_n_symbols(m->sym))
        api_fatal("a SYM handle names no symbol of a loaded image");
    *image = m;
    return sym_symbol(m->sym, part_position(sym.index));
}

static const struct sym_symbol *symbol(SYM sym)
{
    struct image *m;
    return symbol_of(sym, &m);
}

static SYM sym_at(struct image *m, u32 position)
{
    return (SYM){ position < sym_n_symbols(m->sym) && position < 1u << PART_BITS ? part_number(m, position) : 0 };
}

static SYM neighbour(SYM sym, int step)
{
    struct image *m;
    symbol_of(sym, &m);
    return sym_at(m, part_position(sym.index) + (u32)step);
}

SYM IMG_RegsymHead(IMG img) { return sym_at(image_of(img), 0); }
SYM SYM_Next(SYM sym) { return neighbour(sym, 1); }
SYM SYM_Prev(SYM sym) { return neighbour(sym, -1); }
SYM SYM_Invalid(VOID) { return (SYM){ 0 }; }
BOOL SYM_Valid(SYM sym) { return sym.index > 0; }
const char *SYM_Name(SYM sym) { return symbol(sym)->name; }
ADDRINT SYM_Value(SYM sym) { return symbol(sym)->value; }
UINT32 SYM_Index(SYM sym) { return symbol(sym)->section; }
/* Tools ask for the symbols of all routines, some of which have none. */
BOOL SYM_Dynamic(SYM sym) { return SYM_Valid(sym) && (symbol(sym)->flags & SYM_DYNAMIC) != 0; }
BOOL SYM_GeneratedByPin(SYM sym) { return (symbol(sym)->flags & SYM_GENERATED) != 0; }
BOOL SYM_IFuncResolver(SYM sym) { return (symbol(sym)->flags & SYM_IFUNC) != 0; }

ADDRINT SYM_Address(SYM sym)
{
    struct image *m;
    addr_t value = symbol_of(sym, &m)->value;
    return value + sym_bias(m->sym);
}

SYM RTN_Sym(RTN rtn)
{
    struct rtn_record *r = rtn_of(rtn);
    return r->r->symbol == SYM_NONE ? (SYM){ 0 } : sym_at(r->image, r->r->symbol);
}

const char *PIN_UndecorateSymbolName(const char *name, UNDECORATION style)
{
    static __thread char text[4096];
    char *plain = sym_demangle(name, style == UNDECORATION_NAME_ONLY);
    snprintf(text, sizeof text, "%s", plain ? plain : name);
    free(plain);
    return text;
}

VOID PIN_GetSourceLocation(ADDRINT address, INT32 *column, INT32 *line, const char **file)
{
    struct sym_source s = { "", 0, 0 };
    client_lock();
    struct image *m = image_at(address);
    if (!m || !sym_source(m->sym, address, &s))
        s = (struct sym_source){ "", 0, 0 };
    if (column)
        *column = (INT32)s.column;
    if (line)
        *line = (INT32)s.line;
    if (file)
        *file = s.file ? s.file : "";
    client_unlock();
}

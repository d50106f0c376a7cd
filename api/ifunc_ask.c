/* ifunc_ask.c: which routine is behind an indirect function. A tool that asks has all resolvers watched. */
#include "api/image.h"

void ifunc_watch(struct image *m)
{
    for (u32 i = 0; i < sym_n_routines(m->sym); i++)
        ifunc_note(rtn_handle(m, sym_routine(m->sym, i)));
}

RTN RTN_IFuncImplementation(RTN rtn)
{
    addr_t chosen = ifunc_chosen(RTN_Address(rtn));
    return chosen ? RTN_FindByAddress(chosen) : (RTN){ 0 };
}

RTN RTN_IFuncResolver(RTN rtn)
{
    addr_t resolver = ifunc_resolver(RTN_Address(rtn));
    return resolver ? RTN_FindByAddress(resolver) : (RTN){ 0 };
}

BOOL SYM_IFuncImplementation(SYM sym) { return ifunc_resolver(SYM_Address(sym)) != 0; }

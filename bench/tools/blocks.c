/* blocks: a counter for every basic block, the tool of the paper's Figure 6. Prints the sum of all. */
#include <pin.h>
#include <stdlib.h>

struct counter { struct counter *next; UINT64 n; UINT32 size; };
static struct counter *all;
static VOID block(struct counter *c) { c->n++; }

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        struct counter *c = malloc(sizeof *c);
        *c = (struct counter){ all, 0, BBL_NumIns(bbl) };
        all = c;
        BBL_InsertCall(bbl, IPOINT_ANYWHERE, AFUNPTR(block), IARG_PTR, c, IARG_END);
    }
}

static VOID fini(INT32 code, VOID *v)
{
    UINT64 sum = 0, blocks = 0;
    for (struct counter *c = all; c; c = c->next) {
        sum += c->n * c->size;
        blocks += c->n;
    }
    fprintf(stderr, "%lu instructions in %lu blocks\n", sum, blocks);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}

/* jumpmix: how control moves: branches, calls and returns by kind, how many were taken; with -sites the branches that ran most.
 *
 * Shows: a counter for the block (the branch ends it) and one for IPOINT_TAKEN_BRANCH. */
#include "tool.h"
TOOL_ABOUT("jumps, calls and returns by kind, taken and not");
KNOB_FLAG(has_sites, "sites", "each conditional branch, with how often it was taken");

enum kind { CONDITIONAL, JUMP, INDIRECT_JUMP, CALL, INDIRECT_CALL, RETURN, SYSCALL, OTHER, KINDS };
static const char *const names[] = {
    "conditional branch", "direct jump", "indirect jump", "direct call", "indirect call", "return", "system call", "other"
};
struct site { enum kind kind; UINT32 taken; ADDRINT address; };

static enum kind kind_of(INS ins)
{
    if (INS_IsRet(ins))
        return RETURN;
    if (INS_IsCall(ins))
        return INS_IsDirectControlFlow(ins) ? CALL : INDIRECT_CALL;
    if (INS_IsSyscall(ins))
        return SYSCALL;
    if (!INS_IsBranch(ins))
        return OTHER;
    return INS_HasFallThrough(ins) ? CONDITIONAL : INS_IsDirectControlFlow(ins) ? JUMP : INDIRECT_JUMP;
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        INS tail = BBL_InsTail(bbl);
        struct block *b = block_count(trace, bbl);
        if (!b->data && (INS_IsControlFlow(tail) || INS_IsSyscall(tail))) {
            struct site *s = b->data = need(sizeof *s);
            *s = (struct site){ kind_of(tail), counter_new(1), INS_Address(tail) };
        }
        struct site *s = b->data;
        if (s && s->kind == CONDITIONAL)
            INS_InsertCall(tail, IPOINT_TAKEN_BRANCH, AFUNPTR(counter_increment), IARG_ADDRINT, counter_arg(s->taken), IARG_END);
    }
}

/* Blocks that end with the same branch are one site. */
struct sum { UINT64 executed, taken; };

static VOID add_sites(struct report *r)
{
    struct map index = { 0 };
    VEC(struct sum) sums = { 0 };
    VEC(ADDRINT) addresses = { 0 };
    for (UINT32 i = 0; i < blocks_count(); i++) {
        struct site *s = block_number(i)->data;
        if (!s || s->kind != CONDITIONAL || !block_completions(block_number(i)))
            continue;
        UINT64 *at = map_at(&index, s->address);
        if (!*at) {
            VEC_ADD(sums, ((struct sum){ 0 }));
            VEC_ADD(addresses, s->address);
            *at = sums.n;
        }
        sums.at[*at - 1].executed += block_completions(block_number(i));
        sums.at[*at - 1].taken += counter_total(s->taken);
    }
    struct table *t = report_table(r, "sites", "address:x executed:n share:% taken:n taken_%:f place:t");
    for (size_t i = 0; i < sums.n; i++)
        table_row(t, addresses.at[i], sums.at[i].executed, sums.at[i].taken, percent(sums.at[i].taken, sums.at[i].executed),
                  place_text(addresses.at[i]));
    table_sort(t, 1);
    map_clear(&index);
    free(sums.at);
    free(addresses.at);
}

static VOID report(VOID)
{
    struct sum sum[KINDS] = { 0 };
    UINT64 instructions = blocks_instructions_total(), jumps = 0;
    for (UINT32 i = 0; i < blocks_count(); i++) {
        struct site *s = block_number(i)->data;
        UINT64 n = block_completions(block_number(i));
        if (!s)
            continue;
        sum[s->kind].executed += n;
        sum[s->kind].taken += s->kind == CONDITIONAL ? counter_total(s->taken) : s->kind == SYSCALL ? 0 : n;
        jumps += n;
    }
    struct report *r = report_new("%s of %s instructions may move control (%.2f%%)", commas(jumps), commas(instructions),
                                  percent(jumps, instructions));
    report_hidden_number(r, "instructions", instructions);
    struct table *t = report_table(r, "kinds", "kind:t executed:n share:% taken:n taken_%:f");
    table_show_all(t);
    for (int k = 0; k < KINDS; k++)
        if (sum[k].executed)
            table_row(t, names[k], sum[k].executed, sum[k].taken, percent(sum[k].taken, sum[k].executed));
    if (has_sites)
        add_sites(r);
    report_write(r);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    blocks_begin();
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}

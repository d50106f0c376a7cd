/* mix.h: tools that sort instructions into kinds and count how often each kind ran (opcodemix, catmix, regmix, ldstmix).
 *
 * The kinds of a block's instructions are found once, when the block is first seen; a counter per block does the rest.
 * Options: -by program|image|routine|block, -routine GLOB, -image GLOB. */
#ifndef TOOLS_MIX_H
#define TOOLS_MIX_H

struct mix {
    const char *row;                            /* what a kind is called: "opcode" */
    const char *columns[3];                     /* what is counted of it: "count"; NULL ends */
    VOID (*classify)(INS ins);                  /* calls mix_add */
    const char *(*name)(UINT32 kind);           /* until the next call */
};
VOID mix_begin(const struct mix *m);            /* in main(), after tool_begin */
VOID mix_add(UINT32 kind, int column, UINT32 amount);
VOID mix_report(VOID);                          /* for tool_begin */
#endif

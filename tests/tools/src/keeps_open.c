/* Has a file open from before the program until behind its end. */
#include "pin.h"
#include <stdio.h>
static FILE *out;
static VOID fini(INT32 code, VOID *v)
{
    fprintf(out, "open to the end, %d\n", code);
    fclose(out);
}
int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    out = fopen("kept.out", "w");
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}

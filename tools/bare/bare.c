/* bare.c: a tool without instrumentation: what every tool understands (-appdebug, -logfile) and nothing else. `pin -appdebug -- PROGRAM`
 * plants this. */
#include <pin.h>

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    PIN_StartProgram();
    return 0;
}

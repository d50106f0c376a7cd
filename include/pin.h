/* pin.h: the tool interface in C. A tool is a program whose main() registers callbacks and then starts the application:
 *
 *     #include <pin.h>
 *     #include <stdio.h>
 *     static UINT64 count;
 *     static VOID docount(VOID) { count++; }
 *     static VOID Instruction(INS ins, VOID *v) { INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(docount), IARG_END); }
 *     static VOID Fini(INT32 code, VOID *v) { fprintf(stderr, "%lu instructions\n", count); }
 *     int main(int argc, char **argv)
 *     {
 *         if (PIN_Init(argc, argv))
 *             return 1;
 *         INS_AddInstrumentFunction(Instruction, 0);
 *         PIN_AddFiniFunction(Fini, 0);
 *         PIN_StartProgram();
 *     }
 *
 * Names and meaning are those of Pin's interface; where that has a std::string there is a `const char *` here, valid until
 * the thread's next call of the same function. pin.H is the same in C++. */
#if defined(__cplusplus) && defined(PIN_CRT)    /* a C++ tool built with Pin's makefiles: it means the other header */
#include "pin.H"
#elif !defined(COTTER_PIN_H)
#define COTTER_PIN_H
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "cotter/version.h"
#include "cotter/xed_enum.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "cotter/xed_decoded.h"
#include "cotter/all.h"
#ifdef __cplusplus
}
#endif
#endif

/* tool_macros.h: what names are like on this system. */
#ifndef COTTER_TOOL_MACROS_H
#define COTTER_TOOL_MACROS_H
#define C_MANGLE(name) name
#define SHARED_LIB(name) name ".so"
#define ASMNAME(name) asm(name)
#endif

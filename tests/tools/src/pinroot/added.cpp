/* Part of modern.cpp: a second file. */
#include "pin.H"
UINT64 Twice(UINT64 n) { return 2 * n; }

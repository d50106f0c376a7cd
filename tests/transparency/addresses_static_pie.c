/* The same addresses as natively, with ASLR off, in a program built with -static-pie -fPIE.
 * test-build: -static-pie -fPIE
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "addresses.c"

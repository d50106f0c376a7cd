/* The same addresses as natively, with ASLR off, in a program built with -static-pie -fPIE.
 * test-build: -static-pie -fPIE
 * test-prefix: setarch -R */
#include "addresses.c"

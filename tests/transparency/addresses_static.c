/* The same addresses as natively, with ASLR off, in a program built with -static.
 * test-build: -static
 * test-prefix: setarch -R */
#include "addresses.c"

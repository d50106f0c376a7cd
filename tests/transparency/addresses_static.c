/* The same addresses as natively, with ASLR off, in a program built with -static.
 * test-build: -static
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "addresses.c"

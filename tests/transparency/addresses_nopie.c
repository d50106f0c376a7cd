/* The same addresses as natively, with ASLR off, in a program built with -no-pie -fno-pie.
 * test-build: -no-pie -fno-pie
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "addresses.c"

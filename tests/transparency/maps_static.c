/* With ASLR off, /proc/self/maps of a static program is the native one but for Cotter's private range.
 * test-build: -static
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "maps.c"

/* The same addresses as natively with an unlimited stack, which makes the kernel place mappings bottom-up.
 * test-prefix: bash -c "ulimit -s unlimited; exec setarch -R \"$@\"" x
 * test-schemes: exec */
#include "addresses.c"

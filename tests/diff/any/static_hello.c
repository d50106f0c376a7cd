/* A statically linked program: its own start-up, IRELATIVE relocations, stdio, malloc.
 * test-build: -static
 * test-schemes: exec */
#include "t.h"

int main(int argc, char **argv)
{
    char *p = strdup("static");
    printf("%s %d %zu\n", p, argc, strlen(p));
    return DONE();
}

/* Arguments, environment and auxiliary vector entries that do not depend on addresses.
 * test-args: one "two words" '' --last
 * test-schemes: exec */
#include "t.h"
#include <sys/auxv.h>

extern char **environ;

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("argv[%d] = '%s'\n", i, argv[i]);
    for (char **e = environ; *e; e++)
        printf("env %s\n", *e);
    printf("page %lu clktck %lu uid %lu gid %lu secure %lu hwcap %lx platform %s phnum %lu\n", getauxval(AT_PAGESZ),
           getauxval(AT_CLKTCK), getauxval(AT_UID), getauxval(AT_GID), getauxval(AT_SECURE), getauxval(AT_HWCAP),
           (char *)getauxval(AT_PLATFORM), getauxval(AT_PHNUM));
    printf("execfn %d argv0 %d\n", strcmp((char *)getauxval(AT_EXECFN), argv[0]), argc);
    return DONE();
}

/* The addresses in /proc/self/stat: code, data, stack start, brk start, arguments, environment; with ASLR off.
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "t.h"

int main(void)
{
    char buf[4096] = "", *p;
    FILE *f = fopen("/proc/self/stat", "r");
    fread(buf, 1, sizeof buf - 1, f);
    fclose(f);
    p = strrchr(buf, ')') + 2;
    int field = 3;
    for (char *w = strtok(p, " "); w; w = strtok(NULL, " "), field++)
        if (field == 3 || (field >= 26 && field <= 28) || (field >= 45 && field <= 51) || field == 20 || field == 38)
            printf("field %d: %s\n", field, w);
    return DONE();
}

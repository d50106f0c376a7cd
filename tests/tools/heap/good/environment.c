/* setenv, getenv, putenv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (int i = 0; i < 100; i++) {
        char name[20];
        sprintf(name, "VAR%d", i);
        setenv(name, "value", 1);
    }
    return strcmp(getenv("VAR50"), "value") != 0;
}

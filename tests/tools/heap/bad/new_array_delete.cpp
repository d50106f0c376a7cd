/* error: mismatched-free */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main()
{
    char *p = new char[30];
    delete p; /* BUG */
}

/* objects that grow in an obstack, freed as a stack is */
#include <obstack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

int main(void)
{
    struct obstack o;
    obstack_init(&o);
    char *first = obstack_copy0(&o, "first", 5);
    for (int i = 0; i < 1000; i++)
        obstack_int_grow(&o, i);
    int *numbers = obstack_finish(&o);
    if (numbers[999] != 999 || strcmp(first, "first"))
        puts("wrong");
    obstack_free(&o, NULL);
}

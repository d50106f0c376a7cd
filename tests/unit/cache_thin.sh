# A program that generates code for ever, and now and then runs something for the first time that stays: the cache does not
# grow with the number of generations.
set -e
cat > p.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static unsigned char *page(void)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void put(unsigned char *at, int v)
{
    for (int i = 0; i < 60; i++)
        at[i] = 0x90;
    memcpy(at + 60, (unsigned char[]){0xb8, (unsigned char)v, (unsigned char)(v >> 8), 0, 0, 0xc3}, 6);
}
int main(int argc, char **argv)
{
    int rounds = atoi(argv[1]);
    unsigned char *fresh = NULL, *young = page();
    unsigned long sum = 0;
    for (int i = 0; i < rounds; i++) {
        put(young, i);
        sum += (unsigned long)((int (*)(void))young)();
        if (i % 400 == 0) {
            fresh = page();
            put(fresh, i);
            sum += (unsigned long)((int (*)(void))fresh)();
        }
    }
    printf("%lu\n", sum);
}
C
gcc -O1 -o p p.c
reserved() { $COTTER --stats=json --stats-file=stats -- ./p $1 > out; ./p $1 | cmp - out; grep -o '"cache_reserved": [0-9]*' stats | grep -o '[0-9]*$'; }
some=$(reserved 10000)
many=$(reserved 60000)
[ "$many" -le $((some + 1048576)) ] || { echo "cache: $some bytes after 10000 generations, $many after 60000"; exit 1; }

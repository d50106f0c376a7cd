# A program that unmaps, protects, maps over, moves and empties everything in Cotter's range, and closes every descriptor, is
# refused and lives; it sees errors as from a place where nothing is.
set -e
cat > p.c <<'C'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static unsigned long lo[4096], hi[4096];
static int n, done;
static int is_private(unsigned long a) { return a >= 0x550000000000 && a < 0x555500000000; }
static void attack(void *p, size_t size)
{
    done += munmap(p, size) == 0;
    done += mprotect(p, size, PROT_NONE) == 0;
    done += mmap(p, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p;
    done += madvise(p, size, MADV_DONTNEED) == 0;
    done += mremap(p, size, size * 2, MREMAP_MAYMOVE) != MAP_FAILED;
    done += mremap(p, 0, size, MREMAP_MAYMOVE) != MAP_FAILED;
}
int main(void)
{
    char line[512];
    FILE *f = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx", &lo[n], &hi[n]) == 2 && is_private(lo[n]))
            n++;
    fclose(f);
    for (int i = 0; i < n; i++)
        attack((void *)lo[i], hi[i] - lo[i]);
    attack((void *)0x550000000000, 0x5500000000);
    int before = done;
    attack((void *)0x7f000000, 0x600000);       /* the tables: given up for whoever maps something there */
    done = before;
    syscall(SYS_close_range, 3, ~0u, 0);
    for (int fd = 3; fd < 70000; fd++)
        close(fd);
    unsigned long s = 0;
    char *p = malloc(1 << 20);
    for (int i = 0; i < 1 << 20; i++)
        p[i] = (char)i, s += (unsigned long)p[i / 2];
    printf("%s of ours, %d attacks succeeded, %lu\n", n ? "some" : "none", done, s);
    return 0;
}
C
gcc -O1 -o p p.c
for options in "" "--stats" "--max-trace-ins=1" "--cache-limit=64k --cache-block=16k"; do
    got=$($COTTER $options -- ./p 2> err) || { echo "with $options: status $?: $got $(cat err)"; exit 1; }
    case $got in "some of ours, 0 attacks succeeded, "*) ;; *) echo "with $options: $got"; exit 1;; esac
    [ -z "$options" ] || [ "$options" != --stats ] || grep -q "traces made" err
done

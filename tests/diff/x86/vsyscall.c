/* The old vsyscall page still answers gettimeofday, time and getcpu, and agrees with the clock. */
#include "t.h"
#include <sys/time.h>

int main(void)
{
    if (access("/proc/self/maps", R_OK) == 0) {
        FILE *f = fopen("/proc/self/maps", "r");
        char line[512];
        int found = 0;
        while (fgets(line, sizeof line, f))
            found |= strstr(line, "[vsyscall]") != NULL;
        fclose(f);
        if (!found)
            return DONE();
    }
    struct timeval tv = {0};
    long ret = ((long (*)(struct timeval *, void *))0xffffffffff600000)(&tv, NULL);
    time_t now = time(NULL), t = ((time_t (*)(time_t *))0xffffffffff600400)(NULL);
    unsigned cpu = ~0u;
    long got = ((long (*)(unsigned *, unsigned *, void *))0xffffffffff600800)(&cpu, NULL, NULL);
    printf("%ld %d %d %ld %d\n", ret, labs(tv.tv_sec - now) <= 1, labs(t - now) <= 1, got, cpu < 4096);
    return DONE();
}

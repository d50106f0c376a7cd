/* Memory calls that fail, fail as natively: bad alignment, no memory, fixed without replace, unmapped ranges. */
#include "t.h"

int main(void)
{
    void *p = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#define TRY(x) (errno = 0, printf("%s: %d errno %d\n", #x, (long)(x) == -1, errno))
    TRY(mmap(p, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
    TRY(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    TRY(mmap((void *)((u64)p + 1), 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
    TRY(mmap(NULL, 1ul << 47, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    TRY(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 999, 0));
    TRY(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_SHARED | 0x100000, -1, 1));
    TRY(munmap((void *)((u64)p + 1), 4096));
    TRY(munmap((void *)0x10000, 4096));
    TRY(mprotect((void *)0x10000, 4096, PROT_READ));
    TRY(mprotect(p, 8192, 0x7777));
    TRY(mremap(p, 8192, 1ul << 47, MREMAP_MAYMOVE));
    TRY(madvise(p, 4096, 9999));
    TRY(msync(p, 4096, MS_SYNC));
    TRY(mlock(NULL, 4096));
    return DONE();
}

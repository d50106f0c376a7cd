/* A mapping call that fails leaves the page of translated code writable as it was. */
#include "t.h"

static int (*fn)(void);
static u8 *page;
static u8 next = 2;

static void after(const char *what, int failed)
{
    printf("%s: %s %d, ", what, failed ? "failed" : "done", failed ? errno : 0);
    page[1] = next++;
    printf("then %d\n", fn());
}

int main(void)
{
    static const u8 code[] = {0xb8, 1, 0, 0, 0, 0xc3}; /* mov eax, 1; ret */
    page = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    memcpy(page, code, sizeof code);
    fn = (int (*)(void))(void *)page;
    printf("%d\n", fn());
    after("mprotect, odd address", mprotect(page + 1, 10, PROT_READ));
    after("mmap, bad descriptor", mmap(page, 4096, PROT_READ, MAP_FIXED | MAP_PRIVATE, -1, 0) == MAP_FAILED);
    after("munmap, odd address", munmap(page + 1, 4096));
    after("mremap, too large", mremap(page, 4096, (size_t)1 << 50, 0) == MAP_FAILED);
    after("madvise, no such advice", madvise(page, 4096, 12345));
    munmap(page + 4096, 4096);
    after("mprotect, hole behind", mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC));
    return DONE();
}

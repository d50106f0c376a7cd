/* Another view of generated code that appears later, by mremap of size 0 or by shmat: a write there changes what runs; a
 * segment that was detached and its place taken by other code. */
#include "x86.h"
#include <sys/ipc.h>
#include <sys/shm.h>

static void put(u8 *at, u8 v) { memcpy(at, (u8[]){0xb8, v, 0, 0, 0, 0xc3}, 6); }
static int run(u8 *at) { return ((int (*)(void))at)(); }

int main(void)
{
    u8 *one = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    put(one, 1);
    printf("%d", run(one));
    u8 *two = mremap(one, 0, 4096, MREMAP_MAYMOVE);
    CHECK(two != MAP_FAILED);
    put(two, 2);
    printf(" %d", run(one));
    put(two, 3);
    printf(" %d %d\n", run(one), run(two));

    int id = shmget(IPC_PRIVATE, 3 * 4096, IPC_CREAT | 0700);
    u8 *a = shmat(id, NULL, SHM_EXEC);
    CHECK(a != (void *)-1);
    put(a + 8192, 4);
    printf("%d", run(a + 8192));
    u8 *b = shmat(id, NULL, 0);
    put(b + 8192, 5);
    printf(" %d", run(a + 8192));
    put(b + 8192, 6);
    printf(" %d", run(a + 8192));
    CHECK(mprotect(a + 4096, 4096, PROT_READ) == 0);
    CHECK(shmdt(a) == 0);
    u8 *again = mmap(a, 3 * 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK(again == a);
    put(a + 8192, 7);
    printf(" %d\n", run(a + 8192));
    shmctl(id, IPC_RMID, NULL);
    return DONE();
}

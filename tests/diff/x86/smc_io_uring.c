/* io_uring reads new code into a page that has been executed, and that is writable and executable. */
#include "x86.h"
#include <linux/io_uring.h>

static u8 *sq, *cq;
static struct io_uring_params p;
static struct io_uring_sqe *sqe;
static int ring;

static int read_into(int fd, void *to, u32 n, u64 from)
{
    u32 *tail = (u32 *)(sq + p.sq_off.tail), *array = (u32 *)(sq + p.sq_off.array);
    sqe[0] = (struct io_uring_sqe){.opcode = IORING_OP_READ, .fd = fd, .addr = (u64)to, .len = n, .off = from};
    array[*tail & *(u32 *)(sq + p.sq_off.ring_mask)] = 0;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
    CHECK(syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) == 1);
    u32 *head = (u32 *)(cq + p.cq_off.head);
    struct io_uring_cqe *cqe = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
    int res = cqe[*head & *(u32 *)(cq + p.cq_off.ring_mask)].res;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    return res;
}

int main(void)
{
    ring = (int)syscall(SYS_io_uring_setup, 8, &p);
    if (ring < 0)
        return printf("not permitted: %d\n", errno), DONE();
    sq = mmap(NULL, p.sq_off.array + 8 * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    cq = mmap(NULL, p.cq_off.cqes + 16 * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    sqe = mmap(NULL, 8 * sizeof *sqe, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    u8 *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(sq != MAP_FAILED && cq != MAP_FAILED && sqe != MAP_FAILED && code != MAP_FAILED);
    int file = open("code", O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (u8 v = 0; v < 20; v++)
        CHECK(write(file, (u8[]){0xb8, v, 0, 0, 0, 0xc3}, 6) == 6);
    for (u32 i = 0; i < 20; i++) {
        int res = read_into(file, code, 6, i * 6);
        printf("%d/%d ", res, ((int (*)(void))code)());
    }
    printf("\n");
    return DONE();
}

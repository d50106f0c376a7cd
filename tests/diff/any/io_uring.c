/* io_uring by raw system calls: a no-op, a write and a read; the kernel writes the results into shared memory. */
#include "t.h"
#include <linux/io_uring.h>

int main(void)
{
    struct io_uring_params p = {0};
    int fd = (int)syscall(SYS_io_uring_setup, 8, &p);
    if (fd < 0)
        return printf("not permitted: %d\n", errno), DONE();
    u8 *sq = mmap(NULL, p.sq_off.array + 8 * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
    u8 *cq = mmap(NULL, p.cq_off.cqes + 16 * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                  IORING_OFF_CQ_RING);
    struct io_uring_sqe *sqe = mmap(NULL, 8 * sizeof *sqe, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
    CHECK(sq != MAP_FAILED && cq != MAP_FAILED && sqe != MAP_FAILED);
    int file = open("file", O_RDWR | O_CREAT, 0644);
    char buf[16] = "";
    memset(sqe, 0, 3 * sizeof *sqe);
    sqe[0] = (struct io_uring_sqe){.opcode = IORING_OP_NOP, .user_data = 1, .flags = IOSQE_IO_LINK};
    sqe[1] = (struct io_uring_sqe){.opcode = IORING_OP_WRITE, .fd = file, .addr = (u64) "hello", .len = 5,
                                   .user_data = 2, .flags = IOSQE_IO_LINK};
    sqe[2] = (struct io_uring_sqe){.opcode = IORING_OP_READ, .fd = file, .addr = (u64)buf, .len = 5, .user_data = 3};
    u32 *tail = (u32 *)(sq + p.sq_off.tail), *array = (u32 *)(sq + p.sq_off.array);
    for (u32 i = 0; i < 3; i++)
        array[i] = i;
    __atomic_store_n(tail, *tail + 3, __ATOMIC_RELEASE);
    CHECK(syscall(SYS_io_uring_enter, fd, 3, 3, IORING_ENTER_GETEVENTS, NULL, 0) == 3);
    struct io_uring_cqe *cqe = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
    for (int i = 0; i < 3; i++)
        printf("%llu: %d\n", (unsigned long long)cqe[i].user_data, cqe[i].res);
    printf("%s\n", buf);
    return DONE();
}

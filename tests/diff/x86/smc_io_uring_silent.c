/* io_uring reads new code into a page that has been executed, and that is writable and executable, without a call that tells: a
 * thread of the kernel takes the work (SQPOLL); the buffer was registered long before. Code that changes its own next
 * instruction is right all the same. */
#include "x86.h"
#include <linux/io_uring.h>

static u8 *sq, *cq;
static struct io_uring_params p;
static struct io_uring_sqe *sqe;
static int ring;

static int take_result(void)
{
    u32 *head = (u32 *)(cq + p.cq_off.head), *tail = (u32 *)(cq + p.cq_off.tail);
    while (__atomic_load_n(tail, __ATOMIC_ACQUIRE) == *head)
        sched_yield();
    struct io_uring_cqe *cqe = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
    int res = cqe[*head & *(u32 *)(cq + p.cq_off.ring_mask)].res;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
    return res;
}

static int read_into(int op, int fd, void *to, u32 n, u64 from)
{
    u32 *tail = (u32 *)(sq + p.sq_off.tail), *array = (u32 *)(sq + p.sq_off.array);
    sqe[0] = (struct io_uring_sqe){.opcode = (u8)op, .fd = fd, .addr = (u64)to, .len = n, .off = from};
    array[*tail & *(u32 *)(sq + p.sq_off.ring_mask)] = 0;
    __atomic_store_n(tail, *tail + 1, __ATOMIC_SEQ_CST);
    if (!(p.flags & IORING_SETUP_SQPOLL))
        CHECK(syscall(SYS_io_uring_enter, ring, 1, 0, 0, NULL, 0) == 1);
    else if (__atomic_load_n((u32 *)(sq + p.sq_off.flags), __ATOMIC_SEQ_CST) & IORING_SQ_NEED_WAKEUP)
        syscall(SYS_io_uring_enter, ring, 0, 0, IORING_ENTER_SQ_WAKEUP, NULL, 0);
    return take_result();
}

static int set_up(u32 flags)
{
    p = (struct io_uring_params){.flags = flags, .sq_thread_idle = 2000};
    ring = (int)syscall(SYS_io_uring_setup, 8, &p);
    if (ring < 0)
        return 0;
    sq = mmap(NULL, p.sq_off.array + 8 * 4, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    cq = mmap(NULL, p.cq_off.cqes + 16 * sizeof(struct io_uring_cqe), PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    sqe = mmap(NULL, 8 * sizeof *sqe, PROT_READ | PROT_WRITE, MAP_SHARED, ring, IORING_OFF_SQES);
    CHECK(sq != MAP_FAILED && cq != MAP_FAILED && sqe != MAP_FAILED);
    return 1;
}

/* mov byte [rip+1], 77; mov eax, 1; ret: the second instruction is changed by the first. */
static int change_next(u8 *at)
{
    memcpy(at, (u8[]){0xc6, 0x05, 1, 0, 0, 0, 77, 0xb8, 1, 0, 0, 0, 0xc3}, 13);
    return ((int (*)(void))at)();
}

static void reads(int op, int file, u8 *code)
{
    for (u32 i = 0; i < 20; i++) {
        int res = read_into(op, file, code, 6, i * 6);
        printf("%d/%d ", res, ((int (*)(void))code)());
    }
    printf("next %d\n", change_next(code + 512));
}

int main(void)
{
    u8 *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int file = open("code", O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (u8 v = 0; v < 20; v++)
        CHECK(write(file, (u8[]){0xb8, v, 0, 0, 0, 0xc3}, 6) == 6);
    memcpy(code, (u8[]){0xb8, 99, 0, 0, 0, 0xc3}, 6);
    printf("%d\n", ((int (*)(void))code)());
    if (!set_up(IORING_SETUP_SQPOLL))
        return printf("not permitted: %d\n", errno), DONE();
    reads(IORING_OP_READ, file, code);
    if (!set_up(0))
        return printf("not permitted: %d\n", errno), DONE();
    struct iovec v = {code, 4096};
    CHECK(syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &v, 1) == 0);
    reads(IORING_OP_READ_FIXED, file, code);
    return DONE();
}

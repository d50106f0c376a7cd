/* uring.c: reads numbered bytes from a pipe through io_uring, waiting in io_uring_enter for each. Exit status 77: no io_uring. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N_BYTES = 1500 };
static int pipe_fd[2], ring, n_bad;
static struct { unsigned *tail, *mask, *array; struct io_uring_sqe *entry; } sq;
static struct { unsigned *head, *tail, *mask; struct io_uring_cqe *entry; } cq;

static void *writes(void *arg)
{
    for (int i = 0; i < N_BYTES; i++) {
        char c = (char)i;
        if (write(pipe_fd[1], &c, 1) != 1)
            break;
        usleep(2000);
    }
    return NULL;
}

static int set_up(void)
{
    struct io_uring_params p = {0};
    ring = (int)syscall(SYS_io_uring_setup, 4, &p);
    if (ring < 0 || pipe(pipe_fd))
        return 0;
    char *s = mmap(NULL, p.sq_off.array + p.sq_entries * 4, 3, MAP_SHARED, ring, IORING_OFF_SQ_RING);
    char *c = mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof *cq.entry, 3, MAP_SHARED, ring, IORING_OFF_CQ_RING);
    sq.entry = mmap(NULL, p.sq_entries * sizeof *sq.entry, 3, MAP_SHARED, ring, IORING_OFF_SQES);
    sq.tail = (void *)(s + p.sq_off.tail), sq.mask = (void *)(s + p.sq_off.ring_mask), sq.array = (void *)(s + p.sq_off.array);
    cq.head = (void *)(c + p.cq_off.head), cq.tail = (void *)(c + p.cq_off.tail), cq.mask = (void *)(c + p.cq_off.ring_mask);
    cq.entry = (void *)(c + p.cq_off.cqes);
    return 1;
}

static void submit_read(char *to)
{
    unsigned i = *sq.tail & *sq.mask;
    sq.entry[i] = (struct io_uring_sqe){.opcode = IORING_OP_READ, .fd = pipe_fd[0], .addr = (unsigned long)to, .len = 1, .off = ~0ull};
    sq.array[i] = i;
    __atomic_store_n(sq.tail, *sq.tail + 1, __ATOMIC_RELEASE);
    n_bad += syscall(SYS_io_uring_enter, ring, 1, 0, 0, 0, 0) != 1;
}

static int await(void)
{
    while (*cq.head == __atomic_load_n(cq.tail, __ATOMIC_ACQUIRE))
        n_bad += syscall(SYS_io_uring_enter, ring, 0, 1, IORING_ENTER_GETEVENTS, 0, 0) < 0;
    int result = cq.entry[*cq.head & *cq.mask].res;
    __atomic_store_n(cq.head, *cq.head + 1, __ATOMIC_RELEASE);
    return result;
}

int main(void)
{
    pthread_t t;
    char c;
    if (!set_up())
        return 77;
    pthread_create(&t, NULL, writes, NULL);
    puts("ready");
    fflush(stdout);
    for (int i = 0; i < N_BYTES; i++) {
        submit_read(&c);
        n_bad += await() != 1 || c != (char)i;
    }
    puts(n_bad ? "bytes lost" : "all bytes came");
    return n_bad != 0;
}

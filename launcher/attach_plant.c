/* attach_plant.c: what is put into a process that is attached to, before any of its threads is touched: the ELF, its stack, the
 * record, and the steps that the helper begins with. */
#include "launcher/attach_int.h"
#include "base/types.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

bool attach_put(struct attaching *a, uint64_t to, const void *from, size_t size)
{
    struct remote r = {.pid = a->all.pid};
    return remote_write(&r, to, from, size);
}

bool attach_put_image(struct attaching *a)
{
    const struct tool *t = &a->l->tool;
    for (int i = 0; i < t->header.e_phnum; i++) {
        const Elf64_Phdr *ph = &t->phdr[i];
        if (ph->p_type != PT_LOAD || !ph->p_filesz)
            continue;
        void *bytes = malloc(ph->p_filesz);
        bool ok = bytes && pread(t->fd, bytes, ph->p_filesz, (off_t)ph->p_offset) == (ssize_t)ph->p_filesz &&
                  attach_put(a, a->at.image + ph->p_vaddr, bytes, ph->p_filesz);
        free(bytes);
        if (!ok)
            return false;
    }
    return true;
}

uint64_t attach_put_stack(struct attaching *a)
{
    struct stack_image image;
    launch_plan_stack(a->l, &a->at, &a->plan);
    return stack_build(&a->plan, &image) && attach_put(a, image.sp, image.bytes, image.size) ? image.sp : 0;
}

bool attach_put_handoff(struct attaching *a)
{
    struct handoff *h = &a->l->handoff;
    h->mode = HANDOFF_ATTACH;
    h->threads = a->threads;
    h->max_threads = HANDOFF_MAX_THREADS;
    launch_fill_handoff(a->l, &a->at, &a->plan);
    return attach_put(a, a->at.handoff, h, sizeof *h);
}

/* The segments get their protection, the rest loses its permission to execute. */
bool attach_put_steps(struct attaching *a, uint64_t stack)
{
    static struct steps steps;
    const struct tool *t = &a->l->tool;
    memset(&steps, 0, sizeof steps);
    STEPS_CALL(&steps, SYS_mprotect, 0, a->at.image, a->end - a->at.image, PROT_READ | PROT_WRITE);
    for (int i = 0; i < t->header.e_phnum; i++) {
        const Elf64_Phdr *ph = &t->phdr[i];
        uint64_t lo = a->at.image + ROUND_DOWN(ph->p_vaddr, PAGE_SIZE);
        if (ph->p_type == PT_LOAD && !(ph->p_flags & PF_W))
            STEPS_CALL(&steps, SYS_mprotect, 0, lo, a->at.image + ROUND_UP(ph->p_vaddr + ph->p_memsz, PAGE_SIZE) - lo,
                       PROT_READ | (ph->p_flags & PF_X ? PROT_EXEC : 0u));
    }
    STEPS_CALL(&steps, SYS_mprotect, 0, a->at.base, a->at.steps - a->at.base, PROT_READ | PROT_WRITE);
    STEPS_CALL(&steps, SYS_mprotect, 0, a->threads, a->end - a->threads, PROT_READ | PROT_WRITE | PROT_EXEC);   /* `leave` */
    steps_finish(&steps, a->at.image + t->header.e_entry, stack);
    return attach_put(a, a->at.steps, &steps, sizeof steps);
}

long attach_map_first(struct attaching *a, struct tracee *t)
{
    launch_place(a->l, &a->at);
    a->threads = a->at.end + PAGE_SIZE;
    a->end = ROUND_UP(a->threads + HANDOFF_MAX_THREADS * sizeof(struct handoff_thread), PAGE_SIZE);
    long raw = REMOTE_CALL(&t->at, SYS_mmap, a->at.base, a->end - a->at.base, PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, ~0ull, 0);
    a->is_mapped = raw == (long)a->at.base;
    return a->is_mapped ? 0 : raw < 0 ? raw : -EEXIST;
}

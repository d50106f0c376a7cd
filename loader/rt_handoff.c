/* rt_handoff.c: find the launcher's record, and be recognisable as a Cotter tool. */
#include "rt_int.h"
#include <stddef.h>
#include <sys/auxv.h>

/* The launcher looks for this note before it plants an ELF: see launcher/tool.c. */
__attribute__((section(HANDOFF_NOTE_SECTION), used, aligned(4)))
static const struct handoff_note note = {
    .name_size = sizeof HANDOFF_NOTE_NAME, .desc_size = sizeof note.version + sizeof note.size, .type = HANDOFF_NOTE_TYPE,
    .name = HANDOFF_NOTE_NAME, .version = HANDOFF_VERSION, .size = sizeof(struct handoff),
};

void rt_handoff_begin(void)
{
    struct handoff *h = rt_handoff();
    if (h && h->steps_page)
        sys2(__NR_munmap, h->steps_page, PAGE_SIZE);
}

struct handoff *rt_handoff(void)
{
    static struct handoff *found;
    if (found)
        return found;
    struct handoff *h = (struct handoff *)getauxval(HANDOFF_AUXV);
    if (h && h->magic == HANDOFF_MAGIC && h->version == HANDOFF_VERSION)
        found = h;
    return found;
}

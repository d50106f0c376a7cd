/* img_attach.c: the images of a process that is attached to.
 *
 * What is mapped is in the kernel's list; in which order it was loaded, the program's dynamic linker knows: it keeps a list
 * for debuggers, which the program's dynamic section leads to. Everything of the application's is read with care: it runs. */
#include "api/image.h"
#include "engine/engine.h"
#include "engine/emulate/memory.h"
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mapping { struct mapping *next; addr_t lo, hi; u64 offset; bool is_code, is_noted; char path[]; };

static struct mapping *read_mappings(void)
{
    struct mapping *first = NULL, **last = &first;
    char line[4600], perms[5], path[4200];
    FILE *f = fopen("/proc/thread-self/maps", "re");
    while (f && fgets(line, sizeof line, f)) {
        unsigned long lo, hi, offset;
        if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %4199[^\n]", &lo, &hi, perms, &offset, path) != 5 || path[0] != '/' ||
            mem_is_private(lo, hi))
            continue;
        struct mapping *m = malloc(sizeof *m + strlen(path) + 1);
        *m = (struct mapping){ NULL, lo, hi, offset, perms[2] == 'x', false };
        strcpy(m->path, path);
        *last = m;
        last = &m->next;
    }
    if (f)
        fclose(f);
    return first;
}

static void forget(struct mapping *m)
{
    while (m) {
        struct mapping *next = m->next;
        free(m);
        m = next;
    }
}

static void note_code(struct mapping *list, const char *path)
{
    for (struct mapping *m = list; m; m = m->next)
        if (m->is_code && !m->is_noted && !strcmp(m->path, path)) {
            m->is_noted = true;
            image_note(m->path, m->lo, m->offset, 0);
        }
}

static const char *path_at(struct mapping *list, addr_t at)
{
    for (struct mapping *m = list; m; m = m->next)
        if (at >= m->lo && at < m->hi)
            return m->path;
    return NULL;
}

/* The program's DT_DEBUG entry; 0: static, or not where it is expected. */
static addr_t find_debug(void)
{
    addr_t at = engine_handoff->app_phdr, bias = 0, dynamic = 0;
    Elf64_Ehdr e;
    Elf64_Phdr ph;
    Elf64_Dyn d;
    if (!mem_copy_safely(&e, (void *)(at - sizeof e), sizeof e) || memcmp(e.e_ident, ELFMAG, SELFMAG))
        return 0;
    for (u32 i = 0; i < e.e_phnum && mem_copy_safely(&ph, (void *)(at + i * sizeof ph), sizeof ph); i++) {
        if (ph.p_type == PT_PHDR)
            bias = at - ph.p_vaddr;
        if (ph.p_type == PT_DYNAMIC)
            dynamic = ph.p_vaddr;
    }
    for (addr_t p = bias + dynamic; dynamic && mem_copy_safely(&d, (void *)p, sizeof d) && d.d_tag != DT_NULL; p += sizeof d)
        if (d.d_tag == DT_DEBUG)
            return d.d_un.d_ptr;
    return 0;
}

static void note_in_load_order(struct mapping *list)
{
    enum { MANY = 100000 };                         /* the list may change while it is read: it must end */
    struct r_debug debug;
    struct link_map m;
    addr_t at = find_debug();
    if (!at || !mem_copy_safely(&debug, (void *)at, sizeof debug))
        return;
    at = (addr_t)debug.r_map;
    for (u32 n = 0; at && n < MANY && mem_copy_safely(&m, (void *)at, sizeof m); n++, at = (addr_t)m.l_next) {
        const char *path = path_at(list, (addr_t)m.l_ld);
        if (path)
            note_code(list, path);
    }
}

void images_again(void)
{
    client_lock();
    struct mapping *list = read_mappings();
    note_in_load_order(list);
    for (struct mapping *m = list; m; m = m->next)
        if (m->is_code)
            note_code(list, m->path);
    forget(list);
    client_unlock();
}

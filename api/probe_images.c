/* probe_images.c: images in probe mode. Nobody tells of mappings, so the kernel's list is compared with ours: at the start, and
 * whenever the dynamic loader has loaded or unloaded something. */
#include "api/image.h"
#include "loader/rt.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line { addr_t lo, hi; u64 offset; bool is_code; char path[4096]; };

static bool read_line(FILE *f, struct line *l)
{
    char text[4352], prot[8];
    int at = 0;
    if (!fgets(text, sizeof text, f))
        return false;
    if (sscanf(text, "%lx-%lx %7s %lx %*s %*s %n", &l->lo, &l->hi, prot, &l->offset, &at) < 4)
        return false;
    text[strcspn(text, "\n")] = 0;
    snprintf(l->path, sizeof l->path, "%s", at ? text + at : "");
    l->is_code = prot[2] == 'x' && l->path[0] == '/';
    return true;
}

/* Is its code still mapped? The kernel adds a word to the names of deleted files. */
static bool is_mapped(const struct image *m, const struct line *lines, u32 n)
{
    for (u32 i = 0; i < n; i++)
        if (lines[i].lo <= m->high && lines[i].hi > m->low && !strncmp(lines[i].path, m->path, strlen(m->path)))
            return true;
    return (sym_flags(m->sym) & (SYM_VDSO | SYM_MAIN | SYM_INTERP)) != 0;
}

static u32 read_code(struct line **lines)
{
    FILE *f = fopen("/proc/thread-self/maps", "re");
    u32 n = 0, room = 0;
    struct line *l = malloc(sizeof *l);
    for (*lines = NULL; f && read_line(f, l);) {
        if (!l->is_code || (l->lo >= PRIV_LO && l->lo < PRIV_HI))
            continue;
        if (n == room)
            *lines = realloc(*lines, (room = room * 2 + 32) * sizeof **lines);
        (*lines)[n++] = *l;
    }
    free(l);
    if (f)
        fclose(f);
    return n;
}

void images_refresh(void)
{
    struct line *lines;
    client_lock();
    u32 n = read_code(&lines);
    for (struct image *m = image_first(), *next; n && m; m = next) {
        next = m->next;
        if (!is_mapped(m, lines, n))
            image_remove(m);
    }
    for (u32 i = 0; i < n; i++)
        if (!image_at(lines[i].lo))
            image_note(lines[i].path, lines[i].lo, lines[i].offset, 0);
    free(lines);
    client_unlock();
}

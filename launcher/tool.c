/* tool.c: see tool.h. */
#include "launcher/tool.h"
#include "launcher/near.h"
#include "launcher/say.h"
#include "loader/handoff.h"
#include "base/types.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *tool_launcher(void)
{
    static char path[TOOL_PATH_MAX];
    if (!path[0]) {
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
        if (n <= 0 || n == sizeof path - 1)
            fail(STATUS_FAILED, "cannot tell where the command itself is: /proc must be mounted");
        path[n] = 0;
    }
    return path;
}

const char *tool_library(void)
{
    static char path[TOOL_PATH_MAX];
    if (!path[0]) {
        const char *self = tool_launcher();
        const char *bin = strrchr(self, '/');
        while (bin > self && bin[-1] != '/')
            bin--;
        snprintf(path, sizeof path, "%.*slib/cotter", (int)(bin - self), self);
    }
    return path;
}

/* Notes are short and stand near the start of the file. Copies the start of what the note of this type says. */
static bool find_note(int fd, const Elf64_Phdr *ph, uint32_t type, void *to, size_t room)
{
    char notes[2048];
    size_t size = MIN(ph->p_filesz, sizeof notes), align = ph->p_align == 8 ? 8 : 4;
    if (ph->p_type != PT_NOTE || pread(fd, notes, size, (off_t)ph->p_offset) != (ssize_t)size)
        return false;
    for (size_t at = 0; at + offsetof(struct handoff_note, size) <= size;) {
        const struct handoff_note *n = (const void *)(notes + at);
        size_t text = at + offsetof(struct handoff_note, version);
        if (n->name_size == sizeof HANDOFF_NOTE_NAME && n->type == type && text + n->desc_size <= size &&
            !memcmp(n->name, HANDOFF_NOTE_NAME, sizeof HANDOFF_NOTE_NAME)) {
            memcpy(to, notes + text, MIN(n->desc_size, room));
            return true;
        }
        at += 12 + ROUND_UP((size_t)n->name_size, align) + ROUND_UP((size_t)n->desc_size, align);
    }
    return false;
}

static void check_version(struct tool *t)
{
    struct { uint32_t version, size; } built = { 0, 0 };
    for (int i = 0; i < t->header.e_phnum; i++) {
        if (!find_note(t->fd, &t->phdr[i], HANDOFF_NOTE_TYPE, &built, sizeof built))
            continue;
        if (built.version != HANDOFF_VERSION)
            fail(STATUS_FAILED, "%s was built for version %u of the engine's interface, this is %u: build it again",
                 t->path, built.version, HANDOFF_VERSION);
        if (built.size != sizeof(struct handoff))
            fail(STATUS_FAILED, "%s was built for an engine with other options: build it again", t->path);
        return;
    }
    fail(STATUS_FAILED, "%s is not a Cotter tool: link it with libcotter.a (cotter build)", t->path);
}

bool tool_read_about(const char *path, char *text, size_t room)
{
    Elf64_Ehdr e;
    Elf64_Phdr ph;
    bool found = false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    if (pread(fd, &e, sizeof e, 0) == sizeof e && !memcmp(e.e_ident, ELFMAG, SELFMAG))
        for (int i = 0; i < e.e_phnum && !found; i++)
            found = pread(fd, &ph, sizeof ph, (off_t)(e.e_phoff + (size_t)i * sizeof ph)) == sizeof ph &&
                    find_note(fd, &ph, HANDOFF_NOTE_ABOUT, text, room - 1);
    text[found ? room - 1 : 0] = 0;
    close(fd);
    return found;
}

static void read_headers(struct tool *t)
{
    Elf64_Ehdr *e = &t->header;
    if (pread(t->fd, e, sizeof *e, 0) != sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG))
        fail(STATUS_FAILED, "%s is not a Cotter tool: it is not an ELF file", t->path);
    if (e->e_ident[EI_CLASS] != ELFCLASS64 || e->e_machine != EM_X86_64)
        fail(STATUS_FAILED, "%s is a tool for another kind of program (this is 64-bit x86)", t->path);
    size_t bytes = e->e_phnum * sizeof t->phdr[0];
    if (e->e_type != ET_DYN || e->e_phnum > TOOL_PHDR_MAX || e->e_phentsize != sizeof t->phdr[0] ||
        pread(t->fd, t->phdr, bytes, (off_t)e->e_phoff) != (ssize_t)bytes)
        fail(STATUS_FAILED, "%s is not a static-PIE: build it with cotter build", t->path);
}

static void check_segments(struct tool *t)
{
    struct stat st;
    if (fstat(t->fd, &st))
        fail(STATUS_FAILED, "cannot read %s: %s", t->path, strerror(errno));
    for (int i = 0; i < t->header.e_phnum; i++) {
        const Elf64_Phdr *ph = &t->phdr[i];
        if (ph->p_type == PT_INTERP)
            fail(STATUS_FAILED, "%s is not a static-PIE: build it with cotter build", t->path);
        if (ph->p_type != PT_LOAD)
            continue;
        if (ph->p_filesz > (uint64_t)st.st_size || ph->p_offset > (uint64_t)st.st_size - ph->p_filesz)
            fail(STATUS_FAILED, "%s is truncated", t->path);
        t->span = MAX(t->span, ROUND_UP(ph->p_vaddr + ph->p_memsz, PAGE_SIZE));
    }
    uint64_t room = PRIV_CACHE - PRIV_LO - (64 << 20);
    if (!t->span || t->span > room)
        fail(STATUS_FAILED, "%s has %lu MB of code and static data, and there is room for %lu: allocate large arrays when the tool runs",
             t->path, (unsigned long)(t->span >> 20), (unsigned long)(room >> 20));
}

static int is_name(const struct dirent *d) { return d->d_name[0] != '.'; }

int tool_list(struct dirent ***list)
{
    char path[TOOL_PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/tools", tool_library());
    int n = scandir(path, list, is_name, alphasort);
    if (n < 0 && errno != ENOENT)
        fail(STATUS_FAILED, "cannot read %s: %s", path, strerror(errno));
    return n;
}

static void bundled_path(char *path, size_t room, const char *name) { snprintf(path, room, "%s/tools/%s", tool_library(), name); }

static bool is_bundled(const char *name)
{
    char path[TOOL_PATH_MAX + 64];
    bundled_path(path, sizeof path, name);
    return name[0] && !strchr(name, '/') && !access(path, F_OK);
}

/* path is absolute. */
static void open_tool(struct tool *t, const char *path)
{
    memset(t, 0, sizeof *t);
    if (snprintf(t->path, sizeof t->path, "%s", path) >= (int)sizeof t->path)
        fail(STATUS_FAILED, "tool %s: the path is too long", path);
    t->fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);      /* a pipe: found out below */
    if (t->fd < 0)
        fail(STATUS_FAILED, "tool %s: %s", path, strerror(errno));
    read_headers(t);
    check_version(t);
    check_segments(t);
}

void tool_open_path(struct tool *t, const char *path)
{
    char absolute[PATH_MAX];
    if (!realpath(path, absolute)) {
        if (errno == ENOENT && is_bundled(path))
            fail(STATUS_FAILED, "tool %s: there is no such file here; for the bundled tool: cotter run %s", path, path);
        fail(STATUS_FAILED, "tool %s: %s", path, strerror(errno));
    }
    open_tool(t, absolute);
}

static void refuse_name(const char *name)
{
    struct near near = near_to(name);
    struct dirent **list;
    int n = tool_list(&list);
    for (int i = 0; i < n; i++)
        near_try(&near, list[i]->d_name);
    if (near.best)
        fail(STATUS_FAILED, "no bundled tool is called '%s'; did you mean %s?", name, near.best);
    fail(STATUS_FAILED, "no bundled tool is called '%s' (see cotter list)", name);
}

void tool_open_bundled(struct tool *t, const char *name)
{
    char path[TOOL_PATH_MAX + 64];
    if (!name[0] || strchr(name, '/') || strlen(name) > 48)
        fail(STATUS_FAILED, "run wants the name of a bundled tool (cotter list); for a path: cotter -t %s", name[0] ? name : "TOOL");
    bundled_path(path, sizeof path, name);
    if (access(path, F_OK))
        refuse_name(name);
    open_tool(t, path);
}

void tool_open_none(struct tool *t)
{
    char path[TOOL_PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/none", tool_library());
    open_tool(t, path);
}

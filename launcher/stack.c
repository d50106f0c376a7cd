/* stack.c: see stack.h. From the top down: eight zero bytes, the file name, environment and argument strings, the
 * platform string, sixteen random bytes, the auxiliary vector, the pointer vectors, argc. */
#include "launcher/stack.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

uint64_t auxv_get(const Elf64_auxv_t *v, uint64_t tag)
{
    for (; v->a_type != AT_NULL; v++) {
        if (v->a_type == tag)
            return v->a_un.a_val;
    }
    return 0;
}

void auxv_set(Elf64_auxv_t *v, uint64_t tag, uint64_t value)
{
    int n = 0;
    while (v[n].a_type != AT_NULL && v[n].a_type != tag)
        n++;
    if (v[n].a_type == AT_NULL) {
        if (n >= AUXV_MAX - 1)
            return;
        v[n + 1] = v[n];
    }
    v[n].a_type = tag;
    v[n].a_un.a_val = value;
}

static size_t count_strings(char **list, size_t *bytes)
{
    size_t n = 0;
    for (; list[n]; n++)
        *bytes += strlen(list[n]) + 1;
    return n;
}

size_t stack_room(const struct stack_plan *p)
{
    size_t bytes = strlen(p->execfn) + strlen(p->platform) + 2;
    size_t pointers = count_strings(p->argv, &bytes) + count_strings(p->envp, &bytes);
    return bytes + (pointers + 3) * sizeof(uint64_t) + sizeof p->auxv + p->gap + 128;
}

struct writer { struct stack_image *s; uint64_t top, at; };

static void *local(const struct writer *w, uint64_t address)
{
    return w->s->bytes + w->s->size - (w->top - address);
}

static uint64_t push(struct writer *w, const void *bytes, size_t n)
{
    w->at -= n;
    memcpy(local(w, w->at), bytes, n);
    return w->at;
}

static uint64_t push_string(struct writer *w, const char *s)
{
    return push(w, s, strlen(s) + 1);
}

/* Strings lie in the order of the list, so the last one is pushed first. */
static size_t push_strings(struct writer *w, char **list)
{
    size_t n = 0;
    while (list[n])
        n++;
    for (size_t i = n; i-- > 0;)
        push_string(w, list[i]);
    return n;
}

static uint64_t *point_at_strings(uint64_t *out, uint64_t first, char **list)
{
    for (; *list; list++) {
        *out++ = first;
        first += strlen(*list) + 1;
    }
    *out++ = 0;
    return out;
}

int stack_build(const struct stack_plan *p, struct stack_image *s)
{
    struct writer w = {s, p->top, p->top};
    Elf64_auxv_t aux[AUXV_MAX];
    unsigned char random[16];
    memset(s, 0, sizeof *s);
    s->size = (stack_room(p) + 4095) & ~4095ul;
    s->bytes = calloc(1, s->size);
    if (!s->bytes || getrandom(random, sizeof random, 0) != sizeof random)
        return 0;

    w.at -= 8;
    uint64_t execfn = push_string(&w, p->execfn);
    s->env_end = w.at;
    size_t n_env = push_strings(&w, p->envp);
    s->env_start = s->arg_end = w.at;
    size_t n_arg = push_strings(&w, p->argv);
    s->arg_start = w.at;

    w.at = (w.at - p->gap) & ~15ull;
    uint64_t platform = push_string(&w, p->platform);
    uint64_t random_at = push(&w, random, sizeof random);

    memcpy(aux, p->auxv, sizeof aux);
    auxv_set(aux, AT_EXECFN, execfn);
    auxv_set(aux, AT_PLATFORM, platform);
    auxv_set(aux, AT_RANDOM, random_at);
    size_t n_aux = 1;
    while (aux[n_aux - 1].a_type != AT_NULL)
        n_aux++;
    s->auxv_size = n_aux * sizeof aux[0];

    w.at = (w.at - s->auxv_size - (n_arg + n_env + 3) * 8) & ~15ull;
    uint64_t *out = local(&w, w.at);
    s->sp = w.at;
    *out++ = n_arg;
    out = point_at_strings(out, s->arg_start, p->argv);
    out = point_at_strings(out, s->env_start, p->envp);
    s->auxv = s->sp + (uint64_t)((unsigned char *)out - (unsigned char *)local(&w, s->sp));
    memcpy(out, aux, s->auxv_size);
    s->bytes = local(&w, s->sp);
    s->size = p->top - s->sp;
    return 1;
}

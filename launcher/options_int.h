/* options_int.h: the table of options, made from the .def lists. */
#ifndef LAUNCHER_OPTIONS_INT_H
#define LAUNCHER_OPTIONS_INT_H
#include "launcher/options.h"

enum option_kind { KIND_FLAG, KIND_NUM, KIND_TEXT, KIND_ENUM };

struct option {
    const char *name;
    enum option_kind kind;
    size_t offset;              /* in struct options */
    const char *arg;            /* NUM, TEXT: what the value is; ENUM: its words */
    uint64_t dflt, lo, hi;
    const char *help;
};

extern const struct option option_table[];
extern const size_t option_count;

uint32_t *option_word(const struct options *o, const struct option *opt);
uint64_t *option_num(const struct options *o, const struct option *opt);
char *option_text(const struct options *o, const struct option *opt);

const struct option *option_find(const char *name, size_t length);
const char *option_nearest(const char *name);       /* NULL: nothing is near */
int enum_index(const char *words, const char *word); /* -1: not one of them */
void enum_word(const char *words, uint32_t index, char *out, size_t room);

/* Set from text. Fails with a clear line. */
void option_set(struct options *o, const struct option *opt, const char *value);
void option_defaults(struct options *o);
#endif

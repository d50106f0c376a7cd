/* steps.c: see steps.h. */
#include "launcher/steps.h"
#include "launcher/say.h"
#include <string.h>

extern const unsigned char steps_code[], steps_code_end[];
_Static_assert(sizeof(struct step) == 64, "steps.S knows the layout");
_Static_assert(sizeof(struct steps) <= 4096, "one page of the target holds it");

void steps_add(struct steps *s, uint64_t number, const uint64_t args[6], uint64_t want)
{
    if (s->n == STEPS_MAX)
        fail(STATUS_FAILED, "the tool or the program has too many segments");
    struct step *step = &s->list[s->n++];
    step->number = number;
    memcpy(step->args, args, sizeof step->args);
    step->want = want;
}

void steps_finish(struct steps *s, uint64_t address, uint64_t stack)
{
    steps_add(s, STEP_JUMP, (const uint64_t[6]){address, stack}, 0);
    memcpy(s->code, steps_code, (size_t)(steps_code_end - steps_code));
}

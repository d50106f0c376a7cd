/* rt_note.c: be recognisable as a Cotter tool: the launcher looks for this note before it plants an ELF (launcher/tool.c). */
#include "rt_int.h"

__attribute__((section(HANDOFF_NOTE_SECTION), used, aligned(4)))
static const struct handoff_note note = {
    .name_size = sizeof HANDOFF_NOTE_NAME, .desc_size = sizeof note.version + sizeof note.size, .type = HANDOFF_NOTE_TYPE,
    .name = HANDOFF_NOTE_NAME, .version = HANDOFF_VERSION, .size = sizeof(struct handoff),
};

/* follow.h: children of the program under Cotter too (-f).
 *
 * When a followed program executes PATH with arguments ARGV, the engine executes instead
 *
 *     LAUNCHER with   cotter, handoff.follow_args..., --exec-as, PATH, --, ARGV...
 *
 * and the same environment. follow_args are the options that differ from their defaults, then `-t TOOL` and the tool's
 * options. --exec-as means: execute exactly PATH, and leave ARGV[0] as it is. */
#ifndef LAUNCHER_FOLLOW_H
#define LAUNCHER_FOLLOW_H
#include "launcher/launch.h"
#include "loader/exe.h"

void follow_fill(struct launch *l);

/* What may not be run under Cotter is run natively, and a line says so: a child must not fail because its parent is
 * watched. What cannot be run at all fails as it would natively. */
void follow_natively(const struct options *o, enum exe_verdict why) __attribute__((noreturn));
#endif

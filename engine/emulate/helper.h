/* helper.h: the launcher's helper, which planted the engine, is a child of this process until it is reaped. */
#ifndef EMULATE_HELPER_H
#define EMULATE_HELPER_H

/* Called last before the application's first instruction: by then it has mostly ended, and nothing is waited for. */
void helper_reap(void);
#endif

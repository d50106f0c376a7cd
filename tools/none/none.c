/* none.c: the engine without a tool. `cotter -- PROGRAM` plants this. */
#include "engine/engine.h"
#include "loader/rt.h"

int main(void)
{
    rt_init();
    engine_start(rt_handoff());
}

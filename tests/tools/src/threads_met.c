/* threads_met.c: what a tool is told when it is attached: images before the start, then each thread. */
#include <pin.h>
static UINT32 n_images, n_attached, n_started, n_detached, is_started, order;
static VOID image(IMG img, VOID *v)
{
    if (n_images++ == 0 && !IMG_IsMainExecutable(img))
        order++;
    if (is_started == 0 && PIN_IsAttaching() == FALSE)
        order++;
}
static VOID start(VOID *v) { is_started = 1; }
static VOID attached(THREADID tid, CONTEXT *c, VOID *v)
{
    order += !is_started || PIN_GetContextReg(c, REG_STACK_PTR) == 0;
    n_attached++;
}
static VOID started(THREADID tid, CONTEXT *c, INT32 flags, VOID *v) { n_started++; }
static VOID left(THREADID tid, const CONTEXT *c, VOID *v) { n_detached++; }
static VOID count(VOID) { }
static VOID trace(TRACE t, VOID *v) { TRACE_InsertCall(t, IPOINT_BEFORE, AFUNPTR(count), IARG_END); }
static VOID detached(VOID *v)
{
    if (order || n_images < 3 || n_attached > PIN_GetInitialThreadCount() || n_started < n_attached || n_detached == 0) {
        fprintf(stdout, "bad: images %u attached %u of %u started %u detached %u order %u\n", n_images, n_attached,
                PIN_GetInitialThreadCount(), n_started, n_detached, order);
        fflush(stdout);
    }
}
int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(image, 0);
    TRACE_AddInstrumentFunction(trace, 0);
    PIN_AddApplicationStartFunction(start, 0);
    PIN_AddThreadAttachFunction(attached, 0);
    PIN_AddThreadStartFunction(started, 0);
    PIN_AddThreadDetachFunction(left, 0);
    PIN_AddDetachFunction(detached, 0);
    PIN_StartProgram();
}

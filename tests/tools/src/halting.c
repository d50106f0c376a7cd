/* halting.c: a tool that does not get as far as starting the program, in one of several ways. */
#include <pin.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
KNOB_TEXT(how, "how", "return", "return, exit, raw, crash, abort, wait or late");
int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    if (!strcmp(how, "exit"))
        exit(3);
    if (!strcmp(how, "raw"))
        PIN_ExitProcess(4);
    if (!strcmp(how, "crash"))
        *(volatile int *)(uintptr_t)argc = 1;
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "wait")) {
        fprintf(stderr, "waiting\n");
        for (;;)
            usleep(1000);
    }
    if (!strcmp(how, "late")) {
        fprintf(stderr, "waiting\n");
        for (int i = 0; i < 500; i++)
            usleep(1000);
        exit(5);
    }
    return 1;
}

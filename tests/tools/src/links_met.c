/* links_met.c: the images that a tool is told of, before the application starts under it. */
#include <pin.h>
#include <string.h>
static UINT32 is_started, n;
static VOID image(IMG img, VOID *v)
{
    const char *slash = strrchr(IMG_Name(img), '/');
    if (n++ == 0)
        fprintf(stderr, "main %d\n", IMG_IsMainExecutable(img));
    else if (slash && !strstr(slash, "/ld-linux") && !is_started)
        fprintf(stderr, "image %s\n", slash + 1);
}
static VOID start(VOID *v)
{
    is_started = 1;
    fprintf(stderr, "start\n");
}
int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(image, 0);
    PIN_AddApplicationStartFunction(start, 0);
    PIN_StartProgram();
}

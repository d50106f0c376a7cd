/* exec that fails: missing, not executable, a folder, no format, too many arguments; the program goes on unharmed. */
#include "t.h"
#include <sys/stat.h>

static void try(const char *path, char **argv)
{
    execv(path, argv);
    printf("%s: %s\n", path, strerror(errno));
}

int main(void)
{
    char *args[] = {"x", NULL};
    FILE *f = fopen("noformat", "w");
    fputs("\x01\x02 nothing that can run\n", f), fclose(f);
    chmod("noformat", 0755);
    f = fopen("noexec", "w");
    fclose(f);
    f = fopen("badscript", "w");
    fputs("#!/nonexistent/interpreter\n", f), fclose(f);
    chmod("badscript", 0755);
    try("/nonexistent", args);
    try("noexec", args);
    try("/tmp", args);
    try("noformat", args);
    try("badscript", args);
    try("noformat/x", args);
    static char *many[200001];
    for (int i = 0; i < 200000; i++)
        many[i] = "a rather long argument that makes it too much in total";
    try("/bin/true", many);
    printf("fexecve %d %s\n", fexecve(open("/", O_RDONLY), args, args), strerror(errno));
    return DONE();
}

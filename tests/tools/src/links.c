/* links.c: loads libraries in an order that is neither that of their names nor that of their addresses, says in which order its own
 * loader has them, and sleeps. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int show(struct dl_phdr_info *info, size_t size, void *unused)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    if (slash && !strstr(slash, "/ld-linux"))
        printf("image %s\n", slash + 1);
    return 0;
}

int main(void)
{
    static const char *const names[] = {"libthread_db.so.1", "libm.so.6", "libresolv.so.2", "libanl.so.1", "libBrokenLocale.so.1"};
    void *gone = dlopen("libutil.so.1", RTLD_NOW);          /* its place may be taken by the next */
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (!dlopen(names[i], RTLD_NOW))
            printf("no %s\n", names[i]);
        if (i == 1 && gone)
            dlclose(gone);
    }
    dl_iterate_phdr(show, NULL);
    puts("ready");
    fflush(stdout);
    for (;;)
        sleep(1);
}

/* Files: create, append, seek, rename, link, truncate, folders, permissions; the scratch folder is compared
 * afterwards. */
#include "t.h"
#include <sys/stat.h>

int main(void)
{
    mkdir("dir", 0755);
    FILE *f = fopen("dir/a", "w");
    for (int i = 0; i < 10000; i++)
        fprintf(f, "line %d\n", i);
    fseek(f, 100, SEEK_SET);
    fputs("OVER", f);
    fclose(f);
    f = fopen("dir/a", "a");
    fputs("appended\n", f);
    fclose(f);
    link("dir/a", "dir/b"), symlink("dir/a", "sym"), rename("dir/b", "moved");
    int fd = open("sparse", O_RDWR | O_CREAT, 0600);
    pwrite(fd, "x", 1, 100000);
    ftruncate(fd, 50000);
    char *m = mmap(NULL, 50000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    memset(m + 1000, 'm', 1000);
    munmap(m, 50000);
    close(fd);
    chmod("sparse", 0640);
    struct stat st;
    stat("sym", &st);
    printf("%ld %ld\n", (long)st.st_size, (long)st.st_nlink);
    return DONE();
}

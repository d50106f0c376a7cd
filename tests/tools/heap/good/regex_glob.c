/* library functions that allocate much by themselves: regular expressions, globbing, directories, users, printf to memory */
#include <dirent.h>
#include <glob.h>
#include <pwd.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    regex_t r;
    regmatch_t m[3];
    if (!regcomp(&r, "([a-z]+)=([0-9]+)", REG_EXTENDED)) {
        if (!regexec(&r, "some text key=42 more", 3, m, 0))
            printf("%d %d\n", (int)m[1].rm_so, (int)m[2].rm_eo);
        regfree(&r);
    }
    glob_t g;
    if (!glob("/etc/host*", 0, NULL, &g)) {
        printf("%d\n", g.gl_pathc > 0);
        globfree(&g);
    }
    struct dirent **names;
    int n = scandir("/etc", &names, NULL, alphasort);
    while (n-- > 0)
        free(names[n]);
    free(names);
    printf("%d\n", getpwuid(0) != NULL);
    hcreate(50);
    ENTRY e = { "key", "value" };
    hsearch(e, ENTER);
    hdestroy();
}

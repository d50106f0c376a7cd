/* posix_spawn with file actions and attributes, system(), popen() both ways.
 * test-follow: yes
 * test-schemes: exec */
#include "t.h"
#include <spawn.h>

extern char **environ;

int main(void)
{
    pid_t pid;
    posix_spawn_file_actions_t fa;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 1, "spawned", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CHECK(posix_spawn(&pid, "/bin/echo", &fa, NULL, (char *[]){"echo", "to a file", NULL}, environ) == 0);
    t_wait("spawn", pid);
    printf("missing: %d\n", posix_spawn(&pid, "/nonexistent", NULL, NULL, (char *[]){"x", NULL}, environ));
    CHECK(posix_spawnp(&pid, "sh", NULL, NULL, (char *[]){"sh", "-c", "exit 12", NULL}, environ) == 0);
    t_wait("spawnp", pid);
    t_print_status("system", system("cat spawned; exit 3"));
    t_print_status("system signal", system("kill -9 $$"));
    FILE *f = popen("echo one; echo two", "r");
    char line[64];
    while (fgets(line, sizeof line, f))
        printf("read %s", line);
    t_print_status("pclose", pclose(f));
    fflush(stdout);
    f = popen("tr a-z A-Z", "w");
    fprintf(f, "shout\n");
    t_print_status("pclose", pclose(f));
    return DONE();
}

#!/bin/sh
# The second way in: a program started by user-space exec sees its own /proc/self/exe and can execute itself again.
set -e
cotter=$COTTER
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cat > "$dir/p.c" <<'C'
#include <stdio.h>
#include <unistd.h>
#include <sys/stat.h>
int main(int c, char **v)
{
    char b[300];
    struct stat s;
    ssize_t n = readlink("/proc/self/exe", b, sizeof b - 1);
    b[n > 0 ? n : 0] = 0;
    stat("/proc/self/exe", &s);
    printf("%s %ld\n", b, (long)s.st_size);
    fflush(stdout);
    if (c < 2)
        execl("/proc/self/exe", "p", "again", (char *)NULL);
    return 0;
}
C
gcc -o "$dir/p" "$dir/p.c"
"$dir/p" > "$dir/native"
for options in "--inject=exec" "--inject=exec -f" "-f"; do
    $cotter $options -- "$dir/p" > "$dir/here"
    cmp "$dir/native" "$dir/here"
done

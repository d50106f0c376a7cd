# A seccomp filter that forbids a call that the engine needs does not hit the engine, and is not mentioned. But for one that is
# so long that nothing can be put in front of it: there one line names the calls, before the filter is in force.
set -e
cat > p.c <<'C'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    static struct sock_filter code[4096];
    struct sock_filter end[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_STMT(BPF_MISC | BPF_TAX, 0),
        BPF_STMT(BPF_ALU | BPF_ADD | BPF_K, 1),
        BPF_STMT(BPF_ALU | BPF_SUB | BPF_K, 1),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, atoi(argv[1]), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    int is_long = strstr(argv[0], "long") != NULL, n = is_long ? 4096 : 8;
    for (int i = 0; i < n; i++)
        code[i] = i < n - 8 ? (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, 0) : end[i - (n - 8)];
    struct sock_fprog prog = {n, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (argc > 2)
        return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}
C
gcc -o p p.c
ln -s p long
says() {                        # says EXPECTED LINES, program arguments...
    want=$1; shift
    $COTTER -- ./${program:-p} "$@" 2> err
    got=$(grep -c "seccomp filter forbids $name, which Cotter needs" err || true)
    [ "$got" = "$want" ] && [ "$(wc -l < err)" = "$want" ] || { echo "for $*: $(cat err)"; exit 1; }
}
name=. says 0 28
name=. says 0 28 by-seccomp
name=. says 0 110
program=long name=madvise says 1 28
program=long name=madvise says 1 28 by-seccomp
program=long name=sigaltstack says 1 131
program=long name=. says 0 110
[ -z "$($COTTER -q -- ./long 28 2>&1)" ]

# Where the line cannot be written the program lives on: a file of any size is too large, nobody reads the pipe.
(ulimit -f 0; trap '' PIPE; exec $COTTER -- ./long 28 2> limited) || { echo "a limit of file sizes: status $?"; exit 1; }
[ ! -s limited ]
cat > alive.c <<'C'
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_DFL), signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    execv("./long", (char *[]){"long", "28", NULL});
    return 9;
}
C
gcc -o alive alive.c
$COTTER -f -- ./alive 2> limited || { echo "a limit of file sizes, default action: status $?"; exit 1; }
mkfifo pipe
(exec 3<> pipe 4> pipe 3<&-; $COTTER -f -- bash -c 'trap - PIPE; exec ./long 28' 2>&4) || { echo "a pipe without a reader: status $?"; exit 1; }

# A filter that has a supervisor asked about a call that the engine performs itself: it is allowed, and a line says so, once.
cat > asked.c <<'C'
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog prog = {4, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog) < 0)
        return 1;
    return signal(SIGUSR1, SIG_IGN) || signal(SIGUSR1, SIG_DFL) != SIG_IGN;
}
C
gcc -o asked asked.c
$COTTER -- ./asked 2> err || { echo "asked: status $?"; exit 1; }
grep -q "wants somebody asked about rt_sigaction" err && [ "$(wc -l < err)" = 1 ] || { echo "asked: $(cat err)"; exit 1; }

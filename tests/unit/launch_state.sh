# launch_state.sh: a launch leaves no trace: signals, children, descriptors, parent; and no process behind.
gcc -O1 -o state "$ROOT/tests/unit/launch_state.c" || exit 1
cat >check.py <<'END'
import ctypes, os, signal, subprocess, sys
cotter = sys.argv[1]
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD, signal.SIGUSR1])
signal.signal(signal.SIGINT, signal.SIG_IGN)
failed = 0

def output(command, reaper):
    prepare = (lambda: ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)) if reaper else None
    p = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=prepare, restore_signals=False, close_fds=False)
    return p.communicate()[0].decode(), p.returncode

for reaper in (False, True):
    native = output(["./state", "x"], reaper)
    for way in ("ptrace", "exec"):
        got = output([cotter, "--inject=" + way, "--", "./state", "x"], reaper)
        if got != native:
            failed = 1
            print("by", way, "reaper" if reaper else "", "\n", native, "\n", got)

# A closed pipe ends at once: nobody else holds it.
for way in ("ptrace", "exec"):
    p = subprocess.Popen([cotter, "--inject=" + way, "--", "/bin/sh", "-c", "exec >&-; read x"],
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    p.stdout.read()             # hangs for ever, if somebody does
    p.communicate()
sys.exit(failed)
END
/usr/bin/python3 check.py "$COTTER"

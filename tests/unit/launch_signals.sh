# launch_signals.sh: signals at any moment of a launch end, stop or leave alone the program, as natively; nothing hangs.
# test-timeout: 120
cat >storm.py <<'END'
import os, random, signal, sys, time
cotter, way = sys.argv[1:]
command = [cotter, "--inject=" + way, "--", "/bin/sh", "-c", "exit 5"]
quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
deadly, stopping = (signal.SIGTERM, signal.SIGUSR1), (signal.SIGSTOP, signal.SIGTSTP)
for sig in deadly + stopping + (signal.SIGCONT, signal.SIGWINCH):
    for i in range(60):
        pid = os.posix_spawn(cotter, command, os.environ, file_actions=quiet)
        time.sleep(random.random() * 0.003)
        os.kill(pid, sig)
        if sig in stopping:
            time.sleep(0.001)
            os.kill(pid, signal.SIGCONT)
        status = os.waitpid(pid, 0)[1]
        if os.waitstatus_to_exitcode(status) not in ((5, -sig) if sig in deadly else (5,)):
            sys.exit("%s: %s gave %#x" % (way, sig.name, status))
END
for way in ptrace exec; do
    /usr/bin/python3 storm.py "$COTTER" $way || exit 1
done
sleep 0.1
if ps -eo ppid,args | grep "^ *1 .*$COTTER --inject=.*exit 5"; then
    echo "a helper was left behind"
    exit 1
fi

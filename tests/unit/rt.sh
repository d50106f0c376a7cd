# rt.sh: the tool's private libc, on threads, forks and descriptors of its host. test-timeout: 120
set -e
for file in rt_tool rt_threads rt_calls; do
    g++ -O2 -g -fPIE -fno-stack-protector -I"$ROOT" -c "$ROOT/tests/unit/$file.cc" -o $file.o
done
g++ -static-pie -o tool rt_tool.o rt_threads.o rt_calls.o "$ROOT/build/obj/engine.o" "$ROOT/build/obj/rt.o"

for way in ptrace exec; do
    for test in threads forks memory descriptors signals; do
        "$COTTER" --inject=$way -t ./tool $test -- /bin/echo program >out 2>err
        [ "$(cat out)" = program ] && grep -q "^$test: 0 errors" err || { cat out err; exit 1; }
    done
done

# Handlers run once, stdio stays usable, and nothing is printed twice.
[ "$("$COTTER" -t ./tool flush -- /bin/echo program 2>err)" = "tool alive program" ]
[ "$(grep -c handler err)" = 1 ]

status=0
"$COTTER" -t ./tool abort -- /bin/echo program 2>err || status=$?
[ $status = 125 ] && grep -q '^cotter: the tool failed: abort()' err
status=0
"$COTTER" -t ./tool exit -- /bin/echo program || status=$?
[ $status = 33 ]

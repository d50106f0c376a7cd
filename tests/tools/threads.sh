# Threads: births, deaths, numbers used again, data with destructors, thread_local, every lock.
. "$ROOT/tests/tools/lib.sh"
tool lives
program threads
for mode in "" "--max-trace-ins=1" "--cache-limit=128k --cache-block=64k"; do
    got=$($COTTER -q $mode -t "$TOOL" -- "$PROG" 2>&1)
    status=$?
    [ $status = 3 ] || die "status $status: $got"
    same "threads $mode" "done
born 9 dead 9 destroyed 9 uids 9 numbers up to N code 3
counts agree" "$(echo "$got" | sed 's/up to [2-5] /up to N /')"
done

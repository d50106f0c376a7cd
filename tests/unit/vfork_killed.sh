# A vfork child, in the memory that it borrowed, is killed at any moment, most often while it translates: its parent and the
# parent's other threads go on as if nothing had been, code that they change themselves included.
# test-timeout: 300
set -e
gcc -O1 -pthread -o p "$ROOT"/tests/tools/src/vfork_killed.c
[ "${SOAK_MINUTES:-0}" != 0 ] && seeds=$(seq 40) || seeds="1 2 3"
for seed in $seeds; do
    status=0
    timeout 60 $COTTER -- ./p $seed > out 2> err || status=$?
    [ $status = 0 ] && [ "$(cat out)" = "killed 30, wrong 0" ] && [ ! -s err ] ||
        { echo "seed $seed: status $status, $(cat out err)"; exit 1; }
done

# Probe mode: programs run natively with probes; counts, arguments and results are those that the programs are known to make.
# test-timeout: 240
. "$ROOT/tests/tools/lib.sh"
tool probed
probed=$TOOL
tool probes
probes=$TOOL
program probe_target
target=$PROG
program allocates
allocates=$PROG
program probe_odd
odd=$PROG

# run TOOL WHAT PROGRAM...: the program's output is in $out, the tool's in $err; the program must behave as natively.
run() {
    local tool=$1 options=$2 want status
    shift 2
    want=$("$@" 2>/dev/null)
    status=$?
    out=$(timeout 60 $COTTER -t "$tool" $options -- "$@" 2>err)
    [ $? = $status ] || die "$options -- $*: another status; $(cat err)"
    err=$(cat err)
    same "$options -- $*" "$want" "$out"
}

# ---- nothing but native programs ----
for p in "ls /usr/bin" "perl -e print(42)" "/usr/bin/python3 -c print(6*7)"; do run "$probed" "-what none" $p; same "$p" "" "$err"; done
run "$probed" "-what none" bash -c 'for i in 1 2 3; do (echo $i | cat); done; exit 5'

# ---- malloc replaced: what N more allocations add ----
for p in bash /usr/bin/python3 perl; do
    run "$probed" "-what malloc" $p --version
    case $err in *" mallocs, "*" frees") ;; *) die "$p: no report: $err" ;; esac
done
count() { run "$probed" "-what malloc" "$allocates" "$1"; n_malloc=${err%% *}; n_free=${err#*, }; n_free=${n_free%% *}; }
count 1000
m=$n_malloc f=$n_free
count 4000
same mallocs 3000 $((n_malloc - m))
same frees 3000 $((n_free - f))

# ---- a routine that calls the original ----
out=$($COTTER -t "$probed" -what puts -- "$allocates" 2>&1)
same puts "<done>" "$out"

# ---- calls before and after, from four threads, arguments in registers and on the stack, with a storm of signals too ----
sum_in=$((4 * (19999 * 20000 / 2) + 20000 * 6 + 80000 * 7))
run "$probed" "-what wrap" "$target"
same wrap "before 80000 $sum_in after 80000 $((sum_in + 80000))" "$err"
for what in count after; do                     # routines that take no lock: a handler may come back to them
    run "$probes" "-what $what -name work" "$target" 200000 signals
    [ "${err#work }" -ge 800000 ] || die "signals: $err"
done
for how in -static -static-pie -no-pie; do
    gcc -O1 -g $how -pthread -o target "$src/probe_target.c"
    run "$probes" "-what after -name work" ./target
    same "$how" "work 80000" "$err"
done
out=$($COTTER -t "$probed" -what sign -- "$target" 2>&1)
same sign "$((sum_in + 80000 + 80000 * 1001)) 2.75" "$out"      # each is asked for one more, and gives 1000 more; (5 / 2) + .25
run "$probes" "-what insert -name work" "$target"
same insert "work 80000" "$err"

# ---- libraries that come and go; routines of one that is loaded later ----
libm=$(readlink -f "$(ldd /usr/bin/python3 | awk '/libm.so/ { print $3 }')")
run "$probed" "-what images" "$allocates" 1 "$libm"
same images "$(printf 'load %s\nunload %s\n' "$libm" "$libm" "$libm" "$libm" "$libm" "$libm")" "$(grep -F "$libm" err)"
same "images at the start" "$(ldd "$target" | awk '$3 ~ "^/" { print $3 } $1 ~ "^/" { print $1 }' | xargs -n1 readlink -f | sort)" \
     "$($COTTER -t "$probed" -what images -- "$target" 2>&1 >/dev/null | sed -n 's/^load \(\/.*so.*\)/\1/p' | sort)"
run "$probes" "-what count -name cbrt" "$allocates" 1 "$libm"
same cbrt "cbrt 3" "$err"

# ---- frames left by longjmp, routines that end on another thread, forks ----
run "$probes" "-what after -name deep" "$odd" jumps
same jumps "deep $((200 * 21))" "$err"
run "$probes" "-what count -name deep" "$odd" jumps
same jumps "deep $((200 * (21 + 51)))" "$err"
run "$probes" "-what after -name setjmp" "$odd" jumps
same setjmp "$(printf 'refused\nsetjmp 0')" "$err"
run "$probes" "-what after -name moves" "$odd" coroutines
same coroutines "moves 1" "$err"
run "$probes" "-what count -name fork" "$odd" forks
same "exit handlers in parent and child, not in a vfork child" "$(printf 'fork 1\nfork 1')" "$err"
run "$probes" "-what fork" "$odd" forks
same forks "$(printf 'before\nbefore\nchild\nchild\nparent with a child\nparent with a child')" "$(sort err)"

# ---- exceptions: of 300 calls of outer all return, of middle those that do not throw again ----
for how in -dynamic -static; do
    g++ -O2 ${how#-dynamic} -o throws "$src/throws.cc"
    for routine in "deep 0" "middle 180" "outer 300"; do
        run "$probes" "-what after -name ${routine% *}" ./throws
        same "exceptions $how" "$routine" "$err"
    done
    for routine in deep middle outer; do
        run "$probes" "-what stand-in -name $routine" ./throws
        [ "${err#"$routine "}" -ge 300 ] || die "exceptions through a stand-in, $how: $err"
    done
done

# ---- callers that know what the routine leaves alone ----
for how in clobber:400000 clobber-all:200000 clobber-at:200000; do
    run "$probes" "-what ${how%:*} -name plain" "$odd" keeps
    same keeps "keeps 0" "$out"
    same "$how" "plain ${how#*:}" "$err"
done

# ---- leaving and coming back; probes that come and go under running threads ----
err=$(timeout 100 $COTTER -t "$probes" -what detach -name work -- "$target" 1000000000000 busy 2>&1)
same "detach: status" 42 $?
same detach "detached 1, attached 1" "$err"
for how in busy busy-signals; do
    timeout 100 $COTTER -v -t "$probed" -what busy -- "$target" 1000000000000 $how >busy.out 2>&1
    status=$?
    same "$how: $(cat busy.out)" 42 $status
done

# ---- attaching to a running program: its threads go on, and are seen from then on ----
"$target" 1000000000000 busy &
pid=$!
until [ "$(readlink /proc/$pid/exe)" = "$(readlink -f "$target")" ]; do :; done
$COTTER -p $pid -t "$probes" -what quit -name work 2>err ||         # it may end before the command does
    [ ! -e /proc/$pid ] || grep -q "^State:.[ZX]" /proc/$pid/status || { kill -9 $pid; die "not attached: $(cat err)"; }
wait $pid
same "attached: status" 42 $?

# ---- children: each of them runs with the tool, however it is started ----
for p in "sh -c '$target; $target'" "bash -c '(exec $target); exec $target'" \
         "/usr/bin/python3 -c 'import subprocess as s; [s.run([\"$target\"]) for i in range(2)]'"; do
    out=$(eval "timeout 100 $COTTER -f -t $probes -what count -name work -- $p" 2>err) || die "$p: status $?: $(cat err)"
    same "$p: output" "$(eval "$p")" "$out"
    same "$p: calls" "$(printf 'work 80000\nwork 80000')" "$(grep work err)"
done
out=$(timeout 100 $COTTER -t "$probes" -what count -name work -- sh -c "$target" 2>&1 >/dev/null)
same "without -f" "" "$out"

# ---- refusals, with their reasons ----
why() {
    out=$($COTTER -v -t "$probes" -what safe -name "$1" -- "$odd" 2>&1 >/dev/null)
    case $out in *"$2"*"$1: $3"*) ;; *) die "$1: $out" ;; esac
}
why too_short "shorter than a jump" "0 0"
why loops_inside "branches into the bytes" "0 1"
why loops_to_entry "branches back to its own beginning" "0 1"
why stops "a breakpoint stands there" "0 0"
why only_ret "" "1 1"

# ---- mistakes of the tool's, and a program that cannot be had ----
wrong() {
    out=$($COTTER -t "$probes" -what "wrong-$1" -name work -- "$target" 2>&1)
    [ $? = 125 ] || die "wrong-$1: not refused"
    case $out in *"$2"*) ;; *) die "wrong-$1: $out" ;; esac
}
wrong thread "IARG_THREAD_ID is not known in probe mode"
wrong after "IARG_PROTOTYPE is missing"
wrong memory "for instructions"
wrong signature "IARG_PROTOTYPE is missing"
wrong replace "RTN_Replace: not in probe mode"
wrong mode "only after PIN_StartProgramProbed"
out=$($COTTER -t "$probes" -what count -name plain -- "$odd" gs 2>&1)
[ $? = 125 ] || die "gs: not refused"
case $out in *"uses the GS register itself"*) ;; *) die "gs: $out" ;; esac
exit 0

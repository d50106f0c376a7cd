# lib.sh: for the tests of bad input. `refuse STATUS WORDS ARGS...` runs cotter with ARGS and checks: that exit status,
# nothing on stdout, exactly one line on stderr that starts with "cotter:" and contains WORDS, no process left behind.
refuse() {
    local want=$1 words=$2 got
    shift 2
    timeout 20 $COTTER "$@" > out 2> err < /dev/null
    got=$?
    case " $want " in
    *" $got "*) ;;
    *) echo "cotter $*: exit status $got, not $want; $(head -3 err)"; exit 1 ;;
    esac
    [ -s out ] && { echo "cotter $*: wrote to stdout: $(head -3 out)"; exit 1; }
    [ "$(wc -l < err)" -eq 1 ] || { echo "cotter $*: stderr is not one line: $(head -5 err)"; exit 1; }
    grep -q '^cotter: ' err || { echo "cotter $*: stderr does not start with cotter: $(cat err)"; exit 1; }
    grep -qi -e "$words" err || { echo "cotter $*: message lacks '$words': $(cat err)"; exit 1; }
    leftover
}

# Nothing that was started from this folder is still alive.
leftover() {
    local p
    for i in 1 2 3 4 5 6 7 8 9 10; do
        p=$(for d in /proc/[0-9]*; do
            [ "$(readlink $d/cwd 2>/dev/null)" = "$PWD" ] || continue
            [ "${d#/proc/}" != $$ ] && [ "${d#/proc/}" != $BASHPID ] && grep -q cotter $d/cmdline 2>/dev/null &&
                ! grep -q 'State:.Z' $d/status 2>/dev/null && echo "${d#/proc/}"
        done)
        [ -z "$p" ] && return
        sleep 0.1
    done
    echo "left running: $p"
    exit 1
}

# lib.sh: for the scripts of this folder. They run in a scratch folder; COTTER, ROOT and BUILD are set.
src=$ROOT/tests/tools/src
lib=$ROOT/build/lib/cotter/libcotter.a

die() { echo "$*"; exit 1; }

# newer A B...: is A there and newer than all B?
newer() { local a=$1; shift; [ -e "$a" ] || return 1; for b; do [ "$a" -nt "$b" ] || return 1; done; }

# tool NAME: build src/NAME.c or .cpp; its path is in $TOOL.
tool() {
    local from=$src/$1.c cc=gcc
    [ -e "$from" ] || { from=$src/$1.cpp; cc=g++; }
    TOOL=$BUILD/tools/$1
    mkdir -p "$BUILD/tools"
    newer "$TOOL" "$from" "$lib" && return
    $cc -O2 -g -Wall -fPIE -fno-stack-protector -ftls-model=local-exec -I "$ROOT/include" -c "$from" -o "$TOOL.$$.o" &&
        $cc -static-pie -Wl,-z,noseparate-code -o "$TOOL.$$" "$TOOL.$$.o" "$lib" -ldw -lelf -lz -liberty ||
        die "$from does not build"
    rm "$TOOL.$$.o"
    mv "$TOOL.$$" "$TOOL"
}

# program NAME [flags]: build src/NAME.{S,c}; its path is in $PROG. Assembly has no libc.
program() {
    local name=$1 from=$src/$1.c flags="-O1 -g -fno-omit-frame-pointer -pthread"
    shift
    [ -e "$from" ] || { from=$src/$name.S; flags="-nostdlib -static -no-pie"; }
    PROG=$BUILD/tools/prog-$name
    mkdir -p "$BUILD/tools"
    newer "$PROG" "$from" && return
    gcc $flags -o "$PROG.$$" "$from" "$@" -ldl || die "$from does not build"
    mv "$PROG.$$" "$PROG"
}

# same WHAT A B: are the two texts equal?
same() { [ "$2" = "$3" ] || die "$1: expected:
$2
got:
$3"; }

# leave PID: detach; what it says is in `words`. A thread that waits for a busy disk cannot be stopped: again, then.
leave() {
    local i
    for i in $(seq 30); do
        $COTTER detach "$1" 2>words && return
        grep -q 'does not come to a stop' words || return
        sleep 0.3
    done
    return 1
}

# no_launcher PID: wait until nobody works on that process any more: launchers lock its folder, and trace its threads.
no_launcher() {
    flock "/proc/$1" true
    while grep -q '^TracerPid:.[1-9]' /proc/$1/task/*/status 2>/dev/null; do sleep 0.02; done
}

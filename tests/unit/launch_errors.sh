# launch_errors.sh: what cannot be run is refused with the status of env(1) and one clear line; so are wrong options.
failed=0

# expect STATUS PATTERN ARGUMENTS...: one line on stderr that matches, nothing on stdout.
expect() {
    local status=$1 pattern=$2 got
    shift 2
    "$COTTER" "$@" >out 2>err </dev/null
    got=$?
    if [ $got != "$status" ] || [ -s out ] || [ "$(wc -l <err)" != 1 ] || ! grep -qE "^cotter: .*$pattern" err; then
        echo "cotter $*: status $got, wanted $status '$pattern'; said: $(cat out err)"
        failed=1
    fi
}

# A copy of /bin/true with some bytes changed: patched NAME OFFSET BYTES...
patched() {
    cp /bin/true "$1"
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

script() {
    printf '%s\n' "$2" >"$1"
    chmod +x "$1"
}

cp /bin/true setuid && chmod u+s setuid
cp /bin/true setgid && chmod g+s setgid
cp /bin/true no_x && chmod a-x no_x
for size in 30 100 3000; do head -c $size /bin/true >cut_$size; chmod +x cut_$size; done
patched arm 18 '\267'
patched bits32 4 '\001'
script text 'echo hi'
script empty '' && : >empty
script no_interp '#!/no/such/interpreter'
script setuid_interp "#!$PWD/setuid"
script loop "#!$PWD/loop"
mkdir folder
mkfifo fifo

expect 126 'setuid'                 -- ./setuid
expect 126 'setgid'                 -- ./setgid
expect 126 'permission denied'      -- ./no_x
expect 126 'truncated'              -- ./cut_30
expect 126 'truncated'              -- ./cut_100
expect 126 'truncated'              -- ./cut_3000
expect 126 'another machine'        -- ./arm
expect 126 'not a 64-bit program'   -- ./bits32
expect 126 'neither an ELF'         -- ./text
expect 126 'neither an ELF'         -- ./empty
expect 127 '/no/such/interpreter'   -- ./no_interp
expect 126 'interpreter .*setuid'   -- ./setuid_interp
expect 126 'levels'                 -- ./loop
expect 126 'is a directory'         -- ./folder
expect 126 'not a regular file'     -- ./fifo
expect 126 'followed'               -- ./no_x/file
expect 127 'no such file'           -- ./nothing
expect 127 'not found'              -- surely-no-such-command
expect 127 'empty'                  -- ''
PATH=$PWD:$PATH expect 126 'permission denied' -- no_x
if setcap cap_net_raw+ep no_x 2>/dev/null; then
    chmod +x no_x
    expect 126 'capabilities' -- ./no_x
fi

expect 125 'did you mean --stats\?'  --stat -- true
expect 125 'unknown option --bogus'  --bogus -- true
expect 125 'unknown option -z'       -z -- true
expect 125 'option --foo \(see'      --foo -- true
expect 125 'option -follow_execv .*pin-root' -follow_execv -t x -- true
expect 125 'goes with -p'            --for=3s -- true
expect 125 'there is no tool'        -o out -- true
expect 125 'has no ending'           build text
expect 125 'new wants a name'        new ''
expect 125 'one of off'              --stats=green -- true
expect 125 'between 1 and'           --max-trace-ins=0 -- true
expect 125 'wants a number'          --max-trace-ins 2x -- true
expect 125 'wants a number'          --max-trace-ins=-1 -- true
expect 125 'wants a number'          --cache-limit=99999999999999999999 -- true
expect 125 'wants a value'           -o
expect 125 'wants a value'           -o -- true
expect 125 'takes no value'          --follow=maybe -- true
expect 125 "unknown command 'true'"  true
expect 125 'no program'
expect 125 'no program after --'     --
expect 125 'name of a tool'          run
expect 125 'name of a tool'          run -- true
expect 125 'no bundled tool'         run no-such-tool -- true
expect 125 'did you mean icount'     run icuont -- true
expect 125 'did you mean icount'     help icoun
expect 125 'cotter run icount'       -t icount -- true
expect 125 'cotter run icount -- ls' run icount ls
expect 125 'wants a program'         run icount -top 3 ls
expect 125 'No such file'            -t ./nothing -- true
expect 125 'not a Cotter tool'       -t /bin/true -- true
expect 125 'not a Cotter tool'       -t ./text -- true
expect 125 'another kind of program' -t ./arm -- true

# A tool of another version: the number in its note is changed.
none=$(dirname "$COTTER")/../lib/cotter/none
cp "$none" old_tool
at=$(grep -obaP 'Cotter\x00' old_tool | head -1 | cut -d: -f1)
printf '\143' | dd of=old_tool bs=1 seek=$((at + 8)) conv=notrunc status=none
expect 125 'version 99'              -t ./old_tool -- true
head -c 5000 "$none" >cut_tool
expect 125 'truncated'               -t ./cut_tool -- true
expect 125 'no program'              -t "$none"

# Help that needs no program.
[ "$("$COTTER" help icount)" = "$("$COTTER" run icount --help)" ] || { echo 'help NAME: not the help of the tool'; failed=1; }
"$COTTER" -t "$(dirname "$COTTER")/../lib/cotter/tools/icount" --help 2>&1 | grep -q images || { echo '-t TOOL --help: no help'; failed=1; }

# A followed child is executed exactly as asked, and natively where Cotter may not.
[ "$("$COTTER" --exec-as /bin/sh -- other -c 'echo $0')" = other ] || { echo 'exec-as: argv[0]'; failed=1; }
expect 127 'No such file'            --exec-as ./nothing -- nothing
"$COTTER" --exec-as ./setuid -- x 2>err || failed=1
grep -q 'runs without Cotter: setuid' err || { echo 'exec-as: no word about setuid'; failed=1; }
[ -z "$("$COTTER" -q --exec-as ./setuid -- x 2>&1)" ] || { echo 'exec-as -q: not quiet'; failed=1; }
exit $failed

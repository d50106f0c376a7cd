# Log and statistics files that cannot be written: one line, and the program does not start silently without them.
. "$ROOT/tests/badinput/lib.sh"
refuse 125 '/nonexistent' --log=/nonexistent/log -- /bin/echo hello
refuse 125 '/nonexistent' --stats --stats-file=/nonexistent/stats -- /bin/echo hello
refuse 125 'is a folder' --log=/ -- /bin/echo hello
# What could not be written in full is told, and the program's status stays its own.
lost() {
    timeout 20 $COTTER "$@" -- /bin/true > out 2> err || { echo "$*: status $?"; exit 1; }
    [ "$(wc -l < err)" = 1 ] && grep -q "^cotter: .* not complete: .*no space left" -i err || { echo "$*: said: $(cat err)"; exit 1; }
}
lost --log=/dev/full
lost --stats --stats-file=/dev/full
lost run icount -o /dev/full

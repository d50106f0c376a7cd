# Log and statistics files that cannot be written: one line, and the program does not start silently without them.
. "$ROOT/tests/badinput/lib.sh"
refuse 125 '/nonexistent' --log=/nonexistent/log -- /bin/echo hello
refuse 125 '/nonexistent' --stats --stats-file=/nonexistent/stats -- /bin/echo hello

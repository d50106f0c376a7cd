# The program's own file by its names in /proc, when the kernel believes that another program runs (--inject=exec).
set -e
gcc -I "$ROOT/tests/lib" -pthread -o exe_link "$ROOT/tests/diff/any/exe_link.c"
./exe_link > native
$COTTER --inject=exec -- ./exe_link > here
diff native here

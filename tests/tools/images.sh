# Images in the order of the program: those of the start, a library loaded and unloaded twice, the rest at the end.
. "$ROOT/tests/tools/lib.sh"
tool images
program loads
same images "load prog-loads main text 1 ok
routine twice line 7 of loads.c rets 1
routine half line 10 of loads.c rets 1
load ld-linux-x86-64 interpreter text 1 ok
load [vdso] vdso text 1 ok
start
load libc text 1 ok
load libm text 1 ok
unload libm
load libm text 1 ok
unload libm
unload prog-loads
unload ld-linux-x86-64
unload [vdso]
unload libc" "$($COTTER -t "$TOOL" -- "$PROG" 2>&1 >/dev/null)"

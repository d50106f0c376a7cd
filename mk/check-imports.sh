#!/bin/sh
# check-imports.sh OBJECT LIST: fail when OBJECT needs a symbol that no pattern (a line of LIST) allows.
# The engine must stand alone; a stray call into libc would work in every test and fail in a signal handler one day.
bad=$(nm -u "$1" | awk '{ print $NF }' | grep -v -x -f "$2")
[ -z "$bad" ] && exit 0
echo "the engine must not need these symbols:" $bad >&2
exit 1

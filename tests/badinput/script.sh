# Scripts with bad interpreter lines: missing interpreter, an interpreter that is a folder, a loop.
. "$ROOT/tests/badinput/lib.sh"
printf '#!/nonexistent/interpreter\n' > s; chmod 755 s; refuse '126 127' 's' -- ./s
printf '#!/tmp\n' > d; chmod 755 d; refuse 126 'd' -- ./d
printf '#!%s/loop\n' "$PWD" > loop; chmod 755 loop; refuse 126 'loop' -- ./loop
printf '#!\n' > e; chmod 755 e; refuse 126 'e' -- ./e
# A script without #!: said so, with the cure, which works. (A shell would run it by itself; so would execvp, but not execve.)
printf 'echo "it is $1"\n' > plain; chmod 755 plain
refuse 126 'a shell script without: cotter -- sh FILE' -- ./plain
[ "$($COTTER -- sh ./plain me)" = "it is me" ] || { echo "the cure for a script without #! does not work"; exit 1; }
leftover

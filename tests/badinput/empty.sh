# An empty file and one with only a few bytes: 126.
. "$ROOT/tests/badinput/lib.sh"
: > empty; chmod 755 empty; refuse 126 'empty' -- ./empty
printf '\177EL' > three; chmod 755 three; refuse 126 'three' -- ./three
printf 'just text\n' > text; chmod 755 text; refuse 126 'text' -- ./text

# A tool may call its functions and variables as it likes: the engine's names are hidden from it.
. "$ROOT/tests/tools/lib.sh"
tool names
program mixed
same names "1240" "$($COTTER -t "$TOOL" -- "$PROG" 2>&1)"
hidden=$(nm -g --defined-only "$lib" | awk 'NF == 3 && $3 ~ /^[a-z]/ && $3 !~ /^(cotter__|xed_|str2xed_)/ { print $3 }' | sort -u)
libc=$(nm -g --defined-only "$(gcc -print-file-name=libc.a)" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
same "small names that are not libc's" "" "$(comm -23 <(echo "$hidden") <(echo "$libc"))"

# XED_IFORM_*: the form of every instruction form, against the names that XED itself gives them.
. "$ROOT/tests/tools/lib.sh"
tool forms
got=$(FORMS=$src/forms.txt $COTTER -q -t "$TOOL" -- /bin/true) || die "$got"
same "forms" "$(wc -l <"$src/forms.txt") forms, 0 wrong" "$got"

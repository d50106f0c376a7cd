# What the INS functions say of an instruction is what the source says behind it.
. "$ROOT/tests/tools/lib.sh"
tool kinds
program kinds
$COTTER -q -t "$TOOL" -- "$PROG" >got || die "$(cat got)"
sed -n '/^kinds:/,$s/.*  # //p' "$src/kinds.S" >want
sorted() { while read -r line; do printf '%s\n' $line | sort | paste -sd' '; done; }
same kinds "$(sorted <want)" "$(grep -v '^#' got | sorted)"
same syntax "# mov %rax, %rbx
# MOV REG0:w=rbx, REG1:r=rax
# mov rbx, rax
# wrong 0" "$(grep '^#' got)"

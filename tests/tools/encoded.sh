# XED's encoder: instructions of a program encoded again, changed and unchanged; instructions made from nothing.
. "$ROOT/tests/tools/lib.sh"
tool encoded
same "encoded" "jmp 0x1025
call 0xfe5
jmp qword ptr [rip+0x40]
mov rcx, 0x1122334455667788
mov rax, qword ptr [0x1122334455667788]
mov qword ptr [0x1122334455667788], rax
lea rax, ptr [rax+0x1]
mov rcx, qword ptr [rbx+rax*8+0x10]
mov dword ptr fs:[rdx+0x28], eax
and rax, 0x3
addsd xmm1, xmm2
push r12
ret 
nop dword ptr [rax]
cannot be made
1 1 1
32 256 8
1 1
many wrong 0" "$($COTTER -q -t "$TOOL" -- /bin/true 2>&1)"

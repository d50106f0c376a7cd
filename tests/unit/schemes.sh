# Indirect branches by each scheme: --stats tells which mechanism found the targets, and it is the one that was asked for.
set -e
cat > p.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define F(n) static __attribute__((noinline)) long f##n(long x) { return x * 3 + n; }
#define T(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
T(F)
#define NAME(n) f##n,
static long (*volatile table[])(long) = { T(NAME) };
int main(int argc, char **argv)
{
    long s = 0, n = atol(argv[1]), m = atol(argv[2]);
    for (long i = 0; i < n; i++)
        s = table[i % m](s);                      /* one call, m targets; m returns, one target each */
    printf("%ld\n", s);
}
C
gcc -O1 -fno-unroll-loops -o p p.c
value() { grep -o "\"$1\": [0-9]*" stats | grep -o '[0-9]*$'; }
# more MECHANISM M OPTIONS...: how many more targets it finds when the loop makes 20000 more rounds over M functions
more() {
    local what=$1 m=$2 before
    shift 2
    $COTTER "$@" --stats=json --stats-file=stats -- ./p 1000 $m > out.1
    before=$(value $what)
    $COTTER "$@" --stats=json --stats-file=stats -- ./p 21000 $m > out.2
    ./p 1000 $m > native && cmp native out.1
    ./p 21000 $m > native && cmp native out.2
    echo $(($(value $what) - before))
}
# What the libraries do differs by a few.
expect() { [ $1 -gt $(($2 - 100)) ] && [ $1 -lt $(($2 + 100)) ] || { echo "$3: $1, not $2"; exit 1; }; }
expect "$(more found_shared 3)" 40000 "table"
expect "$(more found_chain 3 --indirect=chain --returns=chain)" 40000 "chain, few targets"
expect "$(more found_local 3 --indirect=chain --returns=chain)" 0 "chain, few targets, table"
expect "$(more found_chain 12 --indirect=chain)" 6666 "chain, 4 of 12 targets"
expect "$(more found_local 12 --indirect=chain)" 13334 "chain, 8 of 12 targets in the table"
expect "$(more found_chain 12 --indirect=chain --chain=12)" 20000 "chain, 12 of 12 targets"
expect "$(more found_chain 4 --indirect=guard)" 5000 "guard"
expect "$(more found_local 4 --indirect=guard)" 15000 "guard, table"
expect "$(more found_local 12 --indirect=local --returns=local)" 40000 "local"
expect "$(more found_shared 12 --indirect=local)" 20000 "local, returns by the shared table"
expect "$(more found_clone 3 --returns=clone --indirect=chain)" 20000 "clone"
expect "$(more found_clone 3 --returns=clone --indirect=chain --clone-depth=1)" 20000 "clone, one call deep"
# A switch with more cases than a chain has guards, its index still in a register at the jump.
cat > s.s <<'S'
        .globl main
main:   mov     8(%rsi), %rdi
        sub     $8, %rsp
        call    atol
        mov     %rax, %rcx
        lea     table(%rip), %rbx
        xor     %edx, %edx
1:      mov     %ecx, %eax
        and     $15, %eax
        movslq  (%rbx,%rax,4), %rsi
        add     %rbx, %rsi
        jmp     *%rsi
        .macro  one n
case\n: add     $\n, %rdx
        imul    $3, %rdx, %rdx
        dec     %rcx
        jnz     1b
        jmp     4f
        .endm
        .irp    n, 10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25
        one     \n
        .endr
4:      mov     %rdx, %rsi
        lea     text(%rip), %rdi
        xor     %eax, %eax
        call    printf
        add     $8, %rsp
        xor     %eax, %eax
        ret
        .section .rodata
text:   .string "%ld\n"
        .balign 4
table:  .irp    n, 10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25
        .long   case\n - table
        .endr
        .section .note.GNU-stack,"",@progbits
S
gcc -pie -o p s.s
expect "$(more found_shadow 0 --indirect=shadow)" 20000 "shadow"
expect "$(more found_shared 0)" 20000 "the same by the shared table"

/* asm_macros.h: names for assembly files that are to suit several systems. Here there is one: x86-64 Linux. */
#ifndef COTTER_ASM_MACROS_H
#define COTTER_ASM_MACROS_H
#define NAME(x) x
#define DECLARE_FUNCTION(fun) .globl fun; .type fun, @function
#define DECLARE_FUNCTION_AS(fun) DECLARE_FUNCTION(fun)
#define END_FUNCTION(fun) .size fun, . - fun
#define PLT_ADDRESS(fun) fun##@plt
#define BEGIN_STACK_FRAME push %rbp; mov %rsp, %rbp
#define END_STACK_FRAME mov %rbp, %rsp; pop %rbp
#define PARAM1 %rdi
#define PARAM2 %rsi
#define RETURN_REG %rax
#define GAX_REG %rax
#define GBX_REG %rbx
#define GCX_REG %rcx
#define CL_REG %cl
#define GDX_REG %rdx
#define GSI_REG %rsi
#define G12_REG %r12
#define SCRATCH_REG1 GAX_REG
#define SCRATCH_REG2 GCX_REG
#define SCRATCH_REG3 GDX_REG
#define SCRATCH_REG4 GSI_REG
#define CALLEE_SAVE_REG1 GBX_REG
#define CALLEE_SAVE_REG2 G12_REG
#define STACK_PTR %rsp
#define PIC_VAR(a) a(%rip)
#define SYSCALL_PARAM1 %rdi
#define INVOKE_SYSCALL syscall
#define PREPARE_UNIX_SYSCALL(num) mov num, %rax
#endif

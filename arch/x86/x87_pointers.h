/* x87_pointers.h: for assembly: the last-instruction pointers where xsave and xrstor leave them out.
 *
 * AMD CPUs store zeros unless an exception is pending, and xrstor brings them back as zeros; only the old environment has
 * them always. It holds 32 bits of each, which is all that the program can see of them then: its fxsave and xsave tell no
 * more. With a pointer in the image, all 64 bits of it are in there, and xrstor is enough.
 *
 * `env` is 64 bytes: what was kept, and an environment to load, which is the one that xrstor made but for the pointers: the
 * tool may have changed the rest of the image. */
#define IMAGE_FIP    8
#define ENV_POINTERS 12         /* four words: instruction, its selector and opcode, operand, its selector */
#define ENV_TO_LOAD  32

.macro keep_x87_pointers image, env, base
    movq    $0, \env+ENV_POINTERS(\base)
    movq    $0, \env+ENV_POINTERS+8(\base)
    cmpq    $0, IMAGE_FIP(\image)
    jne     7f
    fnstenv \env(\base)
7:
.endm

/* Clobbers rdx. */
.macro load_x87_pointers image, env, base
    cmpq    $0, IMAGE_FIP(\image)
    jne     7f
    fnstenv \env+ENV_TO_LOAD(\base)
    mov     \env+ENV_POINTERS(\base), %rdx
    mov     %rdx, \env+ENV_TO_LOAD+ENV_POINTERS(\base)
    mov     \env+ENV_POINTERS+8(\base), %rdx
    mov     %rdx, \env+ENV_TO_LOAD+ENV_POINTERS+8(\base)
    fldenv  \env+ENV_TO_LOAD(\base)
7:
.endm

/* uppers.h: for assembly: whether the wide halves of vector registers 0 to 15 hold anything.
 *
 * A program of SSE code runs with these halves zero, and the CPU knows that. Loading zeros there with the rest of a register makes
 * it forget: from then on each SSE instruction has to keep a half that might be something, so it waits for what its register held
 * before, `pxor x, x` included, and a loop of such code takes three times as long, until somebody says vzeroupper. So registers
 * whose wide halves were zero are loaded by 16 bytes, behind a vzeroupper.
 *
 * These set ZF if there is nothing. They use vector registers up, so they stand behind the stores. */

/* All sixteen into the first; by halves, so that four steps wait for each other and not fifteen. */
.macro or_all or, kind
    .irp pair, "0,8", "1,9", "2,10", "3,11", "4,12", "5,13", "6,14", "7,15", "0,4", "1,5", "2,6", "3,7", "0,2", "1,3", "0,1"
    or_pair \or, \kind, \pair
    .endr
.endm

.macro or_pair or, kind, a, b
    \or     %\kind\b, %\kind\a, %\kind\a
.endm

.macro are_ymm_uppers_zero
    or_all  vorps, ymm
    vextractf128 $1, %ymm0, %xmm0
    vptest  %xmm0, %xmm0
.endm

.macro are_zmm_uppers_zero
    or_all  vpord, zmm
    vextracti64x4 $1, %zmm0, %ymm1
    vextractf128 $1, %ymm0, %xmm0
    vorps   %ymm1, %ymm0, %ymm0
    vptest  %ymm0, %ymm0
.endm

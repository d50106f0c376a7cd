/* The object is helper_asm.o: assembly for one CPU. */
#include "asm_macros.h"
.text
DECLARE_FUNCTION(HelperAnswer)
NAME(HelperAnswer):
    BEGIN_STACK_FRAME
    mov PARAM1, RETURN_REG
    mov $1, SCRATCH_REG2
    add SCRATCH_REG2, RETURN_REG
    END_STACK_FRAME
    ret
END_FUNCTION(HelperAnswer)
.section .note.GNU-stack,"",@progbits

/* encoded.cpp: every instruction of a program, taken apart and encoded again, does the same: unchanged it has its bytes; with another
 * branch target, displacement, base or class it decodes to just that; and instructions made from nothing decode to what was said. */
#include "pin.H"
extern "C" {
#include "cotter/xed_encoded.h"
}
#include <cstring>

static UINT64 n, wrong, branches, addresses, turned;
#define CHECK(claim) do { if (!(claim)) { wrong++; fprintf(stderr, "%s: %s\n", INS_Disassemble(ins).c_str(), #claim); } } while (0)

static xed_state_t mode;

static BOOL Decode(xed_decoded_inst_t *x, const UINT8 *bytes, UINT32 size)
{
    xed_decoded_inst_zero_set_mode(x, &mode);
    return xed_decode(x, bytes, size) == XED_ERROR_NONE;
}

static BOOL Encode(xed_decoded_inst_t *x, xed_decoded_inst_t *result)
{
    UINT8 bytes[XED_MAX_INSTRUCTION_BYTES];
    unsigned int length = 0;
    return xed_encode(x, bytes, sizeof bytes, &length) == XED_ERROR_NONE && Decode(result, bytes, length) &&
           xed_decoded_inst_get_length(result) == length;
}

static VOID CheckUnchanged(INS ins, xed_decoded_inst_t x, const UINT8 *bytes)
{
    UINT8 made[XED_MAX_INSTRUCTION_BYTES];
    unsigned int length = 0;
    xed_encoder_request_init_from_decode(&x);
    CHECK(xed_encode(&x, made, sizeof made, &length) == XED_ERROR_NONE && length == INS_Size(ins) && !memcmp(made, bytes, length));
    CHECK(xed_encode(&x, made, length - 1, &length) == XED_ERROR_BUFFER_TOO_SHORT);
}

static VOID CheckBranch(INS ins, xed_decoded_inst_t x)
{
    xed_decoded_inst_t again;
    UINT32 width = xed_decoded_inst_get_branch_displacement_width(&x);
    CHECK(width == 1 || width == 4);
    if (INS_IsCall(ins) || INS_Opcode(ins) == XED_ICLASS_JMP || (INS_Category(ins) == XED_CATEGORY_COND_BR && width == 4)) {
        xed_encoder_request_set_branch_displacement(&x, 0x123456, 4);
        CHECK(Encode(&x, &again) && xed_decoded_inst_get_branch_displacement(&again) == 0x123456);
        CHECK(xed_decoded_inst_get_iclass(&again) == xed_decoded_inst_get_iclass(&x));
        CHECK(xed_decoded_inst_get_branch_displacement_width(&again) == 4);
        branches++;
    }
    if (xed_decoded_inst_get_iform_enum(&x) == XED_IFORM_JZ_RELBRd) {
        xed_encoder_request_set_iclass(&x, XED_ICLASS_JNZ);
        CHECK(Encode(&x, &again) && xed_decoded_inst_get_iform_enum(&again) == XED_IFORM_JNZ_RELBRd);
        turned++;
    }
}

static VOID CheckMemory(INS ins, xed_decoded_inst_t x)
{
    xed_decoded_inst_t again;
    if (INS_HasScatteredMemoryAccess(ins) || !INS_MemoryOperandCount(ins) || !INS_HasExplicitMemoryReference(ins) || INS_IsNop(ins))
        return;
    xed_encoder_request_set_memory_displacement(&x, 0x1234560, 4);
    CHECK(Encode(&x, &again) && xed_decoded_inst_get_memory_displacement(&again, 0) == 0x1234560);
    CHECK(xed_decoded_inst_get_base_reg(&again, 0) == xed_decoded_inst_get_base_reg(&x, 0));
    CHECK(xed_decoded_inst_get_index_reg(&again, 0) == xed_decoded_inst_get_index_reg(&x, 0));
    CHECK(xed_decoded_inst_get_iclass(&again) == xed_decoded_inst_get_iclass(&x));
    CHECK(xed_decoded_inst_get_memory_operand_length(&again, 0) == xed_decoded_inst_get_memory_operand_length(&x, 0));
    if (xed_decoded_inst_get_base_reg(&x, 0) == XED_REG_RIP) {
        xed_encoder_request_set_base0(&x, XED_REG_R13);
        CHECK(Encode(&x, &again) && xed_decoded_inst_get_base_reg(&again, 0) == XED_REG_R13);
    }
    addresses++;
}

static VOID Instruction(INS ins, VOID *v)
{
    UINT8 bytes[XED_MAX_INSTRUCTION_BYTES];
    xed_decoded_inst_t x;
    n++;
    PIN_SafeCopy(bytes, (VOID *)INS_Address(ins), INS_Size(ins));
    CHECK(Decode(&x, bytes, INS_Size(ins)));
    CheckUnchanged(ins, x, bytes);
    if (INS_IsDirectControlFlow(ins))
        CheckBranch(ins, x);
    CheckMemory(ins, x);
}

/* ---- from nothing: the text of what was made ---- */
static VOID Made(xed_encoder_instruction_t *inst)
{
    xed_encoder_request_t request;
    xed_decoded_inst_t x;
    char text[100] = "";
    xed_encoder_request_zero_set_mode(&request, &mode);
    if (!xed_convert_to_encoder_request(&request, inst) || !Encode(&request, &x))
        printf("cannot be made\n");
    else if (xed_format_context(XED_SYNTAX_INTEL, &x, text, sizeof text, 0x1000, 0, 0))
        printf("%s\n", text);
}

static VOID FromNothing()
{
    xed_encoder_instruction_t inst;
    xed_inst1(&inst, mode, XED_ICLASS_JMP, 64, xed_relbr(0x20, 32));
    Made(&inst);
    xed_inst1(&inst, mode, XED_ICLASS_CALL_NEAR, 64, xed_relbr(-0x20, 32));
    Made(&inst);
    xed_inst1(&inst, mode, XED_ICLASS_JMP, 64, xed_mem_bd(XED_REG_RIP, xed_disp(0x40, 32), 64));
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_MOV, 64, xed_reg(XED_REG_RCX), xed_imm0(0x1122334455667788, 64));
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_MOV, 64, xed_reg(XED_REG_RAX), xed_mem_bd(XED_REG_INVALID, xed_disp(0x1122334455667788, 64), 64));
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_MOV, 64, xed_mem_bd(XED_REG_INVALID, xed_disp(0x1122334455667788, 64), 64), xed_reg(XED_REG_RAX));
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_LEA, 64, xed_reg(XED_REG_RAX), xed_mem_bd(XED_REG_RAX, xed_disp(1, 8), 64));
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_MOV, 64, xed_reg(XED_REG_RCX), xed_mem_bisd(XED_REG_RBX, XED_REG_RAX, 8, xed_disp(0x10, 32), 64));
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_MOV, 32, xed_mem_gbd(XED_REG_FS, XED_REG_RDX, xed_disp(0x28, 8), 32), xed_reg(XED_REG_EAX));
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_AND, 64, xed_reg(XED_REG_RAX), xed_imm0(3, 8));
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_ADDSD, 64, xed_reg(XED_REG_XMM1), xed_reg(XED_REG_XMM2));
    Made(&inst);
    xed_inst1(&inst, mode, XED_ICLASS_PUSH, 64, xed_reg(XED_REG_R12));
    Made(&inst);
    xed_inst0(&inst, mode, XED_ICLASS_RET_NEAR, 64);
    Made(&inst);
    xed_inst0(&inst, mode, XED_ICLASS_NOP7, 64);
    Made(&inst);
    xed_inst2(&inst, mode, XED_ICLASS_MOV, 64, xed_reg(XED_REG_RCX), xed_reg(XED_REG_XMM1));
    Made(&inst);
}

static VOID Registers()
{
    printf("%d %d %d\n", xed_get_largest_enclosing_register(XED_REG_AL) == XED_REG_RAX, xed_get_largest_enclosing_register(XED_REG_XMM3) == XED_REG_ZMM3,
           xed_get_largest_enclosing_register(XED_REG_R9W) == XED_REG_R9);
    printf("%u %u %u\n", xed_get_register_width_bits(XED_REG_EAX), xed_get_register_width_bits(XED_REG_YMM0), xed_get_register_width_bits(XED_REG_AH));
    printf("%d %d\n", xed_reg_class(XED_REG_CL) == XED_REG_CLASS_GPR && xed_gpr_reg_class(XED_REG_CL) == XED_REG_CLASS_GPR8,
           xed_reg_class(XED_REG_XMM9) == XED_REG_CLASS_XMM && xed_gpr_reg_class(XED_REG_XMM9) == XED_REG_CLASS_INVALID);
}

static VOID Fini(INT32 code, VOID *v)
{
    FromNothing();
    Registers();
    printf("%s wrong %lu\n", n > 1000 && branches > 100 && addresses > 100 && turned > 5 ? "many" : "few", wrong);
}

int main(int argc, char **argv)
{
    PIN_Init(argc, argv);
    xed_tables_init();
    xed_state_init2(&mode, XED_MACHINE_MODE_LONG_64, XED_ADDRESS_WIDTH_64b);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}

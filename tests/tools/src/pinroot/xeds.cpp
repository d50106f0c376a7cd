/* XED's functions give what the interface's own give: for each instruction of the program once. */
extern "C" {
#include "xed-interface.h"
}
#include "pin.H"

static UINT64 seen;

static VOID Check(bool ok, INS ins, const char *what)
{
    if (!ok)
        std::cerr << what << " differs: " << INS_Disassemble(ins) << std::endl;
}

static VOID Instruction(INS ins, VOID *)
{
    UINT8 bytes[15];
    size_t n = PIN_SafeCopy(bytes, Addrint2VoidStar(INS_Address(ins)), 15);
    xed_state_t mode = { XED_MACHINE_MODE_LONG_64, XED_ADDRESS_WIDTH_64b };
    xed_decoded_inst_t d, copy = *INS_XedDec(ins);
    char text[200];
    seen++;
    xed_tables_init();
    xed_decoded_inst_zero_set_mode(&d, &mode);
    Check(xed_decode(&d, bytes, n) == XED_ERROR_NONE, ins, "error");
    Check(xed_decoded_inst_get_length(&d) == INS_Size(ins), ins, "length");
    Check(xed_decoded_inst_get_iclass(&d) == (UINT32)INS_Opcode(ins) || INS_HasRealRep(ins), ins, "class");
    Check(xed_iclass_enum_t2str(xed_decoded_inst_get_iclass(&copy)) == INS_Mnemonic(ins), ins, "mnemonic");
    Check(xed_decoded_inst_get_category(&d) == INS_Category(ins), ins, "category");
    Check(xed_format_context(XED_SYNTAX_INTEL, &d, text, sizeof text, INS_Address(ins), 0, 0) && INS_Disassemble(ins) == text, ins, "text");
    Check(!xed_format_context(XED_SYNTAX_INTEL, &d, text, 2, 0, 0, 0), ins, "short buffer");
    Check(xed_decoded_inst_noperands(&d) == INS_OperandCount(ins), ins, "operands");
    for (UINT32 i = 0; i < INS_OperandCount(ins); i++) {
        const xed_operand_t *o = xed_inst_operand(xed_decoded_inst_inst(&d), i);
        Check(!!xed_operand_written(o) == INS_OperandWritten(ins, i), ins, "written");
        Check(xed_decoded_inst_operand_length_bits(&d, i) == INS_OperandWidth(ins, i), ins, "width");
        if (INS_OperandIsReg(ins, i) && REG_valid(INS_OperandReg(ins, i)))
            Check(INS_XedExactMapToPinReg(xed_decoded_inst_get_reg(&d, xed_operand_name(o))) == INS_OperandReg(ins, i), ins, "register");
        if (INS_OperandIsImmediate(ins, i) && xed_operand_name(o) == XED_OPERAND_IMM0)
            Check((INT32)INS_OperandImmediate(ins, i) == xed_decoded_inst_get_signed_immediate(&d), ins, "immediate");
    }
    if (INS_IsDirectControlFlow(ins))
        Check(INS_Address(ins) + INS_Size(ins) + xed_decoded_inst_get_branch_displacement(&d) == INS_DirectControlFlowTargetAddress(ins), ins, "target");
    if (INS_MemoryOperandCount(ins) == 1 && !INS_IsLea(ins))
        Check(!!xed_decoded_inst_mem_written(&d, 0) == INS_MemoryOperandIsWritten(ins, 0), ins, "memory");
}

static VOID Bad()
{
    const UINT8 call[] = { 0xe8, 1, 0, 0, 0 }, bad[] = { 0x06, 0x06 };
    xed_state_t mode = { XED_MACHINE_MODE_LONG_64, XED_ADDRESS_WIDTH_64b };
    xed_decoded_inst_t d;
    xed_decoded_inst_zero_set_mode(&d, &mode);
    std::cerr << xed_error_enum_t2str(xed_decode(&d, call, 3)) << " ";
    xed_decoded_inst_zero_set_mode(&d, &mode);
    std::cerr << xed_error_enum_t2str(xed_decode(&d, bad, 2)) << " ";
    /* add $-4, %rax; mov $2, %ax */
    const UINT8 add[] = { 0x48, 0x83, 0xc0, 0xfc }, mov[] = { 0x66, 0xb8, 2, 0 };
    xed_decoded_inst_zero_set_mode(&d, &mode);
    xed_decode(&d, add, sizeof add);
    std::cerr << xed_decoded_inst_get_immediate_is_signed(&d) << xed_decoded_inst_get_immediate_width(&d);
    xed_decoded_inst_zero_set_mode(&d, &mode);
    xed_decode(&d, mov, sizeof mov);
    std::cerr << xed_decoded_inst_get_immediate_is_signed(&d) << xed_decoded_inst_get_immediate_width(&d) << std::endl;
}

static VOID Fini(INT32, VOID *) { std::cerr << (seen > 1000 ? "all looked at" : "too few") << std::endl; }

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    Bad();
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}

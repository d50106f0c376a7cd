/* decoded.cpp: XED's accessors say the same as the INS functions, and a copy of the bytes decodes to the same; element by
 * element an operand has the addresses that IARG_MEMORYOP_EA and the translation of addresses tell. */
#include "pin.H"

static UINT64 n, wrong, elements, moved;
#define CHECK(claim) do { if (!(claim)) { wrong++; fprintf(stderr, "%s: %s\n", INS_Disassemble(ins).c_str(), #claim); } } while (0)

static VOID CheckMemory(INS ins, const xed_decoded_inst_t *x)
{
    CHECK(INS_IsLea(ins) || INS_IsNop(ins) || xed_decoded_inst_number_of_memory_operands(x) == INS_MemoryOperandCount(ins));
    for (UINT32 m = 0; m < INS_MemoryOperandCount(ins); m++) {
        UINT32 k = INS_MemoryOperandIndexToOperandIndex(ins, m);
        CHECK(!!xed_decoded_inst_mem_read(x, m) == INS_MemoryOperandIsRead(ins, m));
        CHECK(!!xed_decoded_inst_mem_written(x, m) == INS_MemoryOperandIsWritten(ins, m));
        CHECK(xed_decoded_inst_get_memory_operand_length(x, m) == INS_MemoryOperandSize(ins, m));
        CHECK((REG)xed_decoded_inst_get_base_reg(x, m) == INS_OperandMemoryBaseReg(ins, k));
        CHECK((REG)xed_decoded_inst_get_index_reg(x, m) == INS_OperandMemoryIndexReg(ins, k));
        CHECK(xed_decoded_inst_get_memory_displacement(x, m) == INS_OperandMemoryDisplacement(ins, k));
    }
}

static VOID CheckOperands(INS ins, const xed_decoded_inst_t *x)
{
    const xed_inst_t *form = xed_decoded_inst_inst(x);
    CHECK(xed_inst_noperands(form) == INS_OperandCount(ins));
    for (UINT32 k = 0; k < INS_OperandCount(ins); k++) {
        const xed_operand_t *o = xed_inst_operand(form, k);
        CHECK((UINT32)xed_operand_name(o) == INS_OperandNameId(ins, k));
        CHECK(!!xed_operand_read(o) == INS_OperandRead(ins, k) && !!xed_operand_written(o) == INS_OperandWritten(ins, k));
        CHECK((xed_operand_operand_visibility(o) != XED_OPVIS_EXPLICIT) == INS_OperandIsImplicit(ins, k));
        if (!INS_OperandIsReg(ins, k))
            continue;
        xed_reg_enum_t reg = xed_decoded_inst_get_reg(x, xed_operand_name(o));
        if (REG_valid(INS_OperandReg(ins, k)) || reg < XED_REG_STACKPUSH)
            CHECK((REG)reg == INS_OperandReg(ins, k));
        else
            CHECK(reg == (INS_IsStackWrite(ins) ? XED_REG_STACKPUSH : INS_IsStackRead(ins) ? XED_REG_STACKPOP : reg));
        if (REG_valid(INS_OperandReg(ins, k)))
            CHECK(INS_XedExactMapToPinReg(reg) == INS_OperandReg(ins, k) && INS_XedExactMapFromPinReg((REG)reg) == reg);
    }
}

static VOID CheckDecode(INS ins, const xed_decoded_inst_t *x)
{
    xed_state_t state;
    xed_decoded_inst_t copy;
    UINT8 bytes[15];
    char a[256], b[256];
    xed_state_init2(&state, XED_MACHINE_MODE_LONG_64, XED_ADDRESS_WIDTH_64b);
    xed_decoded_inst_zero_set_mode(&copy, &state);
    CHECK(PIN_SafeCopy(bytes, (VOID *)INS_Address(ins), INS_Size(ins)) == INS_Size(ins));
    CHECK(xed_decode(&copy, bytes, INS_Size(ins)) == XED_ERROR_NONE);
    CHECK(INS_Size(ins) == 1 || xed_decode(&copy, bytes, INS_Size(ins) - 1) != XED_ERROR_NONE || xed_decoded_inst_get_length(&copy) < INS_Size(ins));
    xed_decode(&copy, bytes, INS_Size(ins));
    CHECK(xed_format_context(XED_SYNTAX_INTEL, &copy, a, sizeof a, INS_Address(ins), 0, 0));
    CHECK(xed_format_context(XED_SYNTAX_INTEL, x, b, sizeof b, INS_Address(ins), 0, 0));
    CHECK(std::string(a) == b && INS_Disassemble(ins) == a);
}

static VOID OneElement(IMULTI_ELEMENT_OPERAND *e, ADDRINT ea, UINT32 size)
{
    elements++;
    if (!e->IsMemory() || e->Address() != ea || e->Size() != size || e->ElementAddress(0) != ea || !e->ElementMaskValue(0))
        wrong++;
}
static ADDRINT Translate(PIN_MEM_TRANS_INFO *info, VOID *) { return info->addr ^ 0x1000; }
static VOID Moved(ADDRINT ea, ADDRINT ptr) { moved++; wrong += ptr != (ea ^ 0x1000); }

static VOID Instruction(INS ins, VOID *)
{
    const xed_decoded_inst_t *x = INS_XedDec(ins);
    n++;
    /* The opcode of a repeated string instruction is the plain one; its class and its mnemonic tell the repetition. */
    std::string name = INS_Mnemonic(ins);
    CHECK(name == xed_iclass_enum_t2str(xed_decoded_inst_get_iclass(x)));
    if (INS_HasRealRep(ins))
        name = name.substr(name.find('_') + 1);
    CHECK(name == OPCODE_StringShort(INS_Opcode(ins)) && (INT32)xed_decoded_inst_get_category(x) == INS_Category(ins));
    CHECK((INT32)xed_decoded_inst_get_extension(x) == INS_Extension(ins) && xed_decoded_inst_get_length(x) == INS_Size(ins));
    CHECK(xed_decoded_inst_get_attribute(x, XED_ATTRIBUTE_LOCKED) == INS_LockPrefix(ins));
    CheckOperands(ins, x);
    CheckMemory(ins, x);
    CheckDecode(ins, x);
    for (UINT32 m = 0; m < INS_MemoryOperandCount(ins) && !INS_IsVgather(ins); m++) {
        INS_InsertPredicatedCall(ins, IPOINT_BEFORE, (AFUNPTR)Moved, IARG_MEMORYOP_EA, m, IARG_MEMORYOP_PTR, m, IARG_END);
        INS_InsertPredicatedCall(ins, IPOINT_BEFORE, (AFUNPTR)OneElement, IARG_MULTI_ELEMENT_OPERAND,
                                 INS_MemoryOperandIndexToOperandIndex(ins, m), IARG_MEMORYOP_EA, m, IARG_UINT32,
                                 INS_MemoryOperandSize(ins, m), IARG_END);
    }
}

static VOID Fini(INT32, VOID *)
{
    fprintf(stderr, "%s wrong %lu\n", n > 1000 && elements > 1000 && moved > 1000 ? "many" : "few", wrong);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    xed_tables_init();
    PIN_AddMemoryAddressTransFunction(Translate, 0);
    ASSERTX(PIN_GetMemoryAddressTransFunction() == Translate && PIN_GetDebugStatus() == DEBUG_STATUS_DISABLED);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}

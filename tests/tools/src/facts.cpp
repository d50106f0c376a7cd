/* facts.cpp: what needs no program: registers and their sets, numbers as text, exceptions, tile configurations, locks. */
#include "pin.H"
#include <time.h>

static UINT32 n, wrong;
#define CHECK(claim) do { n++; if (!(claim)) { wrong++; fprintf(stderr, "line %d: %s\n", __LINE__, #claim); } } while (0)

/* One register of each class and the questions that are true of it; all others must be false. */
typedef BOOL (*QUESTION)(REG);
#define Q(name) { #name, name }
static const struct { const char *name; QUESTION ask; } questions[] = {
    Q(REG_is_gr), Q(REG_is_gr64), Q(REG_is_gr32), Q(REG_is_gr16), Q(REG_is_gr8), Q(REG_is_Lower8), Q(REG_is_Upper8), Q(REG_is_Any8),
    Q(REG_is_Half16), Q(REG_is_Half32), Q(REG_is_seg), Q(REG_is_seg_base), Q(REG_is_gs_or_fs), Q(REG_is_mm), Q(REG_is_xmm),
    Q(REG_is_ymm), Q(REG_is_zmm), Q(REG_is_xmm_ymm_zmm), Q(REG_is_any_vector_reg), Q(REG_is_avx512_hi16_xmm),
    Q(REG_is_avx512_hi16_ymm), Q(REG_is_k_mask), Q(REG_is_any_mask), Q(REG_is_tmm), Q(REG_is_mxcsr), Q(REG_is_any_mxcsr), Q(REG_is_st),
    Q(REG_is_flags), Q(REG_is_flags_type), Q(REG_is_status_flags), Q(REG_is_df_flag), Q(REG_is_flags_any_size_type),
    Q(REG_is_any_flags_type), Q(REG_is_any_app_flags), Q(REG_is_stackptr_type), Q(REG_is_fr), Q(REG_is_partialreg),
    Q(REG_is_inst_scratch), Q(REG_is_buffer), Q(REG_is_representative_reg), Q(REG_is_application), Q(REG_is_machine), Q(REG_is_br),
    Q(REG_is_pseudo), Q(REG_is_pin), Q(REG_is_pin64), Q(REG_is_pin_gr), Q(REG_is_pin_gr32), Q(REG_is_pin_gr_half32), Q(REG_is_pin_gpr),
    Q(REG_is_pin_tmp), Q(REG_is_pin_flags), Q(REG_is_pin_status_flags), Q(REG_is_pin_df_flag), Q(REG_is_any_pin_flags), Q(REG_is_pin_xmm),
    Q(REG_is_pin_ymm), Q(REG_is_pin_zmm), Q(REG_is_pin_xmm_ymm_zmm), Q(REG_is_pin_k_mask), Q(REG_valid_for_iarg_reg_value) };

static VOID Ask(REG reg, const std::string &yes)
{
    std::string got;
    for (auto &q : questions)
        if (q.ask(reg))
            got += (got.empty() ? "" : " ") + std::string(q.name + (strncmp(q.name, "REG_is_", 7) ? 4 : 7));
    n++;
    if (got != yes) {
        wrong++;
        fprintf(stderr, "%s: expected %s, got %s\n", REG_StringShort(reg).c_str(), yes.c_str(), got.c_str());
    }
}

static VOID Classes()
{
    Ask(REG_RAX, "gr gr64 application machine valid_for_iarg_reg_value");
    Ask(REG_RSP, "gr gr64 stackptr_type application machine valid_for_iarg_reg_value");
    Ask(REG_R15D, "gr32 Half32 partialreg application machine valid_for_iarg_reg_value");
    Ask(REG_CX, "gr16 Half16 partialreg application machine valid_for_iarg_reg_value");
    Ask(REG_SIL, "gr8 Lower8 Any8 partialreg application machine valid_for_iarg_reg_value");
    Ask(REG_DH, "gr8 Upper8 Any8 partialreg application machine valid_for_iarg_reg_value");
    Ask(REG_SEG_CS, "seg application machine valid_for_iarg_reg_value");
    Ask(REG_SEG_GS, "seg gs_or_fs application machine valid_for_iarg_reg_value");
    Ask(REG_SEG_FS_BASE, "seg_base application machine valid_for_iarg_reg_value");
    Ask(REG_RFLAGS, "flags flags_type flags_any_size_type any_flags_type any_app_flags application machine valid_for_iarg_reg_value");
    Ask(REG_MM3, "mm fr application machine");
    Ask(REG_XMM7, "xmm xmm_ymm_zmm any_vector_reg fr application machine");
    Ask(REG_XMM17, "xmm xmm_ymm_zmm any_vector_reg avx512_hi16_xmm fr application machine");
    Ask(REG_YMM31, "ymm xmm_ymm_zmm any_vector_reg avx512_hi16_ymm fr application machine");
    Ask(REG_ZMM0, "zmm xmm_ymm_zmm any_vector_reg fr application machine");
    Ask(REG_K2, "k_mask any_mask fr application machine");
    Ask(REG_TMM1, "tmm fr application machine");
    Ask(REG_MXCSR, "mxcsr any_mxcsr fr application machine");
    Ask(REG_ST5, "st fr application machine");
    Ask(REG_INST_G4, "inst_scratch valid_for_iarg_reg_value");
    Ask(REG_BUF_BASE2, "inst_scratch buffer");
    Ask(REG_X87, "representative_reg");
    CHECK(REG_is_gr_type(REG_RAX) && REG_is_gr_type(REG_R15) && !REG_is_gr_type(REG_EAX) && !REG_is_gr_type(REG_RFLAGS));
    CHECK(REG_is_df_flag_type(REG_DF_FLAG) && REG_is_app_df_flag_type(REG_DF_FLAG) && !REG_is_df_flag_type(REG_STATUS_FLAGS));
    CHECK(REG_is_status_flags_type(REG_STATUS_FLAGS) && REG_is_app_status_flags_type(REG_STATUS_FLAGS) && !REG_is_status_flags_type(REG_DF_FLAG));
    CHECK(!REG_is_app_df_flag_type(REG_RFLAGS) && !REG_is_app_status_flags_type(REG_RFLAGS));
    CHECK(REG_is_fr_for_get_context(REG_FPCW) && REG_is_fr_for_get_context(REG_FPDP_SEL) && REG_is_fr_for_get_context(REG_MXCSR));
    CHECK(!REG_is_fr_for_get_context(REG_ST0) && !REG_is_fr_for_get_context(REG_RAX) && !REG_is_fr_for_get_context(REG_XMM0));
    CHECK(REG_is_pin_inst(REG_INST_G0) && REG_is_pin_inst(REG_BUF_BASE0) && !REG_is_pin_inst(REG_RAX) && !REG_is_pin_inst(REG_XMM0));
}

static VOID Registers()
{
    CHECK(REG_FullRegName(REG_AL) == REG_RAX && REG_FullRegName(REG_BH) == REG_RBX && REG_FullRegName(REG_R9W) == REG_R9);
    CHECK(REG_FullRegName(REG_EFLAGS) == REG_RFLAGS && REG_FullRegName(REG_EIP) == REG_RIP && REG_FullRegName(REG_XMM3) == REG_XMM3);
    CHECK(REG_Size(REG_AH) == 1 && REG_Size(REG_DX) == 2 && REG_Size(REG_R8D) == 4 && REG_Size(REG_RBP) == 8 && REG_Size(REG_ST0) == 10);
    CHECK(REG_Size(REG_XMM9) == 16 && REG_Size(REG_YMM9) == 32 && REG_Size(REG_ZMM9) == 64 && REG_Size(REG_TMM1) == 1024);
    CHECK(REG_Width(REG_AL) == REGWIDTH_8 && REG_Width(REG_RAX) == REGWIDTH_NATIVE && REG_Width(REG_ST1) == REGWIDTH_80);
    CHECK(REG_Width(REG_XMM1) == REGWIDTH_128 && REG_Width(REG_ZMM1) == REGWIDTH_512);
    CHECK(!REG_valid(REG_INVALID()) && REG_valid(REG_RAX) && REG_AppFlags() == REG_RFLAGS && REG_IdentityCopy(REG_R8) == REG_R8);
    CHECK(REG_corresponding_ymm_reg(REG_XMM5) == REG_YMM5 && REG_corresponding_zmm_reg(REG_XMM20) == REG_ZMM20);
    CHECK(REG_get_full_flags_reg_of_type(REG_DF_FLAG) == REG_RFLAGS && REG_get_df_flag_reg_of_type(REG_RFLAGS) == REG_DF_FLAG);
    CHECK(REG_get_status_flags_reg_of_type(REG_EFLAGS) == REG_STATUS_FLAGS && !REG_valid(REG_get_full_flags_reg_of_type(REG_RAX)));
    CHECK(REG_LastSupportedXmm() - REG_XMM0 == REG_LastSupportedYmm() - REG_YMM0);
    CHECK(__builtin_cpu_supports("avx512f") ? REG_LastSupportedZmm() == REG_ZMM31 : !REG_valid(REG_LastSupportedZmm()));
    REG r = REG_R8;
    CHECK(r++ == REG_R8 && r == REG_R9 && ++r == REG_R10 && --r == REG_R9 && r-- == REG_R9 && r == REG_R8);
    std::set<REG> claimed;
    for (int i = 0; i < 30; i++)
        claimed.insert(PIN_ClaimToolRegister());
    CHECK(claimed.size() == 30 && !claimed.count(REG_INVALID()) && PIN_ClaimToolRegister() == REG_INVALID());
    for (REG t = REG_FIRST; t < REG_LAST; ++t)
        CHECK(REG_is_reg(t) && !REG_StringShort(t).empty() && (REG_Size(t) > 0) && REG_valid(REG_FullRegName(t)));

    REGSET s;
    REGSET_Clear(s);
    CHECK(REGSET_PopCountIsZero(s) && !REG_valid(REGSET_PopNext(s)));
    REGSET_Insert(s, REG_RCX);
    REGSET_Insert(s, REG_XMM4);
    CHECK(REGSET_Contains(s, REG_RCX) && !REGSET_Contains(s, REG_RAX) && REGSET_PopCount(s) == 2 && REGSET_StringShort(s) == "rcx xmm4");
    REGSET_Remove(s, REG_XMM4);
    CHECK(REGSET_PopCount(s) == 1 && REGSET_PopNext(s) == REG_RCX && REGSET_PopCountIsZero(s));
    REGSET_AddAll(s);
    CHECK(REGSET_PopCount(s) == (UINT32)(REG_LastInRegset - REG_FirstInRegset) + 1);
    REGSET all = PIN_GetFullContextRegsSet();
    CHECK(REGSET_Contains(all, REG_RAX) && REGSET_Contains(all, REG_RFLAGS) && REGSET_Contains(all, REG_XMM0));

    UINT8 tiles[64] = { 1 };
    tiles[16 + 2 * 3] = 0x40;
    tiles[17 + 2 * 3] = 1;
    tiles[48 + 3] = 16;
    CHECK(TileCfg_GetPaletteID(tiles) == 1 && TileCfg_GetTileBytesPerRow(tiles, REG_TMM3) == 0x140 && TileCfg_GetTileRows(tiles, REG_TMM3) == 16);
    FXSAVE fx = FXSAVE();
    fx._ftw = 0x80;                             /* physical register 7 is in use, it is st0 */
    fx._fsw = 7 << 11;
    CHECK(REG_ConvertX87AbridgedTagToFull(&fx) == 0x7fff && REG_ConvertX87FullTagToAbridged(0x7fff) == 0x80);    /* zero */
}

static VOID Strings()
{
    CHECK(hexstr(255) == "0xff" && hexstr((INT8)-1) == "0xff" && decstr(-5) == "-5" && decstr(7, 4) == "   7" && hexstr((VOID *)16) == "0x10");
    CHECK(StringDec(42, 5, '0') == "00042" && StringDecSigned(-3) == "-3" && StringHex(255, 4) == "0x00ff" && StringHex(255, 0, FALSE) == "ff");
    CHECK(StringHex32(16) == "0x10" && StringBignum(1234567) == "1,234,567" && StringBignum(-1234) == "-1,234" && StringBool(TRUE) == "TRUE");
    CHECK(StringFlt(1.25, 1, 0) == "1.2" && fltstr(3.14159, 2) == "3.14" && StringTri(TRI_MAYBE) == "MAYBE" && ljstr("ab", 4) == "ab  ");
    CHECK(StringFromAddrint(0x1234) == "0x0000000000001234" && StringFromUint64(1) == "0x0000000000000001" && ptrstr((VOID *)32) == "0x20");
    CHECK(Uint64FromString("0x10") == 16 && Int64FromString("-7") == -7 && Uint32FromString("12") == 12 && Int32FromString("-1") == -1);
    CHECK(AddrintFromString("0xff") == 255 && FLT64FromString("2.5") == 2.5 && BitCount(0xf0) == 4 && CharToUpper('q') == 'Q');
    CHECK(CharIsSpace(' ') && !CharIsSpace('x') && CharToHexDigit('b') == 11 && CharToHexDigit('g') == -1 && USIZE_INVALID() == ~0u);
    CHECK(RoundUp(13ul, 8) == 16 && RoundDown(13ul, 8) == 8 && GetPageOfAddr(0x1fff) == 0x1000 && VoidStar2Addrint((VOID *)5) == 5);
    CHECK(Addrint2VoidStar(9) == (VOID *)9 && PtrAtOffset((VOID *)16, 8) == (VOID *)24 && PtrDiff((VOID *)24, (VOID *)16) == 8);
    CHECK(Joinpath("a", "b") == "a/b" && Joinpath("a/", "b") == "a/b" && Joinpath("", "b") == "b");
    CHECK(Reformat("one two three", "> ", 2, 8) == "> one two\n> three\n" || Reformat("one two three", "> ", 2, 8) == "> one\n> two\n> three\n");
    std::istringstream in("# comment\n\n  text\nmore\n");
    UINT32 line = 0;
    CHECK(ReadLine(in, &line) == "  text" && line == 3 && ReadLine(in, &line) == "more" && line == 4 && ReadLine(in, &line).empty());
    CHECK(MemPageRange(0x12345).Base() == (VOID *)0x12000 && MemPageRange(0x12345).Contains((VOID *)0x12fff) && !MemPageRange(5ul).Contains((VOID *)4096));
    CHECK(MemRange((ADDRINT)0, 8).AdjacentTo(MemRange((ADDRINT)8, 8)) && !MemRange((ADDRINT)0, 8).Intersects(MemRange((ADDRINT)8, 8)));
    CHECK(AssertString("f", "g", 3, "m") == "f: g: 3: assertion failed: m" && (ADDRINT)GetSp() - (ADDRINT)&line + 65536 < 131072);
    MilliSecondsElapsed();
    CHECK(MilliSecondsElapsed() < 60000);
    BreakMe();
    CHECK(PIN_UndecorateSymbolName("_Z3fooi", UNDECORATION_COMPLETE) == "foo(int)" && PIN_UndecorateSymbolName("_Z3fooi", UNDECORATION_NAME_ONLY) == "foo");
    CHECK(OPCODE_StringShort(XED_ICLASS_ADD) == "ADD" && CATEGORY_StringShort(XED_CATEGORY_COND_BR) == "COND_BR" && EXTENSION_StringShort(XED_EXTENSION_AVX2) == "AVX2");
    CHECK(!OPCODE_valid(OPCODE_INVALID()) && OPCODE_valid(XED_ICLASS_ADD) && !PIN_Version().empty() && PIN_CALLBACK_INVALID == (PIN_CALLBACK)0);
}

static VOID Exceptions()
{
    EXCEPTION_INFO e;
    ADDRINT a = 0;
    PIN_InitExceptionInfo(&e, EXCEPTCODE_INT_DIVIDE_BY_ZERO, 0x1000);
    CHECK(PIN_GetExceptionCode(&e) == EXCEPTCODE_INT_DIVIDE_BY_ZERO && PIN_GetExceptionClass(PIN_GetExceptionCode(&e)) == EXCEPTCLASS_INT_ERROR);
    CHECK(PIN_GetExceptionAddress(&e) == 0x1000 && !PIN_GetFaultyAccessAddress(&e, &a) && PIN_GetFpErrorSet(&e) == 0);
    PIN_SetExceptionAddress(&e, 0x2000);
    CHECK(PIN_GetExceptionAddress(&e) == 0x2000 && PIN_ExceptionToString(&e).find("0x2000") != std::string::npos);
    PIN_InitAccessFaultInfo(&e, EXCEPTCODE_ACCESS_DENIED, 0x3000, 0x4000, FAULTY_ACCESS_WRITE);
    CHECK(PIN_GetFaultyAccessAddress(&e, &a) && a == 0x4000 && PIN_GetFaultyAccessType(&e) == FAULTY_ACCESS_WRITE);
    CHECK(PIN_GetExceptionClass(EXCEPTCODE_ACCESS_DENIED) == EXCEPTCLASS_ACCESS_FAULT && PIN_ExceptionToString(&e).find("0x4000") != std::string::npos);
    PIN_InitExceptionInfo(&e, EXCEPTCODE_RECEIVED_AMBIGUOUS_SIMD, 0);
    CHECK(PIN_GetFpErrorSet(&e) == 63 && PIN_GetExceptionClass(PIN_GetExceptionCode(&e)) == EXCEPTCLASS_MULTIPLE_FP_ERROR);
    PIN_InitExceptionInfo(&e, EXCEPTCODE_X87_STACK_ERROR, 0);
    CHECK(PIN_GetFpErrorSet(&e) == FPERROR_X87_STACK_ERROR);
}

static VOID Locks()
{
    PIN_LOCK l;
    PIN_InitLock(&l);
    PIN_GetLock(&l, 17);
    CHECK(PIN_ReleaseLock(&l) == 17);
    PIN_MUTEX m;
    CHECK(PIN_MutexInit(&m) && PIN_MutexTryLock(&m) && !PIN_MutexTryLock(&m));
    PIN_MutexUnlock(&m);
    PIN_MutexLock(&m);
    PIN_MutexUnlock(&m);
    PIN_MutexFini(&m);
    PIN_RWMUTEX rw;
    CHECK(PIN_RWMutexInit(&rw) && PIN_RWMutexTryReadLock(&rw) && PIN_RWMutexTryReadLock(&rw) && !PIN_RWMutexTryWriteLock(&rw));
    PIN_RWMutexUnlock(&rw);
    PIN_RWMutexUnlock(&rw);
    CHECK(PIN_RWMutexTryWriteLock(&rw) && !PIN_RWMutexTryReadLock(&rw));
    PIN_RWMutexUnlock(&rw);
    PIN_RWMutexFini(&rw);
    PIN_SEMAPHORE s;
    CHECK(PIN_SemaphoreInit(&s) && !PIN_SemaphoreIsSet(&s) && !PIN_SemaphoreTimedWait(&s, 1));
    PIN_SemaphoreSet(&s);
    CHECK(PIN_SemaphoreIsSet(&s) && PIN_SemaphoreTimedWait(&s, 1));
    PIN_SemaphoreWait(&s);
    PIN_SemaphoreClear(&s);
    CHECK(!PIN_SemaphoreIsSet(&s));
    PIN_SemaphoreFini(&s);
    InitLock(&l);
    GetLock(&l, 1);
    CHECK(ReleaseLock(&l) == 1);
    GetVmLock();
    ReleaseVmLock();
    TLS_KEY keys[64];
    for (TLS_KEY &k : keys)
        k = PIN_CreateThreadDataKey(0);
    CHECK(keys[63] != INVALID_TLS_KEY && PIN_CreateThreadDataKey(0) == INVALID_TLS_KEY);
    CHECK(PIN_DeleteThreadDataKey(keys[5]) && !PIN_DeleteThreadDataKey(keys[5]) && PIN_CreateThreadDataKey(0) == keys[5]);
}

static VOID Debugger()
{
    DEBUG_CONNECTION_INFO info;
    DEBUG_MODE mode = DEBUG_MODE();
    mode._type = DEBUG_CONNECTION_TYPE_TCP_SERVER;
    CHECK(PIN_GetDebugStatus() == DEBUG_STATUS_DISABLED && !PIN_GetDebugConnectionInfo(&info));
    CHECK(PIN_SetDebugMode(&mode) && PIN_GetDebugStatus() == DEBUG_STATUS_DISABLED);      // until the start
    mode._type = DEBUG_CONNECTION_TYPE_NONE;
    CHECK(PIN_SetDebugMode(&mode));
    CHECK(PIN_GetDebuggerType() == DEBUGGER_TYPE_UNKNOWN && !PIN_WaitForDebuggerToConnect(1) && !PIN_IsThreadStoppedInDebugger(0));
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    Classes();
    Registers();
    Strings();
    Exceptions();
    Locks();
    Debugger();
    WARNING("a warning");
    CONSOLE("to the console");
    PIN_NON_FATAL_ERROR("not fatal");
    INFO("info\n");
    PHASE("phase\n");
    KNOWN("known\n");
    STATS("stats\n");
    LOG("log\n");
    fprintf(stderr, "%s wrong %u\n", n > 300 ? "many" : "few", wrong);
    PIN_ERROR("fatal");
}

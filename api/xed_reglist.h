/* xed_reglist.h: the registers, as lists. xed_reg.h makes REG of them, xed_decoded.h XED's own enumeration. */
#ifndef API_XED_REGLIST_H
#define API_XED_REGLIST_H

/* X(NAME, text, bytes, class): one register. The lists of a class are in enum order. */
#define REG_LIST_8(X, N, t, s, c) \
    X(N##0, t "0", s, c) X(N##1, t "1", s, c) X(N##2, t "2", s, c) X(N##3, t "3", s, c) \
    X(N##4, t "4", s, c) X(N##5, t "5", s, c) X(N##6, t "6", s, c) X(N##7, t "7", s, c)
#define REG_LIST_8_31(X, N, t, s, c) \
    X(N##8, t "8", s, c) X(N##9, t "9", s, c) X(N##10, t "10", s, c) X(N##11, t "11", s, c) X(N##12, t "12", s, c) \
    X(N##13, t "13", s, c) X(N##14, t "14", s, c) X(N##15, t "15", s, c) X(N##16, t "16", s, c) X(N##17, t "17", s, c) \
    X(N##18, t "18", s, c) X(N##19, t "19", s, c) X(N##20, t "20", s, c) X(N##21, t "21", s, c) X(N##22, t "22", s, c) \
    X(N##23, t "23", s, c) X(N##24, t "24", s, c) X(N##25, t "25", s, c) X(N##26, t "26", s, c) X(N##27, t "27", s, c) \
    X(N##28, t "28", s, c) X(N##29, t "29", s, c) X(N##30, t "30", s, c) X(N##31, t "31", s, c)
#define REG_LIST_32(X, N, t, s, c) REG_LIST_8(X, N, t, s, c) REG_LIST_8_31(X, N, t, s, c)

#define REG_LIST_GR64(X) \
    X(RDI, "rdi", 8, GR64) X(RSI, "rsi", 8, GR64) X(RBP, "rbp", 8, GR64) X(RSP, "rsp", 8, GR64) \
    X(RBX, "rbx", 8, GR64) X(RDX, "rdx", 8, GR64) X(RCX, "rcx", 8, GR64) X(RAX, "rax", 8, GR64) \
    X(R8, "r8", 8, GR64) X(R9, "r9", 8, GR64) X(R10, "r10", 8, GR64) X(R11, "r11", 8, GR64) \
    X(R12, "r12", 8, GR64) X(R13, "r13", 8, GR64) X(R14, "r14", 8, GR64) X(R15, "r15", 8, GR64)
#define REG_LIST_GR32(X) \
    X(EDI, "edi", 4, GR32) X(ESI, "esi", 4, GR32) X(EBP, "ebp", 4, GR32) X(ESP, "esp", 4, GR32) \
    X(EBX, "ebx", 4, GR32) X(EDX, "edx", 4, GR32) X(ECX, "ecx", 4, GR32) X(EAX, "eax", 4, GR32) \
    X(R8D, "r8d", 4, GR32) X(R9D, "r9d", 4, GR32) X(R10D, "r10d", 4, GR32) X(R11D, "r11d", 4, GR32) \
    X(R12D, "r12d", 4, GR32) X(R13D, "r13d", 4, GR32) X(R14D, "r14d", 4, GR32) X(R15D, "r15d", 4, GR32)
#define REG_LIST_GR16(X) \
    X(DI, "di", 2, GR16) X(SI, "si", 2, GR16) X(BP, "bp", 2, GR16) X(SP, "sp", 2, GR16) \
    X(BX, "bx", 2, GR16) X(DX, "dx", 2, GR16) X(CX, "cx", 2, GR16) X(AX, "ax", 2, GR16) \
    X(R8W, "r8w", 2, GR16) X(R9W, "r9w", 2, GR16) X(R10W, "r10w", 2, GR16) X(R11W, "r11w", 2, GR16) \
    X(R12W, "r12w", 2, GR16) X(R13W, "r13w", 2, GR16) X(R14W, "r14w", 2, GR16) X(R15W, "r15w", 2, GR16)
#define REG_LIST_GR8(X) \
    X(DIL, "dil", 1, LOW8) X(SIL, "sil", 1, LOW8) X(BPL, "bpl", 1, LOW8) X(SPL, "spl", 1, LOW8) \
    X(BL, "bl", 1, LOW8) X(DL, "dl", 1, LOW8) X(CL, "cl", 1, LOW8) X(AL, "al", 1, LOW8) \
    X(R8B, "r8b", 1, LOW8) X(R9B, "r9b", 1, LOW8) X(R10B, "r10b", 1, LOW8) X(R11B, "r11b", 1, LOW8) \
    X(R12B, "r12b", 1, LOW8) X(R13B, "r13b", 1, LOW8) X(R14B, "r14b", 1, LOW8) X(R15B, "r15b", 1, LOW8) \
    X(BH, "bh", 1, HIGH8) X(DH, "dh", 1, HIGH8) X(CH, "ch", 1, HIGH8) X(AH, "ah", 1, HIGH8)
#define REG_LIST_SEG(X) \
    X(SEG_CS, "cs", 2, SEG) X(SEG_SS, "ss", 2, SEG) X(SEG_DS, "ds", 2, SEG) \
    X(SEG_ES, "es", 2, SEG) X(SEG_FS, "fs", 2, SEG) X(SEG_GS, "gs", 2, SEG)
#define REG_LIST_FP(X) \
    X(FPCW, "fpcw", 2, FPSTATE) X(FPSW, "fpsw", 2, FPSTATE) X(FPTAG, "fptag", 1, FPSTATE) \
    X(FPIP_OFF, "fpip_off", 4, FPSTATE) X(FPIP_SEL, "fpip_sel", 2, FPSTATE) X(FPOPCODE, "fpopcode", 2, FPSTATE) \
    X(FPDP_OFF, "fpdp_off", 4, FPSTATE) X(FPDP_SEL, "fpdp_sel", 2, FPSTATE) \
    REG_LIST_8(X, ST, "st", 10, ST)
#define REG_LIST_SYSTEM(X) \
    REG_LIST_8(X, DR, "dr", 8, SYSTEM) \
    X(CR0, "cr0", 8, SYSTEM) X(CR1, "cr1", 8, SYSTEM) X(CR2, "cr2", 8, SYSTEM) X(CR3, "cr3", 8, SYSTEM) \
    X(CR4, "cr4", 8, SYSTEM) X(CR8, "cr8", 8, SYSTEM) X(TSSR, "tssr", 2, SYSTEM) X(LDTR, "ldtr", 2, SYSTEM) \
    X(TR, "tr", 2, SYSTEM) X(TR3, "tr3", 4, SYSTEM) X(TR4, "tr4", 4, SYSTEM) X(TR5, "tr5", 4, SYSTEM) \
    X(TR6, "tr6", 4, SYSTEM) X(TR7, "tr7", 4, SYSTEM) X(ORIG_RAX, "orig_rax", 8, SYSTEM)
#define REG_LIST_INST(X) \
    REG_LIST_8(X, INST_G, "inst_g", 8, INST) \
    X(INST_G8, "inst_g8", 8, INST) X(INST_G9, "inst_g9", 8, INST) X(INST_G10, "inst_g10", 8, INST) \
    X(INST_G11, "inst_g11", 8, INST) X(INST_G12, "inst_g12", 8, INST) X(INST_G13, "inst_g13", 8, INST) \
    X(INST_G14, "inst_g14", 8, INST) X(INST_G15, "inst_g15", 8, INST) X(INST_G16, "inst_g16", 8, INST) \
    X(INST_G17, "inst_g17", 8, INST) X(INST_G18, "inst_g18", 8, INST) X(INST_G19, "inst_g19", 8, INST) \
    X(INST_G20, "inst_g20", 8, INST) X(INST_G21, "inst_g21", 8, INST) X(INST_G22, "inst_g22", 8, INST) \
    X(INST_G23, "inst_g23", 8, INST) X(INST_G24, "inst_g24", 8, INST) X(INST_G25, "inst_g25", 8, INST) \
    X(INST_G26, "inst_g26", 8, INST) X(INST_G27, "inst_g27", 8, INST) X(INST_G28, "inst_g28", 8, INST) \
    X(INST_G29, "inst_g29", 8, INST)
#define REG_LIST_INST_HALF(X) \
    X(INST_G0D, "inst_g0d", 4, INST_HALF) X(INST_G1D, "inst_g1d", 4, INST_HALF) \
    X(INST_G2D, "inst_g2d", 4, INST_HALF) X(INST_G3D, "inst_g3d", 4, INST_HALF) \
    X(INST_G4D, "inst_g4d", 4, INST_HALF) X(INST_G5D, "inst_g5d", 4, INST_HALF) \
    X(INST_G6D, "inst_g6d", 4, INST_HALF) X(INST_G7D, "inst_g7d", 4, INST_HALF) \
    X(INST_G8D, "inst_g8d", 4, INST_HALF) X(INST_G9D, "inst_g9d", 4, INST_HALF) \
    X(INST_G10D, "inst_g10d", 4, INST_HALF) X(INST_G11D, "inst_g11d", 4, INST_HALF) \
    X(INST_G12D, "inst_g12d", 4, INST_HALF) X(INST_G13D, "inst_g13d", 4, INST_HALF) \
    X(INST_G14D, "inst_g14d", 4, INST_HALF) X(INST_G15D, "inst_g15d", 4, INST_HALF) \
    X(INST_G16D, "inst_g16d", 4, INST_HALF) X(INST_G17D, "inst_g17d", 4, INST_HALF) \
    X(INST_G18D, "inst_g18d", 4, INST_HALF) X(INST_G19D, "inst_g19d", 4, INST_HALF) \
    X(INST_G20D, "inst_g20d", 4, INST_HALF) X(INST_G21D, "inst_g21d", 4, INST_HALF) \
    X(INST_G22D, "inst_g22d", 4, INST_HALF) X(INST_G23D, "inst_g23d", 4, INST_HALF) \
    X(INST_G24D, "inst_g24d", 4, INST_HALF) X(INST_G25D, "inst_g25d", 4, INST_HALF) \
    X(INST_G26D, "inst_g26d", 4, INST_HALF) X(INST_G27D, "inst_g27d", 4, INST_HALF) \
    X(INST_G28D, "inst_g28d", 4, INST_HALF) X(INST_G29D, "inst_g29d", 4, INST_HALF)
#define REG_LIST_10(X, N, t, s, c) REG_LIST_8(X, N, t, s, c) X(N##8, t "8", s, c) X(N##9, t "9", s, c)

/* Every register, in the order of the enumeration. */
#define REG_LIST(X) \
    REG_LIST_GR64(X) REG_LIST_SEG(X) X(RFLAGS, "rflags", 8, FLAGS) X(RIP, "rip", 8, IP) REG_LIST_GR32(X) \
    REG_LIST_GR16(X) REG_LIST_GR8(X) X(EFLAGS, "eflags", 4, FLAGS_PART) X(FLAGS, "flags", 2, FLAGS_PART) \
    X(EIP, "eip", 4, IP_PART) X(IP, "ip", 2, IP_PART) REG_LIST_8(X, MM, "mm", 8, MM) \
    REG_LIST_32(X, XMM, "xmm", 16, XMM) REG_LIST_32(X, YMM, "ymm", 32, YMM) REG_LIST_32(X, ZMM, "zmm", 64, ZMM) \
    REG_LIST_8(X, K, "k", 8, K) REG_LIST_8(X, TMM, "tmm", 1024, TMM) X(TILECONFIG, "tileconfig", 64, TILECONFIG) \
    X(MXCSR, "mxcsr", 4, MXCSR) X(MXCSRMASK, "mxcsrmask", 4, MXCSRMASK) REG_LIST_FP(X) REG_LIST_SYSTEM(X) \
    X(STATUS_FLAGS, "status_flags", 8, STATUS_FLAGS) X(DF_FLAG, "df_flag", 8, DF_FLAG) \
    X(SEG_FS_BASE, "seg_fs_base", 8, SEG_BASE) X(SEG_GS_BASE, "seg_gs_base", 8, SEG_BASE) REG_LIST_INST(X) \
    REG_LIST_INST_HALF(X) REG_LIST_10(X, BUF_BASE, "buf_base", 8, BUF) REG_LIST_10(X, BUF_END, "buf_end", 8, BUF) \
    X(X87, "x87", 512, X87)
#endif

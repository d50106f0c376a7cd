/* renames.c: short routines of many forms, at every instruction. Prints what they made of a program's registers and addresses, which
 * must not depend on which registers they are given. */
#include <pin.h>

static UINT64 sum[24], bins[64];
static UINT8 bytes[64], last_byte;
static UINT16 words[64];
static UINT32 halves[64];

static VOID bin(ADDRINT x) { bins[x >> 4 & 63]++; }
static VOID two(ADDRINT x, ADDRINT y) { bins[(x ^ y) & 63] += y - x; }
static VOID byte_of(ADDRINT x) { bytes[x & 63] += (UINT8)x; }
static VOID word_of(ADDRINT x) { words[x & 63] ^= (UINT16)(x >> 3); }
static VOID half_of(ADDRINT x) { halves[x & 63] -= (UINT32)x; }
static VOID signs(ADDRINT x) { sum[0] += (INT64)(INT8)x + (INT64)(INT16)x + (INT64)(INT32)x; }
static VOID mixes(ADDRINT x, UINT32 k) { sum[1] = sum[1] * 31 + (x << 3 ^ x >> 5) + k; }
static VOID rolls(ADDRINT x) { sum[2] ^= (x << 7 | x >> 57) + ~x; }
static VOID larger(ADDRINT x) { sum[3] = x > sum[3] ? x : sum[3]; }
static VOID sets(ADDRINT x) { sum[4] += x > 4096; sum[18] += (x & 3) == 1; }
static VOID negates(ADDRINT x) { sum[6] += -x; sum[19] += ~(UINT32)x; }
static VOID bit_of(ADDRINT x, ADDRINT y) { sum[8] += x >> (y & 1 ? 3 : 9) & 1; }
static VOID turns(ADDRINT x) { UINT8 old = last_byte; last_byte = (UINT8)x; sum[9] += old; }
static VOID four(ADDRINT a, ADDRINT b, ADDRINT c, ADDRINT d) { sum[10] += a + 3 * b + 5 * c + 9 * d; sum[11] ^= a ^ d; }
static VOID six(ADDRINT a, ADDRINT b, ADDRINT c, ADDRINT d, ADDRINT e, UINT32 f)
{
    sum[12] += (a & b) + (c | d) + (e ^ f);
    sum[13] -= a < c ? e : d;
}
static VOID by_constant(UINT32 k, ADDRINT x) { if (x & k) sum[14] += k; else sum[15]++; }
static ADDRINT grows(ADDRINT x) { return x + (x >> 2) + 1; }
static ADDRINT is_odd(ADDRINT x, ADDRINT y) { return (x + y) & 1; }
static VOID then(ADDRINT ip) { sum[16] = sum[16] * 33 + (ip & 0xff); }
static VOID address(ADDRINT a, UINT32 n) { sum[17] += (a & 0xfff) * n; }

static REG scratch;
static VOID instrument(INS ins, VOID *v)
{
#define VALUE(r) IARG_REG_VALUE, r
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(bin), VALUE(REG_RCX), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(two), VALUE(REG_RSI), VALUE(REG_RDI), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(two), VALUE(REG_RDI), VALUE(REG_RSI), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(byte_of), VALUE(REG_RBX), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(word_of), VALUE(REG_R9), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(half_of), VALUE(REG_RDX), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(signs), VALUE(REG_RAX), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(mixes), VALUE(REG_R8), IARG_UINT32, 77, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(rolls), VALUE(REG_RBP), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(larger), VALUE(REG_RCX), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(sets), VALUE(REG_R10), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(negates), VALUE(REG_R12), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(bit_of), VALUE(REG_RAX), VALUE(REG_RDX), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(turns), VALUE(REG_RDI), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(four), VALUE(REG_RCX), VALUE(REG_RDX), VALUE(REG_RDI), VALUE(REG_RSI), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(six), VALUE(REG_R8), VALUE(REG_RDI), VALUE(REG_R9), VALUE(REG_RSI), VALUE(REG_RAX), IARG_UINT32, 12345, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(by_constant), IARG_UINT32, 64, VALUE(REG_RBX), IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(grows), VALUE(scratch), IARG_RETURN_REGS, scratch, IARG_END);
    INS_InsertIfCall(ins, IPOINT_BEFORE, AFUNPTR(is_odd), VALUE(REG_RSI), VALUE(scratch), IARG_END);
    INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(then), IARG_INST_PTR, IARG_END);
    if (INS_HasFallThrough(ins))
        INS_InsertCall(ins, IPOINT_AFTER, AFUNPTR(two), VALUE(REG_RAX), VALUE(REG_RCX), IARG_END);
    if (INS_IsMemoryRead(ins) && INS_IsStandardMemop(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(address), IARG_MEMORYREAD_EA, IARG_MEMORYREAD_SIZE, IARG_END);
}

static VOID fini(INT32 code, VOID *v)
{
    UINT64 all = 0;
    for (int i = 0; i < 64; i++)
        all = all * 1000003 + bins[i] + bytes[i] + words[i] + halves[i];
    for (int i = 0; i < 24; i++)
        fprintf(stderr, "%lx ", (unsigned long)sum[i]);
    fprintf(stderr, "%lx %x\n", (unsigned long)all, last_byte);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    scratch = PIN_ClaimToolRegister();
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}

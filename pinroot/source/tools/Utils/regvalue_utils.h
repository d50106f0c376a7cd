/* regvalue_utils.h: a register's value seen as bytes, words, floats, and as text. */
#ifndef COTTER_REGVALUE_UTILS_H
#define COTTER_REGVALUE_UTILS_H
#include "pin.H"

using std::ostream;                             /* tools take these from here */
using std::string;

typedef PIN_REGISTER PINTOOL_REGISTER;

/* The bytes as one number, the highest first: 0x... */
inline string Val2Str(const VOID *value, UINT32 size)
{
    const UINT8 *bytes = static_cast<const UINT8 *>(value);
    string s = "0x";
    for (UINT32 i = size; i-- > 0;)
        s += hexstr((UINT32)bytes[i], 2).substr(2);
    return s;
}

inline BOOL CompareValues(const VOID *value, const VOID *expected, UINT32 size, ostream &out)
{
    BOOL same = memcmp(value, expected, size) == 0;
    if (!same)
        out << "ERROR: expected " << Val2Str(expected, size) << ", got " << Val2Str(value, size) << std::endl;
    return same;
}

inline VOID AssignNewPinRegisterValue(PINTOOL_REGISTER *reg, const UINT64 *value, UINT32 qwords)
{
    memcpy(reg->qword, value, qwords * sizeof *value);
}
#endif

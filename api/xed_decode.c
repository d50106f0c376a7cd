/* xed_decode.c: from bytes to a filled struct xv_insn. */
#include "api/xed_int.h"
#include "arch/x86/decode.h"

/* Zydis's own defaults, written out: constant data, so that any thread may decode. */
static const ZydisDecoder decoder = {
    .machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
    .stack_width = ZYDIS_STACK_WIDTH_64,
    .decoder_mode = {
        [ZYDIS_DECODER_MODE_MPX] = ZYAN_TRUE,
        [ZYDIS_DECODER_MODE_CET] = ZYAN_TRUE,
        [ZYDIS_DECODER_MODE_LZCNT] = ZYAN_TRUE,
        [ZYDIS_DECODER_MODE_TZCNT] = ZYAN_TRUE,
        [ZYDIS_DECODER_MODE_WBNOINVD] = ZYAN_TRUE,
        [ZYDIS_DECODER_MODE_CLDEMOTE] = ZYAN_TRUE,
    },
};

/* The engine's decoder is younger than Zydis and knows the length of some instructions that Zydis does not. */
static u8 length_of_unknown(const u8 *bytes, u32 avail)
{
    struct x86_insn in;
    return x86_decode(bytes, avail, &in) && in.len ? in.len : 1;
}

/* Knights Corner's encodings overlap the holes of VEX and EVEX; a CPU that runs Linux programs raises #UD for them. */
static bool is_foreign(const ZydisDecodedInstruction *i)
{
    return i->encoding == ZYDIS_INSTRUCTION_ENCODING_MVEX || i->meta.isa_ext == ZYDIS_ISA_EXT_KNC ||
           i->meta.isa_ext == ZYDIS_ISA_EXT_KNCE || i->meta.isa_ext == ZYDIS_ISA_EXT_KNCV;
}

bool xv_decode_raw(struct xv_decoded *d, const u8 *bytes, u32 avail)
{
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, avail, &d->i, d->op)) && !is_foreign(&d->i);
}

bool xv_decode(struct xv_insn *out, const u8 *bytes, u32 avail, addr_t address)
{
    struct xv_decoded d;
    bool is_valid = xv_decode_raw(&d, bytes, avail);
    memset(out, 0, offsetof(struct xv_insn, op));
    out->address = address;
    out->length = is_valid ? d.i.length : avail ? length_of_unknown(bytes, avail) : 0;
    memcpy(out->bytes, bytes, out->length);
    out->address_width = 64;
    if (!is_valid)
        return false;
    xv_set_class(out, &d);
    xv_set_operands(out, &d);
    xv_set_registers(out, &d);
    xv_set_claims(out, &d);
    return true;
}

/* The form of each instruction of a file: lines of bytes in hexadecimal and the name that XED (2024) gives to their form, one for
 * each form that has an encoding in 64-bit code and that the decoder knows. And that the list of forms is in order. */
#include "pin.H"
#include <cstdio>

static std::string FormOf(const std::string &hex)
{
    UINT8 code[16] = { 0 };
    for (size_t i = 0; i < hex.size() / 2; i++)
        code[i] = (UINT8)strtoul(hex.substr(2 * i, 2).c_str(), 0, 16);
    xed_state_t state;
    xed_decoded_inst_t x;
    xed_state_init2(&state, XED_MACHINE_MODE_LONG_64, XED_ADDRESS_WIDTH_64b);
    xed_decoded_inst_zero_set_mode(&x, &state);
    if (xed_decode(&x, code, (unsigned)hex.size() / 2) != XED_ERROR_NONE)
        return "none";
    xed_iform_enum_t form = xed_decoded_inst_get_iform_enum(&x);
    if (form && xed_iform_to_iclass(form) != xed_decoded_inst_get_iclass(&x))
        return "of another class";
    if (form && xed_decoded_inst_get_iform_enum_dispatch(&x) >= xed_iform_max_per_iclass(xed_decoded_inst_get_iclass(&x)))
        return "numbered beyond its class";
    const xed_inst_t *i = xed_decoded_inst_inst(&x);
    if (xed_inst_iclass(i) != xed_decoded_inst_get_iclass(&x) || xed_inst_category(i) != xed_decoded_inst_get_category(&x) ||
        xed_inst_extension(i) != xed_decoded_inst_get_extension(&x) || xed_inst_iform_enum(i) != form)
        return "another xed_inst_t";
    std::string name = xed_iform_enum_t2str(form);
    if (xed_inst_get_attribute(i, XED_ATTRIBUTE_MASKOP_EVEX) && name.find("MASKmskw") == name.npos)
        return "masked without a mask";
    if (xed_decoded_inst_get_attribute(&x, XED_ATTRIBUTE_MASKOP) != (name.find("MASKMOV") != name.npos))
        return "masked by a vector, or not";
    return name;
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    std::ifstream in(getenv("FORMS"));
    UINT32 n = 0, bad = 0, in_classes = 0;
    for (std::string hex, name; in >> hex >> name; n++) {
        std::string got = FormOf(hex);
        if (got != name && ++bad < 20)
            std::cout << hex << ": " << name << ", not " << got << std::endl;
        if (str2xed_iform_enum_t(name.c_str()) == XED_IFORM_INVALID)
            bad++;
    }
    for (UINT32 c = 1; c < XED_ICLASS_LAST; c++)
        in_classes += xed_iform_max_per_iclass((xed_iclass_enum_t)c);
    if (in_classes != XED_IFORM_LAST - 1 || xed_iform_enum_t_last() != XED_IFORM_LAST)
        std::cout << "the classes have " << in_classes << " forms of " << XED_IFORM_LAST - 1 << std::endl;
    if (std::string(xed_iform_enum_t2str(XED_IFORM_MOV_GPRv_MEMv)) != "MOV_GPRv_MEMv" || xed_iform_to_iclass(XED_IFORM_CPUID) != XED_ICLASS_CPUID ||
        std::string(xed_iform_to_iclass_string_intel(XED_IFORM_REP_MOVSB)) != "movsb" || xed_iform_to_iclass(XED_IFORM_INVALID))
        std::cout << "names and classes of forms" << std::endl;
    if (std::string(xed_attribute_enum_t2str(XED_ATTRIBUTE_MASKOP_EVEX)) != "MASKOP_EVEX" || std::string(xed_syntax_enum_t2str(XED_SYNTAX_ATT)) != "ATT" ||
        std::string(xed_operand_visibility_enum_t2str(XED_OPVIS_SUPPRESSED)) != "SUPPRESSED")
        std::cout << "names of attributes, syntaxes, visibilities" << std::endl;
    std::cout << n << " forms, " << bad << " wrong" << std::endl;
    exit(bad != 0);
}

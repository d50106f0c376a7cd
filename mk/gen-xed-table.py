#!/usr/bin/env python3
"""gen-xed-table.py ENUM_MNEMONIC_H XED_ICLASS_H: write api/xed_mnemonic.h to standard output.

Compares the decoder's mnemonics with the instruction classes by name. Those with a class of the same name are listed in
one macro, the others in a second one: these are what the rules of api/xed_class.c must deal with. Run by hand when the
decoder changes version; tests/unit/xed_table.sh tells when the result is stale."""
import re
import sys
import textwrap


def macro(name, names):
    words = " ".join("X(%s)" % n for n in names)
    lines = textwrap.wrap(words, width=114, break_long_words=False, break_on_hyphens=False)
    return "#define %s(X) \\\n%s\n" % (name, " \\\n".join("    " + x for x in lines))


def main():
    with open(sys.argv[1]) as f:
        mnemonics = [m for m in re.findall(r"^\s*ZYDIS_MNEMONIC_(\w+),", f.read(), re.M) if m != "INVALID"]
    with open(sys.argv[2]) as f:
        classes = set(re.findall(r"X\((\w+)\)", f.read()))
    print("/* xed_mnemonic.h: the decoder's mnemonics, by whether an instruction class has the same name.")
    print(" * Written by mk/gen-xed-table.py. */")
    print("#ifndef API_XED_MNEMONIC_H\n#define API_XED_MNEMONIC_H")
    print(macro("XED_SAME_NAME", [m for m in mnemonics if m in classes]), end="")
    print(macro("XED_OTHER_NAME", [m for m in mnemonics if m not in classes]), end="")
    print("#endif")


main()

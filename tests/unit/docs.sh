# The documents that are made from the headers are current; the table of Pin's functions is true: what it says is there
# compiles and is in the library, what it says is absent does not compile. Tests and modes that docs/robustness.md names are there,
# and the manual page has what --help has.
set -u
fail() { echo "FAIL: $*"; exit 1; }
gen=$ROOT/mk/gen-docs.py
"$gen" api >api.md; diff -q api.md "$ROOT/docs/api.md" || fail "docs/api.md is stale: make docs"
"$gen" compat >compat.md; diff -q compat.md "$ROOT/docs/pin-compat.md" || fail "docs/pin-compat.md is stale: make docs"
"$gen" names >names

# A using-declaration fails for a name that is not declared; a macro cannot be named in one.
face() { # STATE: one line for each name
    echo '#include "pin.H"'
    grep -P "^\w+\t$1\$" names | while read -r name _; do
        printf '#ifndef %s\nusing LEVEL_PINCLIENT::%s;\n#endif\n' "$name" "$name"
    done
}
face yes >yes.cpp
g++ -I "$ROOT/include" -fsyntax-only yes.cpp || fail "the table says yes, the compiler no"
face no >no.cpp
g++ -I "$ROOT/include" -fsyntax-only -fmax-errors=0 no.cpp 2>no.err
n=$(grep -c "error:" no.err) want=$(grep -cP "^\w+\tno\$" names)
[ "$n" = "$want" ] || fail "$want names are absent, but $n do not compile: $(cat no.err)"

# Functions of the headers that are not inline are in the library, and those of the C face too.
nm --defined-only -g "$ROOT/build/lib/cotter/libcotter.a" | awk 'NF == 3 { print $3 }' | sort -u >defined
echo '#include "pin.h"' | gcc -I "$ROOT/include" -E -P - | tr -s ' \n' '  ' | sed 's/;/;\n/g' |
    grep -vE "static|typedef|\{" | grep -oE "\b(PIN|INS|BBL|TRACE|RTN|IMG|SEC|SYM|REG|REGSET|CODECACHE|CALLBACK|IARGLIST|PROTO|APP|CHILD_PROCESS|OPCODE|CATEGORY|EXTENSION|COTTER|xed)_[A-Za-z0-9_]+ ?\(" |
    tr -d ' (' | sort -u >declared
[ "$(wc -l <declared)" -gt 500 ] || fail "only $(wc -l <declared) functions found in pin.h"
comm -23 declared defined >missing
[ ! -s missing ] || fail "declared but not defined: $(cat missing)"

# In tables with a column of tests: `NAME` or FOLDER/NAME, with *; `NAME` is one of tests/diff. And mode NAME.
/usr/bin/python3 - "$ROOT" <<'P' || fail "docs/robustness.md names what is not there"
import glob, os, re, sys
root, missing, n, cells = sys.argv[1], [], 0, []
column = None
for line in open(root + "/docs/robustness.md"):
    row = [cell.strip() for cell in line.split("|")]
    if "|" not in line:
        column = None
    elif column is None:
        column = next((i for i, cell in enumerate(row) if cell in ("test", "tests")), -1)
    elif column > 0:
        cells.append(row[column])
def is_there(name):
    places = [root + "/tests/" + name + ".*"] if "/" in name else [root + "/tests/diff/*/" + name + ".*"]
    return any(glob.glob(p) for p in places)
for cell in cells:
    names = re.findall(r"`([a-z0-9_*]+)`", cell) + re.findall(r"\b((?:unit|tools|diff/programs|transparency|badinput|golden|fuzz|soak)/[a-z0-9_*]+)", cell.replace("tests/", ""))
    n += len(names)
    missing += [name for name in names if not is_there(name)]
modes = {line.split()[0].lstrip("+") for line in open(root + "/tests/lib/modes.txt") if line.strip() and line[0] != "#"}
missing = [name for name in missing if name not in modes]           # `flush`: the mode
missing += [m for m in re.findall(r"\bmode ([a-z0-9]+)\b", " ".join(cells)) if m not in modes]
assert n > 200, n
if missing:
    sys.exit("not there: " + ", ".join(missing))
P
# The manual page has every option and every command.
for word in $("$COTTER" --help | grep -oE -- "--[a-z][a-z-]+|^  cotter [a-z]+" | sed 's/^  cotter //' | sort -u); do
    grep -qE -- "(^|[^a-z-])$word([^a-z-]|\$)" <(sed 's/\\-/-/g; s/\\f[BIR]/ /g' "$ROOT/docs/cotter.1") || fail "docs/cotter.1 does not speak of $word"
done
echo "ok docs"

# Every way to build a tool gives one that counts what a debugger counts: cotter build and new, pkg-config, CMake, the makefiles of
# Pintools; from an installation that was moved afterwards. What cannot be built or run is refused in clear words.
# test-timeout: 240
. "$ROOT/tests/tools/lib.sh"
make -s -C "$ROOT" install PREFIX="$PWD/first" DESTDIR= >install.log 2>&1 || die "make install: $(cat install.log)"

# Programs that run under Cotter have its files mapped: a second installation must not write into them.
exec 9<first/lib/cotter/none
mapped=$(stat -Lc %i /dev/fd/9)
make -s -C "$ROOT" install PREFIX="$PWD/first" DESTDIR= >install.log 2>&1 || die "make install, again: $(cat install.log)"
[ "$(stat -c %i first/lib/cotter/none)" != "$mapped" ] || die "the second installation wrote into files that may be mapped"
exec 9<&-
mv first "moved here"
home="$PWD/moved here"
cotter=$home/bin/cotter
[ -s "$home/share/man/man1/cotter.1" ] || die "no manual page"

# What a tool must count: what a debugger does.
program step
step=$PROG
program mixed
want="$("$step" "$PROG") instructions"
counts() { [ "$("$cotter" -q -t "$1" -- "$PROG" 2>&1)" = "$want" ] || die "$1: $("$cotter" -q -t "$1" -- "$PROG" 2>&1), not $want"; }

"$cotter" new hello >out || die "cotter new"
grep -q "cotter build hello.c" out || die "cotter new does not say how to go on: $(cat out)"
"$cotter" new hello 2>err && die "cotter new wrote over a file"
grep -q "hello.c: File exists" err || die "new: $(cat err)"
"$cotter" build hello.c || die "cotter build hello.c"
counts ./hello

cat >face.cpp <<'EOF'
#include "pin.H"
#include <atomic>
static std::atomic<UINT64> count;
static VOID Add(UINT32 n) { count += n; }
static VOID Trace(TRACE trace, VOID *)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        BBL_InsertCall(bbl, IPOINT_BEFORE, (AFUNPTR)Add, IARG_UINT32, BBL_NumIns(bbl), IARG_END);
}
static VOID Fini(INT32, VOID *) { std::cerr << count << " " << WORD << std::endl; }
int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv)) return 1;
    TRACE_AddInstrumentFunction(Trace, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
EOF
"$cotter" build face.cpp -o with-build '-DWORD="instructions"' -std=c++17 || die "cotter build face.cpp"
counts ./with-build

# A tool of older days, in two sources: names of std in the global scope, headers that lie beside pin.H in the kit.
cat >older.cpp <<'EOF'
#include "portability.H"
#include "pin.H"
#include "InstLib/instlib.H"
typedef UINT64 CACHE_STATS;
#include "pin_cache.H"
#include "os-apis.h"
extern UINT64 count_of(const map<string, UINT64> &);
static map<string, UINT64> counts;
static VOID Add() { counts["instructions"]++; }
static VOID Instruction(INS ins, VOID *)
{
    for (UINT32 k = 0; k < INS_MaxNumRRegs(ins); k++)
        if (INS_RegR(ins, k) >= REG_PIN_BASE)
            PIN_ExitProcess(3);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Add, IARG_END);
}
KNOB<BOOL> Windows(KNOB_MODE_WRITEONCE, "pintool", "windows", KNOB_ONLY_ON_WINDOWS, "");
KNOB<BOOL> Linux(KNOB_MODE_WRITEONCE, "pintool", "linux", KNOB_ONLY_ON_LINUX, "");
static VOID Fini(INT32, VOID *)
{
    NATIVE_FD fd;
    OS_RETURN_CODE r = OS_OpenFD("/nosuch/file", OS_FILE_OPEN_TYPE_READ, 0, &fd);
    if (OS_RETURN_CODE_NO_ERROR == r || Windows || !Linux)
        PIN_ExitProcess(4);
    cerr << count_of(counts) << " " << "instructions" << endl;
}
int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv)) return 1;
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
EOF
cat >"older two.cpp" <<'EOF'
#include "pin.H"
#include <map>
UINT64 count_of(const map<string, UINT64> &m) { return m.begin()->second; }
EOF
"$cotter" build older.cpp "older two.cpp" -L . -lm -o "old er" || die "cotter build of an older tool"
counts "./old er"

# pkg-config cannot say a folder with a space to a shell that splits words.
ln -s "$home" plain
export PKG_CONFIG_PATH=$PWD/plain/lib/pkgconfig
[ "$(pkg-config --modversion cotter)" = "$("$cotter" --version | grep -o '[0-9.]*' | head -1)" ] || die "version of cotter.pc"
g++ -O2 '-DWORD="instructions"' $(pkg-config --cflags cotter) face.cpp -o with-pkg-config $(pkg-config --libs cotter) || die "pkg-config"
counts ./with-pkg-config

mkdir cmake
cp face.cpp cmake
cat >cmake/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.18)
project(face CXX)
find_package(Cotter 0.1 REQUIRED)
add_compile_definitions(WORD="instructions")
cotter_add_tool(with-cmake face.cpp)
EOF
(cd cmake && cmake -DCMAKE_PREFIX_PATH="$home" -B build . && cmake --build build) >cmake.log 2>&1 || die "cmake: $(tail -20 cmake.log)"
counts ./cmake/build/with-cmake
sed -i 's/Cotter 0.1/Cotter 99.1/' cmake/CMakeLists.txt
(cd cmake && cmake -DCMAKE_PREFIX_PATH="$home" -B build . >cmake.log 2>&1) && die "a later version of Cotter was found"

# As the kit's own example folder has it.
root=$("$cotter" --pin-root) || die "--pin-root"
root=$PWD/plain/${root#"$home/"}
mkdir MyPinTool
cp face.cpp MyPinTool
cat >MyPinTool/makefile <<'EOF'
ifdef PIN_ROOT
CONFIG_ROOT := $(PIN_ROOT)/source/tools/Config
else
CONFIG_ROOT := ../Config
endif
include $(CONFIG_ROOT)/makefile.config
include makefile.rules
include $(TOOLS_ROOT)/Config/makefile.default.rules
EOF
printf 'TEST_TOOL_ROOTS := face\nTOOL_CXXFLAGS += -DWORD=\\"instructions\\"\n' >MyPinTool/makefile.rules
(cd MyPinTool && make PIN_ROOT="$root" obj-intel64/face.so) >pin.log 2>&1 || die "PIN_ROOT: $(tail -20 pin.log)"
counts ./MyPinTool/obj-intel64/face.so
(cd MyPinTool && make PIN_ROOT="$root" clean) >pin.log 2>&1 && [ ! -e MyPinTool/obj-intel64/face.so ] || die "clean: $(cat pin.log)"
[ "$("$root/pin" -injection child -t ./with-build -- "$PROG" 2>&1)" = "$want" ] || die "pin: $("$root/pin" -t ./with-build -- "$PROG" 2>&1)"
"$root/pin" -nosuchswitch -t ./with-build -- "$PROG" 2>err
[ $? = 125 ] && grep -q -- "-nosuchswitch" err || die "pin -nosuchswitch: $(cat err)"

# What goes wrong.
says() { # WORDS COMMAND...: fails and says so
    local words=$1
    shift
    "$@" >out 2>&1 && die "$*: succeeded"
    grep -q -- "$words" out || die "$*: does not say '$words': $(cat out)"
}
says "wants a source file" "$cotter" build -O2
says "nosuch.c" "$cotter" build nosuch.c
says "wants a name" "$cotter" new
says "wants a name" "$cotter" new -x
says "is not a Cotter tool" "$cotter" -t /bin/true -- "$PROG"
says "nosuch" "$cotter" -t ./nosuch -- "$PROG"
printf '#include <stdio.h>\nint main(void) { return puts("plain") < 0; }\n' >plain.c
gcc -static-pie plain.c -o plain-tool && says "is not a Cotter tool: link it with libcotter.a" "$cotter" -t ./plain-tool -- "$PROG"
gcc plain.c -o dynamic-tool && says "is not a Cotter tool" "$cotter" -t ./dynamic-tool -- "$PROG"
# The version stands behind the name of the note; the class is the fifth byte of the file.
patch() { python3 -c 'import sys
d = bytearray(open(sys.argv[1], "rb").read())
at = d.index(b"Cotter\0\0") + 8 if sys.argv[3] == "version" else 4
d[at] = d[at] + 1 if sys.argv[3] == "version" else 1
open(sys.argv[2], "wb").write(d)' "$@"; }
patch hello old version && chmod +x old && says "was built for version" "$cotter" -t ./old -- "$PROG"
patch hello narrow class && chmod +x narrow && says "another kind of program" "$cotter" -t ./narrow -- "$PROG"
rm "$home/lib/cotter/libcotter.a"
says "libcotter.a is missing" "$cotter" build hello.c

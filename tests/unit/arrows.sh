# arrows.sh: includes point downwards only; generic code asks for no CPU; the freestanding parts include no libc header.
#
#   tools -> include;  api -> engine -> arch -> base;  the launcher shares with the engine what SHARED lists.
cat >arrows.py <<'END'
import os, re, sys

LOWER = {                       # what each part may include besides itself
    "tools": ("include",),
    "include": (),
    "api": ("include", "engine", "arch", "base", "probe/probe.h", "loader/rt.h"),
    "probe": ("arch/probe.h", "base"),      # the patching core: nothing of the engine
    "engine": ("arch", "base", "probe/probe.h", "loader/handoff.h", "loader/exe.h", "loader/symbol.h", "loader/rt.h"),
    "arch": ("base", "loader/handoff.h"),
    "base": (),
    "loader": ("base",),        # the runtime of the tool's libc, linked to the engine
    "launcher": ("base/types.h", "SHARED"),
}
SHARED = ("loader/handoff.h", "loader/options.def", "loader/exe.h", "loader/symbol.h")

# Today's exceptions: which files, what they include, why. One that is not used any more is an error too.
EXCEPTIONS = [
    ("arch/x86/", ("bridge.c", "context.c", "emulate.c", "far.c", "frames.c", "init.c", "int80.c", "landing.c", "marshal.c", "moved.c", "nested.c", "odd.c",
                   "native.c", "prctl.c", "repeated.c", "returns.c", "selectors.c", "sigframe.c", "slow.h", "strings.c", "tracee.c", "x87.c"),
     "engine/thread.h", "the contract hands over struct thread; its arch part is reached through it"),
    ("arch/x86/", ("control.c", "hash.c", "landing.h", "r11.h"),
     "engine/cache/trace.h", "exits and traces are what is emitted, linked and landed on"),
    ("arch/x86/", ("native.c", "native_call.c"), "engine/native.h", "the record of a probe, whose calls are made"),
    ("arch/x86/", ("bridge.h",), "engine/jit/instrument.h", "struct call is what arch_emit_calls emits"),
    ("arch/x86/", ("landing.c", "junction.c", "returns.c"), "engine/cache/cache.h", "landings and guards are pieces of the code cache"),
    ("arch/x86/", ("emulate.c", "frames.c", "tracee.c", "x87.c"),
     "engine/cache/cache.h", "cache addresses in the FPU and on stacks lead back to the application"),
    ("arch/x86/", ("body.c", "bridge.c", "control.c", "effect.c", "flags.c", "park.c", "junction.c", "landing.c", "light.c", "liveness.c", "returns.c", "routine.c"),
     "engine/engine.h", "options that choose what is emitted"),
    ("arch/x86/", ("liveness.c",), "engine/stats.h", "the time that the choice of registers takes is told apart"),
    ("arch/x86/", ("flags.c",), "engine/emulate/memory.h", "looks ahead in code that cannot change"),
    ("arch/x86/", ("int80.c", "prctl.c", "selectors.c", "sigframe.c"), "engine/emulate/smc.h", "what the engine writes itself may be watched code"),
    ("arch/x86/", ("flags.c",), "engine/hooks.h", "code may come from the tool instead of memory: then there is nothing to look ahead in"),
    ("arch/x86/", ("record.c", "slow.c", "slow_args.c"), "engine/hooks.h", "arguments and records that only the tool interface knows"),
    ("arch/x86/", ("bridge.c", "count.c", "effect.c", "init.c", "landing.c", "nested.c", "record.c", "routine.c", "slow.c"),
     "engine/jit/promote.h", "struct count is what is found and emitted; whoever calls the tool folds first"),
    ("arch/x86/", ("light.c",), "engine/jit/optreport.h", "why a routine is not inlined"),
    ("arch/x86/", ("arch_syscalls.h",), "engine/emulate/syscall.h", "the type of a system call's handler"),
    ("arch/x86/", ("int80.c",), "engine/emulate/calls.h", "calls of the 32-bit table go to the handlers of their twins"),
    ("arch/x86/", ("int80.c",), "engine/emulate/bpf.h", "as above"),
    ("arch/x86/", ("int80.c",), "engine/emulate/process.h", "as above"),
    ("arch/x86/", ("int80.c",), "engine/emulate/signal.h", "as above"),
    ("api/", ("xed_decode.c",), "arch/x86/decode.h", "the XED names describe x86 instructions"),
    ("tools/none/", ("none.c",), "engine/engine.h", "the engine alone, without the tool interface"),
    ("tools/none/", ("none.c",), "loader/rt.h", "the engine alone, without the tool interface"),
]
MADE = ("xed_defined.h",)       # by mk/pinroot.mk, beside the headers that a tool sees
COMPILER = ("stdarg.h", "stdbool.h", "stddef.h", "stdint.h")
SYSTEM = {                      # the only system headers of the freestanding parts
    "base/x86/sysraw.h": ("asm/unistd.h",),
    "loader/exe.c": ("linux/elf.h", "linux/fcntl.h", "linux/stat.h"),
    "loader/symbol.c": ("linux/elf.h", "linux/fcntl.h", "linux/stat.h"),
    "engine/toolsym.c": ("linux/elf.h",),
    "arch/x86/insn.c": ("Zydis/Zydis.h",),
}
CPU = re.compile(r"__(x86_64|i386|amd64|aarch64|arm|riscv|powerpc|s390|mips|loongarch)\w*|__(ARM|SSE|AVX|BMI)\w*")
errors = []


def sources():
    for part in LOWER:
        for top, _, names in os.walk(part):
            for name in names:
                if name.endswith((".c", ".h", ".S", ".cc", ".def")):
                    yield part, os.path.join(top, name)


def resolve(path, name):
    """The file that a quoted include means, from the root."""
    cpu = path.split("/")[1] if path.startswith("arch/x86/") else "x86"
    for folder in ("", os.path.dirname(path), "include", "base/" + cpu, "arch/" + cpu, "include/cotter", "tools/lib"):
        full = os.path.join(folder, name)
        if os.path.exists(full):
            return full
    return None


def is_allowed(part, target):
    for rule in LOWER[part] + (part,):
        if rule == "SHARED" and target in SHARED or target == rule or target.startswith(rule + "/"):
            return True
    return False


def names_a_cpu(path, target):
    return re.match(r"(arch|base)/[a-z0-9]+/", target) and not path.startswith(("arch/", "base/"))


unused = {(folder + f, target) for folder, files, target, _ in EXCEPTIONS for f in files}
exceptions = set(unused)


def check_include(part, path, where, quote, name):
    if quote == "<" and part in ("engine", "base", "arch", "probe") or path in ("loader/exe.c", "loader/symbol.c") and quote == "<":
        if name not in COMPILER + SYSTEM.get(path, ()):
            errors.append("%s: <%s> in freestanding code" % (where, name))
    if quote == "<" or name in MADE:
        return
    target = resolve(path, name)
    if not target:
        errors.append("%s: \"%s\" is not found from the root" % (where, name))
    elif (path, target) in exceptions:
        unused.discard((path, target))
    elif not is_allowed(part, target) or ("/" in name and names_a_cpu(path, target)):
        errors.append("%s: %s may not include %s" % (where, part, target))


for part, path in sources():
    with open(path, errors="replace") as f:
        for number, line in enumerate(f, 1):
            where = "%s:%d" % (path, number)
            found = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
            if found:
                check_include(part, path, where, *found.groups())
            generic = not re.match(r"(arch|base)/[a-z0-9]+/", path)
            if generic and re.match(r"\s*#\s*(if|ifdef|ifndef|elif)\b", line) and CPU.search(line):
                errors.append(where + ": generic code asks for a CPU: " + line.strip())
errors += ["%s includes %s no more: drop the exception" % e for e in sorted(unused)]
print("\n".join(errors))
sys.exit(bool(errors))
END
out=$PWD
cd "$ROOT" && python3 "$out/arrows.py"

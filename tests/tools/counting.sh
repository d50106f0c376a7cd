# Blocks, edges, opcodes and jumps of a program, against a debugger that steps through it and a disassembler's listing.
. "$ROOT/tests/tools/lib.sh"
program edges
stepper=$PROG
program mixed
"$stepper" "$PROG" >pairs
objdump -d --no-show-raw-insn -M intel "$PROG" >listing
for t in bbcount "edgecount" "opcodemix" "jumpmix --sites" "catmix" "regmix" "ldstmix" "proccount" "toprtn"; do
    $COTTER run $t --json -o "${t%% *}.json" -- "$PROG" || die "$t fails"
done
$COTTER --cache-limit=64k --cache-block=16k run opcodemix --json -o opcodemix-flush.json -- "$PROG"
cat >check.py <<'END'
import collections, json, re
name, order = {}, []
for line in open("listing"):
    m = re.match(r"\s*([0-9a-f]+):\s+(\S.*)", line)
    if m:
        words = [w for w in m.group(2).split() if w not in ("rep", "repz", "repnz")]
        name[int(m.group(1), 16)] = (words[0], words)
        order.append(int(m.group(1), 16))
after = dict(zip(order, order[1:]))
pairs, ran = {}, collections.Counter()
for line in open("pairs"):
    a, b, n = line.split()
    a, b, n = int(a, 16), int(b, 16), int(n)
    ran[b] += n
    if a:
        pairs[a, b] = n
load = lambda f: json.load(open(f + ".json"))
total = sum(ran.values())
for tool in ("bbcount", "opcodemix", "opcodemix-flush", "jumpmix", "catmix", "regmix", "ldstmix", "proccount", "toprtn"):
    assert load(tool)["instructions"] == total, (tool, load(tool)["instructions"], total)

# bbcount: blocks expanded to their instructions.
got = collections.Counter()
for b in load("bbcount")["blocks"]:
    at = int(b["address"], 16)
    for _ in range(b["length"]):
        got[at] += b["executions"]
        at = after.get(at, 0)
assert got == ran, [(hex(a), got[a], ran[a]) for a in set(got) | set(ran) if got[a] != ran[a]]

# edgecount: a repeated string instruction may follow itself; the last instruction, exit, leads nowhere.
last = max(a for a in ran if name[a][0] == "syscall")
for e in load("edgecount")["edges"]:
    edge = int(e["from"], 16), int(e["to"], 16)
    assert edge[0] == last or pairs[edge] == e["count"], (e, pairs.get(edge))

# opcodemix: the names differ where the disassembler's are shorter.
alias = {"je": "jz", "jne": "jnz", "ret": "ret_near", "call": "call_near", "movsxd": "movsxd", "cmove": "cmovz", "movs": "movs",
         "ud2": "ud2", "syscall": "syscall"}
suffix = {"BYTE": "b", "QWORD": "q"}
def opcode(a):
    n, words = name[a]
    if n in ("stos", "movs", "scas", "cmps", "lods"):
        n += next(suffix[w] for w in re.split("[ ,]", " ".join(words)) if w in suffix)
    return alias.get(n, n).upper()
want = collections.Counter()
static = collections.Counter()
for a, n in ran.items():
    want[opcode(a)] += n
    static[opcode(a)] += 1
for f in ("opcodemix", "opcodemix-flush"):
    mix = {re.sub("^REPN?E?_", "", m["opcode"]): m for m in load(f)["mix"]}
    assert {k: m["count"] for k, m in mix.items()} == dict(want), (mix, want)
    assert {k: m["static"] for k, m in mix.items()} == dict(static), f

# jumpmix: conditional branches, taken and not.
taken = collections.Counter()
for (a, b), n in pairs.items():
    if b != after.get(a):
        taken[a] += n
conditional = [a for a in ran if re.match("j[^m]|loop", name[a][0])]
assert {int(s["address"], 16): (s["executed"], s["taken"]) for s in load("jumpmix")["sites"]} == \
       {a: (ran[a], taken[a]) for a in conditional}
kinds = {k["kind"]: k["executed"] for k in load("jumpmix")["kinds"]}
assert kinds["return"] == want["RET_NEAR"] and kinds["system call"] == 1 and kinds["indirect jump"] == 3, kinds
assert kinds["conditional branch"] == sum(ran[a] for a in conditional)

# catmix and opcodemix agree; ldstmix: the memory operands of this program, counted by hand from its source.
cat = {c["category"]: c["count"] for c in load("catmix")["mix"]}
assert sum(cat.values()) == total and cat["COND_BR"] == kinds["conditional branch"] and cat["CALL"] == want["CALL_NEAR"]
mem = {m["operand"]: m["count"] for m in load("ldstmix")["mix"]}
assert mem["update 8 code-relative"] == 1000 and mem["load 4"] == 3 and mem["store 1 code-relative"] == 1, mem
assert mem["store 8 stack"] == 1001 and mem["load 8 stack"] == 1001, mem     # calls and returns; one pop
# regmix: edi is written by four kinds of instruction.
reg = {m["register"]: m for m in load("regmix")["mix"]}
writes_di = sum(n for a, n in ran.items() if name[a][0] in ("stos", "movs", "scas", "cmps") or
                re.match(r"(edi|rdi),|edi,1$|edi$", name[a][1][1] if len(name[a][1]) > 1 else "") and
                name[a][0] in ("mov", "lea", "shr", "xor"))
assert reg["rdi"]["written"] == writes_di, (reg["rdi"], writes_di)
# proccount: the calls of a routine are the executions of its first instruction.
calls = {p["procedure"]: p["calls"] for p in load("proccount")["procedures"]}
assert calls["_start"] == 1, calls
END
python3 check.py || die "differs from the single-stepped truth"
same "compare" "*total" "$($COTTER run opcodemix --compare opcodemix.json opcodemix-flush.json | awk '$4 == 0 && /total/ {print $1}')"

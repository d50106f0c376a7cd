# Pages for a browser: drawn by a real one, they show what the report says, and a click in the flame graph works.
# test-needs: cmd:chromium
# test-timeout: 180
. "$ROOT/tests/tools/lib.sh"
program known -O0
dom() {                                         # FILE: what the browser has made of it. Its profile goes here: HOME is nowhere.
    HOME=$PWD timeout 100 chromium --user-data-dir="$PWD/profile" --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom "file://$PWD/$1" 2>/dev/null
}
for t in opcodemix callgraph memtrace; do
    $COTTER run $t --html $t.html --json -o $t.json -- "$PROG" >/dev/null 2>err || die "$t: $(cat err)"
    grep -qE 'src=|https?://' <(sed 's|http://www.w3.org[^"'"'"']*||g' $t.html) && die "$t: the page wants the network"
    dom $t.html >$t.dom
    [ -s $t.dom ] || die "$t: the browser shows nothing"
done
# A flame graph of its own, with a click on the box of a routine: others that are not above or below it disappear.
$COTTER run callgraph -svg flame.svg -o r -- "$PROG" >/dev/null 2>&1
sed 's|//\]\]></script>|Array.from(document.querySelectorAll("g.b")).find(g => g.querySelector("desc").textContent == "nest").dispatchEvent(new Event("click"));\n&|' flame.svg >clicked.svg
dom clicked.svg >clicked.dom
cat >check.py <<'END'
import html, json, re
page = lambda t: html.unescape(open(t + ".dom").read())
text = lambda t: re.sub(r"<[^>]*>", " ", page(t))
report = lambda t: json.load(open(t + ".json"))
for row in report("opcodemix")["mix"][:5]:
    assert row["opcode"] in text("opcodemix"), row
    assert "{:,}".format(row["count"]) in text("opcodemix"), row
for name in ("main", "nest", "leaf", "fib"):
    assert re.search(r"\b%s\b" % name, text("callgraph")), name
assert page("callgraph").count("<rect") > 20 and "<svg" in page("memtrace"), "charts"
nest = next(r for r in report("callgraph")["routines"] if r["routine"] == "nest")
assert "{:,}".format(nest["inclusive"]) in text("callgraph")
assert "Pages by accesses" in text("memtrace")
boxes = re.findall(r"<g class=\"b\"([^>]*)>.*?<rect[^>]*? width=\"([0-9.]+)\".*?<desc>(.*?)</desc>", page("clicked"), re.S)
seen = {name: (float(width), "display: none" in attributes) for attributes, width, name in boxes}
assert seen["nest"] == (1200.0, False) and seen["main"] == (1200.0, False), seen["nest"]
assert seen["leaf"][1] is False and 600 < seen["leaf"][0] < 1200 and seen["_dl_start"][1] is True, seen["leaf"]
END
python3 check.py || die "a page does not show what the report says"

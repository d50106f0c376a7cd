# Pages written with -html, as a browser shows them: the numbers are those of the JSON report, charts and tables are drawn, a
# click sorts, a click on a frame of a flame graph zooms; nothing is loaded from elsewhere.
# test-needs: cmd:chromium
# test-timeout: 180
. "$ROOT/tests/tools/lib.sh"
program cachewalk -static

# shown PAGE [SCRIPT]: the page as the browser has it, after the script, in dom.html.
shown() {
    { cat "$1"; [ -z "$2" ] || echo "<script>$2</script>"; } > shown.html
    HOME=$PWD timeout 150 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/profile" \
        --dump-dom "file://$PWD/shown.html" > dom.html 2> browser.err
    grep -q 'data-ready="yes"' dom.html || die "$1: the script of the page did not come to its end: $(tail -3 browser.err)"
}

$COTTER -q run cachesim -l1d 2k,2 -html page.html -json -o report -- "$PROG" || die "cachesim -html"
grep -E -o "(src|href)=[\"'](https?:)?//" page.html && die "the page loads something"
shown page.html "
const head = [...document.querySelectorAll('#table-routines th')].find(h => h.textContent === 'l2 misses');
head.click(); document.body.dataset.down = head.getAttribute('aria-sort');
document.body.dataset.first = [...document.querySelectorAll('#table-routines tbody tr')].map(r => r.children[4].textContent).join(' ');
head.click(); document.body.dataset.up = head.getAttribute('aria-sort');
document.body.dataset.least = document.querySelector('#table-routines tbody tr').children[4].textContent;
const f = document.querySelector('#tables section:nth-child(2) input'); f.value = 'main'; f.dispatchEvent(new Event('input'));
document.body.dataset.hits = [...document.querySelectorAll('#table-routines tbody tr')].map(r => r.children[0].textContent).join('|');"
cat > look.py <<'P'
import json, re, sys, html
from html.parser import HTMLParser
class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tables, self.at, self.ids, self.body, self.svg, self.shapes, self.in_script = {}, None, {}, {}, [], {}, False
        self.cell = self.tile = None
    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        if tag == "script": self.in_script = True
        if tag == "body": self.body = a
        if tag == "table": self.at = self.tables.setdefault(a["id"], [])
        if tag == "tr" and self.at is not None: self.at.append([])
        if tag in ("td", "th") and self.at is not None: self.cell = ""
        if tag == "svg": self.svg.append(a.get("class")); self.shapes.setdefault(a.get("class"), [])
        if tag in ("rect", "polyline") and self.svg: self.shapes[self.svg[-1]].append(a)
        if tag == "div" and a.get("id", "").startswith("value-"): self.tile = a["id"][6:]
    def handle_endtag(self, tag):
        if tag == "script": self.in_script = False
        if tag == "table": self.at = None
        if tag in ("td", "th") and self.at is not None: self.at[-1].append(self.cell); self.cell = None
    def handle_data(self, data):
        if self.cell is not None: self.cell += data
        if self.tile: self.ids[self.tile] = self.ids.get(self.tile, "") + data
page = Page()
page.feed(open("dom.html").read())
report = json.load(open("report"))
number = lambda text: float(text.replace(",", "").rstrip("%"))
P
cat look.py - > cache.py <<'P'
levels = page.tables["table-levels"]
for row, want in zip(levels[1:], report["levels"]):
    assert row[0] == want["level"] and number(row[2]) == want["reads"] and number(row[3]) == want["read_misses"], (row, want)
assert len(levels) == 1 + len(report["levels"])
assert page.ids["data_accesses"].endswith(f"{report['data_accesses']:,}"), page.ids
assert len(page.shapes["bars"]) == 2 * 20, len(page.shapes["bars"])
widths = [float(r["width"]) for r in page.shapes["bars"][:20]]
misses = sorted((r["l1_misses"] for r in report["routines"]), reverse=True)[:20]
assert all(abs(w / widths[0] - m / misses[0]) < 0.001 for w, m in zip(widths, misses)), (widths, misses)
b = page.body
order = [number(x) for x in b["data-first"].split()]
want = sorted((r["l2_misses"] for r in report["routines"]), reverse=True)
assert b["data-down"] == "descending" and order == want[:50], (order, want)
assert b["data-up"] == "ascending" and number(b["data-least"]) == want[-1], b
assert b["data-hits"] and all("main" in h for h in b["data-hits"].split("|")), b["data-hits"]
P
/usr/bin/python3 cache.py || die "cachesim's page"

$COTTER -q run footprint -interval 5000 -html page.html -json -o report -- "$PROG" || die "footprint -html"
shown page.html
cat look.py - > foot.py <<'P'
lines = page.shapes["lines"]
assert len(lines) == 5, lines                   # touched, code, read, written; total
for line in lines: assert len(line["points"].split()) == len(report["intervals"])
# The footprint never shrinks: on the page, y never grows.
ys = [float(p.split(",")[1]) for p in lines[4]["points"].split()]
assert all(a >= b for a, b in zip(ys, ys[1:])) and ys[0] > ys[-1]
assert len(page.tables["table-intervals"]) - 1 == min(50, len(report["intervals"]))
P
/usr/bin/python3 foot.py || die "footprint's page"

# A flame graph, from stacks with names that must not be taken for HTML.
/usr/bin/python3 - "$ROOT/tools/lib/page.html" > page.html <<'P'
import json, sys
stacks = [("main;f;g", 60), ("main;f", 20), ("main;h", 15), ("main;</script><b id='evil'>", 5)]
report = {"tool": "demo", "program": "/bin/demo", "pid": 1, "stacks": [{"stack": s, "n": n} for s, n in stacks]}
views = [{"kind": "flame", "title": "Stacks", "table": "stacks", "x": "stack", "y": ["n"]}]
safe = lambda v: json.dumps(v).replace("<", "\\u003c")
print(open(sys.argv[1]).read().replace("/*REPORT*/null", safe(report)).replace("/*VIEWS*/null", safe(views)))
P
shown page.html "
const frames = () => [...document.querySelectorAll('.flame rect')].map(r => r.textContent.split(':')[0] + '=' + Math.round(r.getAttribute('width')));
document.body.dataset.all = frames().join(' ');
[...document.querySelectorAll('.flame rect')].find(r => r.textContent.startsWith('f:')).dispatchEvent(new Event('click'));
document.body.dataset.zoomed = frames().join(' ');
document.body.dataset.evil = document.getElementById('evil') ? 'yes' : 'no';"
echo '{}' > report
cat look.py - > flame.py <<'P'
b = page.body
assert b["data-all"].startswith("all=1000 main=1000 f=800 g=600 h=150 "), b["data-all"]
assert b["data-zoomed"] == "all=1000 main=1000 f=1000 g=750", b["data-zoomed"]
assert b["data-evil"] == "no" and not page.tables, b
P
/usr/bin/python3 flame.py || die "flame graph"

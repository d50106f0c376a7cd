# heapcheck has nothing to say about programs of the system, children included.
# test-timeout: 180
. "$ROOT/tests/tools/heap/lib.sh"
# Programs of the system: perl, git, tar and sort leave blocks unfreed on purpose when they exit (any leak checker says so), the others do not.
clean() { # OPTIONS -- PROGRAM...
    rm -f r-*
    $COTTER -q -f run heapcheck -json -o r-%p "$@" >/dev/null 2>err </dev/null || die "$*: status $? $(cat err)"
    for r in r-*; do
        /usr/bin/python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); sys.exit("false alarm: %s" % d["list"] if d["errors"] else 0)' "$r" ||
            die "$*: false alarm"
    done
}
clean -- bash -c 'a=(1 2 3); for i in "${a[@]}"; do x=$(echo $((i * 2))); [[ $x =~ ^[0-9]+$ ]] && echo "${x/2/z}"; done; printf "%s\n" {a..e} | head -2'
clean -- /usr/bin/python3 -c 'import json, re, collections; print(json.dumps({str(i): [i] * i for i in range(50)}), re.sub("a+", "b", "caaat"), sorted(collections.Counter("hello").items()))'
clean -no-leaks -- perl -e 'my %h = map { $_ => $_ ** 2 } 1 .. 200; my $s = join ",", sort { $h{$a} <=> $h{$b} } keys %h; $s =~ s/(\d)5/x$1/g; print length($s), "\n"; printf "%s\n", reverse sprintf("%05d", 42)'
clean -- ls -l /
clean -- sed -n '/daemon/s/o/0/gp' /etc/passwd
mkdir files && cp "$ROOT"/docs/words.md "$ROOT"/Makefile files
clean -no-leaks -- tar cf files.tar files
clean -no-leaks -- tar tvf files.tar
clean -- awk '{ n[$1] += length($0) } END { for (k in n) print k, n[k] }' files/words.md
clean -no-leaks -- sort -k1,1 -u files/words.md
clean -- find files -name '*.md' -newer /etc/passwd
clean -- grep -rn 'the.*trace' files
if command -v sqlite3 >/dev/null; then
    clean -- sqlite3 :memory: 'create table t(a, b); insert into t values (1, "x"), (2, "y"); create index i on t(a); select sum(a), max(b) from t;'
fi
if command -v git >/dev/null; then
    git init -q repository && echo text >repository/file
    clean -no-leaks -- git -C repository add file
    clean -no-leaks -- git -C repository -c user.name=n -c user.email=e@x commit -qm first
    clean -no-leaks -- git -C repository log -p
fi

# The tutorial's code builds, and its commands print what it shows.
. "$ROOT/tests/tools/lib.sh"
mkdir bin
ln -s "$(command -v ${COTTER%% *})" bin/cotter
same "docs/tutorial.md" "7 files 16 commands" "$(PATH=$PWD/bin:$PATH /usr/bin/python3 "$ROOT/tests/tools/tutorial.py" "$ROOT/docs/tutorial.md" 2>&1)"
# It would notice: another number, another word.
for change in 's/57343 hits/57000 hits/; s/65537 reads/60000 reads/' 's/1 calls/2 calls/' 's/ instructions$/ insns/'; do
    sed "$change" "$ROOT/docs/tutorial.md" >wrong.md
    PATH=$PWD/bin:$PATH /usr/bin/python3 "$ROOT/tests/tools/tutorial.py" wrong.md >out 2>&1 && die "not noticed: $change"
done
true

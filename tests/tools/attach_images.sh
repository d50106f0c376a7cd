# At an attach the tool is told of the images in the order of loading, the program first, as the program's own loader has them.
. "$ROOT/tests/tools/lib.sh"
program links
tool links_met
"$PROG" >out &
pid=$!
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
for i in 1 2; do
    $COTTER -pid $pid -t "$TOOL" 2>met || die "attach failed: $(cat met)"
    same "images" "main 1
$(grep ^image out)
start" "$(cat met)"
    leave $pid || die "detach failed: $(cat words)"
done
exit 0

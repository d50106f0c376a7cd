# Names of older headers against those of the new ones; images from both ends, and told about again.
. "$ROOT/tests/tools/lib.sh"
tool olds
same "old names" "many wrong 0" "$($COTTER -q -t "$TOOL" -- /bin/true 2>&1)"
same "images that come and go" "replayed, wrong 0" "$($COTTER -q -t "$TOOL" -replay -- /bin/true 2>&1)"

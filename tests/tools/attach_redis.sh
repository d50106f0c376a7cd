# Attach to redis-server and detach, over and over, while a client checks every reply.
# test-needs: cmd:redis-server
# test-timeout: 200
. "$ROOT/tests/tools/src/attach_lib.sh"
redis-server --port 0 --unixsocket "$PWD/sock" --save "" >log 2>&1 &
started=$!
wait_for test -S sock
checked $started redis sock
exit 0

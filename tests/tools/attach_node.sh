# Attach to node and detach, over and over, while a client checks every reply: a JIT compiler of its own, and its threads.
# test-needs: cmd:node
# test-timeout: 200
. "$ROOT/tests/tools/src/attach_lib.sh"
cat >server.js <<'END'
require('http').createServer((request, response) => {
    let n = Number(request.url.slice(1)), sum = 0;
    for (let i = 0; i <= n; i++) sum = (sum + i) % 1000003;
    response.end([...request.url].reverse().join('') + ' ' + sum);
}).listen('sock');
END
node server.js >log 2>&1 &
started=$!
wait_for test -S sock
checked $started sums sock
exit 0

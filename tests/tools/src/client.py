"""client.py KIND ADDRESS [ARG]: asks a server the same kind of thing until stdin is closed, checks every reply, and says how
many there were. ADDRESS is a port of this machine, or the path of a socket."""
import hashlib
import select
import socket
import sys

kind, address = sys.argv[1:3]


def connect():
    if address.isdigit():
        return socket.create_connection(("127.0.0.1", int(address)), 120)
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(120)
    s.connect(address)
    return s


stream = connect().makefile("rwb")
again = 1


def http(path):
    """A server may close a connection between two requests; once, that is let pass."""
    global stream, again
    stream.write(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path)
    stream.flush()
    size, line = None, stream.readline()
    if not line and again:
        again -= 1
        stream = connect().makefile("rwb")
        return http(path)
    assert line.split()[1] == b"200"
    while True:
        line = stream.readline().strip().lower()
        if not line:
            return stream.read(size)
        if line.startswith(b"content-length:"):
            size = int(line.split(b":")[1])


def redis(*words):
    stream.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
    stream.flush()
    line = stream.readline()
    if line[:1] != b"$":
        return line.strip()
    return stream.read(int(line[1:]) + 2)[:-2]


def ask(n):
    if kind == "redis":
        key, value = b"k%d" % (n % 1000), b"v%d" % n
        assert redis(b"SET", key, value) == b"+OK"
        assert redis(b"GET", key) == value
        assert redis(b"INCR", b"count") == b":%d" % (n + 1)
    elif kind == "file":
        assert hashlib.sha256(http(b"/file")).hexdigest() == sys.argv[3]
    else:
        path = b"/%d" % n
        assert http(path) == path[::-1] + b" %d" % (n * (n + 1) // 2 % 1000003)


n = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    ask(n)
    n += 1
print("ok", n)

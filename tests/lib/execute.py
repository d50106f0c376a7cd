"""execute.py: run one command in a scratch folder and tell everything that can be compared about the run."""
import hashlib
import os
import shutil
import signal
import stat
import subprocess
import time


class Result:
    """What a run did. `status` is the exit status, or minus the number of the signal that killed it."""
    def __init__(self):
        self.status, self.timed_out, self.seconds = 0, False, 0.0
        self.stdout, self.stderr = b"", b""
        self.files, self.left_running = {}, []


def describe_status(result):
    if result.timed_out:
        return "timed out"
    if result.status < 0:
        try:
            return "killed by " + signal.Signals(-result.status).name
        except ValueError:
            return "killed by signal %d" % -result.status
    return "exit status %d" % result.status


def left_of(sid, work):
    """Processes of a session, or with the scratch folder `work` as theirs, that are still alive, as (pid, name)."""
    alive = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as f:
                text = f.read()
            here = os.readlink("/proc/%s/cwd" % pid)
        except OSError:
            continue
        name = text[text.index("(") + 1:text.rindex(")")]
        fields = text[text.rindex(")") + 2:].split()
        if (int(fields[3]) == sid or here == work) and fields[0] not in "ZX":
            alive.append((int(pid), name))
    return alive


def end_session(sid, work, grace):
    """Kill what is left of a run after `grace` seconds; the names of what had to be killed."""
    end = time.time() + grace
    left = left_of(sid, work)
    while left and time.time() < end:
        time.sleep(0.02)
        left = left_of(sid, work)
    for pid, _ in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    return sorted(name for _, name in left)


def snapshot(folder):
    """Everything below `folder`: path -> one line of facts."""
    facts = {}
    for top, dirs, names in os.walk(folder):
        for name in dirs + names:
            full = os.path.join(top, name)
            rel = os.path.relpath(full, folder)
            st = os.lstat(full)
            fact = "mode %o" % st.st_mode
            if stat.S_ISLNK(st.st_mode):
                fact += " -> " + os.readlink(full)
            elif stat.S_ISREG(st.st_mode):
                with open(full, "rb") as f:
                    fact += " size %d sha1 %s" % (st.st_size, hashlib.sha1(f.read()).hexdigest())
            facts[rel] = fact
    return facts


def remove_tree(path):
    if os.path.isdir(path):
        subprocess.run(["chmod", "-R", "u+rwx", path], stderr=subprocess.DEVNULL)
        shutil.rmtree(path, ignore_errors=True)


def execute(argv, work, logs, env, timeout, take_files=True):
    """Run argv in the fresh folder `work`; its output goes to files in `logs`. Kills the whole session on a timeout."""
    result = Result()
    remove_tree(work)
    os.makedirs(work)
    os.makedirs(logs, exist_ok=True)
    out, err = os.path.join(logs, "stdout"), os.path.join(logs, "stderr")
    begin = time.time()
    with open(out, "wb") as fo, open(err, "wb") as fe:
        try:
            child = subprocess.Popen(argv, cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=fo, stderr=fe,
                                     start_new_session=True)
        except OSError as e:
            result.status, result.stderr = 127, str(e).encode()
            return result
        try:
            child.wait(timeout)
        except subprocess.TimeoutExpired:
            result.timed_out = True
            end_session(child.pid, work, 0)
            child.kill()
            child.wait()
    result.seconds = time.time() - begin
    result.status = child.returncode
    result.left_running = end_session(child.pid, work, 0.5)
    result.stdout, result.stderr = open(out, "rb").read(), open(err, "rb").read()
    if take_files:
        result.files = snapshot(work)
    return result


def first_difference(what, native, other):
    a, b = native.split(b"\n"), other.split(b"\n")
    for i in range(max(len(a), len(b))):
        x = a[i] if i < len(a) else None
        y = b[i] if i < len(b) else None
        if x != y:
            same = len(os.path.commonprefix([x or b"", y or b""]))
            begin = max(0, same - 60) if same > 100 else 0

            def show(s):
                return "nothing" if s is None else repr(s[begin:begin + 160].decode("utf-8", "replace"))
            return "%s line %d: native %s, here %s" % (what, i + 1, show(x), show(y))
    return None


def compare(native, other):
    """None when the two runs are the same, else one line that tells the first difference."""
    if other.timed_out:
        return "timed out after %.0f s" % other.seconds
    if native.status != other.status:
        text = describe_status(other) + ", native " + describe_status(native)
        news = [x for x in other.stderr.split(b"\n") if x and x not in native.stderr.split(b"\n")]
        return text + ("; " + news[0][:300].decode("utf-8", "replace") if news else "")
    for what in ("stdout", "stderr"):
        text = first_difference(what, getattr(native, what), getattr(other, what))
        if text:
            return text
    for path in sorted(set(native.files) | set(other.files)):
        if native.files.get(path) != other.files.get(path):
            return "file %s: native %s, here %s" % (path, native.files.get(path), other.files.get(path))
    if other.left_running != native.left_running:
        return "left running: " + " ".join(other.left_running)
    return None

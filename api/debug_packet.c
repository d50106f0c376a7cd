/* debug_packet.c: GDB's remote serial protocol: $TEXT#CHECKSUM, one question, one answer. Threads go by their kernel ids. */
#include "api/debugger.h"
#include "base/sys.h"
#include "loader/rt.h"
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 0x4000 };                         /* of a packet */

static struct {
    int fd;
    bool is_over, no_ack;
    u8 in[ROOM];
    u32 n_in, at_in;
    THREADID current;                           /* registers and memory are this one's */
    struct stop last;
} gdb;

static char out[4 * ROOM];
static u32 n_out;

/* ---- text ---- */
static void say(const char *fmt, ...) PRINTF_LIKE(1, 2);
static void say(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    n_out += (u32)vsnprintf(out + n_out, sizeof out - n_out, fmt, ap);
    n_out = MIN(n_out, (u32)sizeof out - 1);
    va_end(ap);
}

static void say_hex(const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        say("%02x", ((const u8 *)p)[i]);
}

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1; }

/* How many bytes were there. */
static size_t unhex(const char *s, u8 *to, size_t room)
{
    size_t n = 0;
    while (n < room && digit(s[0]) >= 0 && digit(s[1]) >= 0) {
        to[n++] = (u8)(digit(s[0]) << 4 | digit(s[1]));
        s += 2;
    }
    return n;
}

/* ---- packets ---- */
static void send_all(int fd, const char *p, size_t n)
{
    while (n) {
        ssize_t k = send(fd, p, n, MSG_NOSIGNAL);
        if (k <= 0) {
            gdb.is_over = true;
            return;
        }
        p += k;
        n -= (size_t)k;
    }
}

static void send_packet(int fd, const char *text, u32 n)
{
    static char frame[sizeof out + 8];
    u8 sum = 0;
    for (u32 i = 0; i < n; i++)
        sum = (u8)(sum + (u8)text[i]);
    frame[0] = '$';
    memcpy(frame + 1, text, n);
    snprintf(frame + 1 + n, 4, "#%02x", sum);
    send_all(fd, frame, n + 4);
}

static int next_byte(void)
{
    if (gdb.at_in == gdb.n_in) {
        ssize_t k = read(gdb.fd, gdb.in, sizeof gdb.in);
        if (k <= 0) {
            gdb.is_over = true;
            return -1;
        }
        gdb.n_in = (u32)k;
        gdb.at_in = 0;
    }
    return gdb.in[gdb.at_in++];
}

/* A packet without its frame; "\3" for the debugger's interrupt; NULL: the end. */
static char *receive(u32 *n)
{
    static char text[ROOM + 1];
    int c;
    while ((c = next_byte()) != '$')
        if (c < 0)
            return NULL;
        else if (c == 3)
            return strcpy(text, "\3");
    for (*n = 0; (c = next_byte()) != '#';) {
        if (c < 0)
            return NULL;
        if (c == '}')                           /* escaped */
            c = next_byte() ^ 0x20;
        if (*n < ROOM)
            text[(*n)++] = (char)c;
    }
    next_byte();
    next_byte();
    text[*n] = 0;
    if (!gdb.no_ack)
        send_all(gdb.fd, "+", 1);
    return text;
}

/* ---- signals: GDB has numbers of its own ---- */
static const u8 gdb_signal[32] = { 0, 1, 2, 3, 4, 5, 6, 10, 8, 9, 30, 11, 31, 13, 14, 15, 16, 20, 19, 17, 18, 21, 22, 16, 24, 25, 26, 27, 28, 23, 32, 12 };

static int to_gdb(int sig)
{
    enum { SIGSTKFLT_HERE = 16, SIGURG_HERE = 23, UNKNOWN = 143 };
    if (sig == SIGSTKFLT_HERE)
        return UNKNOWN;
    if (sig < 32)
        return gdb_signal[sig];
    return sig == 32 ? 77 : sig == 64 ? 78 : 45 + (sig - 33);
}

static int from_gdb(int n)
{
    for (int sig = 1; sig <= 64; sig++)
        if (to_gdb(sig) == n)
            return sig;
    return 0;
}

/* ---- threads ---- */
static int os_id(THREADID tid) { return thread_by_id(tid) ? thread_by_id(tid)->tid : 0; }

static THREADID by_os_id(long id)
{
    THREADID first = INVALID_THREADID;
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        if (thread_by_id(i) && (first == INVALID_THREADID || os_id(i) == id)) {
            first = i;
            if (os_id(i) == id)
                return i;
        }
    return id > 0 ? INVALID_THREADID : first;   /* 0 and -1: any */
}

static CONTEXT *context(bool *is_writable) { return debug_context(gdb.current, is_writable); }

/* ---- registers ---- */
static void say_reg(u32 n, CONTEXT *c)
{
    u8 value[64];
    debug_reg_read(n, gdb.current, c, value);
    say_hex(value, debug_reg_size(n));
}

static void read_regs(void)
{
    bool w;
    CONTEXT *c = context(&w);
    for (u32 i = 0; c && i < debug_n_regs(); i++)
        say_reg(i, c);
    if (!c)
        say("E01");
}

static void write_regs(const char *hex)
{
    bool w;
    CONTEXT *c = context(&w);
    u8 value[64];
    for (u32 i = 0; c && w && i < debug_n_regs(); i++) {
        u32 size = debug_reg_size(i);
        if (unhex(hex, value, size) != size)
            break;
        debug_reg_write(i, gdb.current, c, value);
        hex += 2 * size;
    }
    say(c && w ? "OK" : "E01");
}

static void one_reg(const char *text)
{
    bool w;
    CONTEXT *c = context(&w);
    char *end;
    u8 value[64];
    u32 n = (u32)strtoul(text, &end, 16);
    if (!c || n >= debug_n_regs() || (*end == '=' && !w)) {
        say("E01");
    } else if (*end == '=') {
        unhex(end + 1, value, sizeof value);
        debug_reg_write(n, gdb.current, c, value);
        say("OK");
    } else {
        say_reg(n, c);
    }
}

/* ---- memory ---- */
static void read_memory(const char *text)
{
    char *end;
    u8 bytes[ROOM / 2];
    u64 at = strtoull(text, &end, 16);
    size_t n = PIN_SafeCopy(bytes, (void *)at, MIN(strtoul(end + 1, NULL, 16), sizeof bytes));
    if (n)
        say_hex(bytes, n);
    else
        say("E14");
}

static void write_memory(const char *text, u32 length, bool is_hex)
{
    char *end;
    u8 bytes[ROOM];
    u64 at = strtoull(text, &end, 16);
    size_t n = strtoul(end + 1, &end, 16);
    n = MIN(n, sizeof bytes);
    if (is_hex)
        n = MIN(n, unhex(end + 1, bytes, n));
    else
        memcpy(bytes, end + 1, n = MIN(n, (size_t)(text + length - (end + 1))));
    say(!n || PIN_SafeCopy((void *)at, bytes, n) == n ? "OK" : "E14");
}

static void set_breakpoint(const char *text)
{
    bool is_set = text[0] == 'Z';
    char *end;
    if (text[1] > '1') {                        /* watchpoints: the debugger steps instead */
        return;
    }
    u64 at = strtoull(text + 3, &end, 16);
    say(debug_break_at(at, (u32)strtoul(end + 1, NULL, 16), is_set) ? "OK" : "E28");
}

/* ---- objects ---- */
static void say_part(const char *what, size_t size, const char *range)
{
    char *end;
    size_t at = strtoul(range, &end, 16), n = *end ? strtoul(end + 1, NULL, 16) : 0;
    n = MIN(n, (size_t)ROOM / 2);
    if (at > size)
        at = size;
    say(at + n >= size ? "l" : "m");
    for (size_t i = at; i < size && i < at + n; i++) {
        char c = what[i];
        if (c == '#' || c == '$' || c == '}' || c == '*')
            say("}%c", c ^ 0x20);
        else if (n_out < sizeof out - 1)
            out[n_out++] = c;
    }
}

static void read_object(const char *text)
{
    static char file[4096];
    const char *colon = strrchr(text, ':'), *range = colon ? colon + 1 : "";
    if (!strncmp(text, "features:read:target.xml:", 25)) {
        say_part(debug_target_xml(), strlen(debug_target_xml()), range);
    } else if (!strncmp(text, "auxv:read:", 10)) {
        int fd = open("/proc/self/auxv", O_RDONLY);
        ssize_t n = fd < 0 ? 0 : read(fd, file, sizeof file);
        close(fd);
        say_part(file, (size_t)MAX(n, 0), range);
    } else if (!strncmp(text, "exec-file:read:", 15)) {
        say_part(rt_handoff()->program, strlen(rt_handoff()->program), range);
    }
}

/* ---- monitor ---- */
static struct { COTTER_DEBUG_COMMAND call; VOID *fun, *val; } interpreter[16];

PIN_CALLBACK COTTER_AddDebugInterpreter(COTTER_DEBUG_COMMAND call, VOID *fun, VOID *val)
{
    for (u32 i = 0; i < ARRAY_LEN(interpreter); i++)
        if (!interpreter[i].fun) {
            interpreter[i].call = call;
            interpreter[i].fun = fun;
            interpreter[i].val = val;
            return (PIN_CALLBACK)&interpreter[i];
        }
    return PIN_CALLBACK_INVALID;
}

VOID COTTER_RemoveDebugInterpreter(VOID *fun)
{
    for (u32 i = 0; i < ARRAY_LEN(interpreter); i++)
        if (interpreter[i].fun == fun)
            interpreter[i].fun = NULL;
}

static VOID say_reply(const char *text) { say_hex(text, strlen(text)); }

static BOOL call_c(VOID *fun, THREADID tid, CONTEXT *c, const char *cmd, VOID (*reply)(const char *), VOID *v)
{
    const char *text = "";
    BOOL done = ((DEBUG_INTERPRETER_CALLBACK)fun)(tid, c, cmd, &text, v);
    if (done)
        reply(text);
    return done;
}

PIN_CALLBACK PIN_AddDebugInterpreter(DEBUG_INTERPRETER_CALLBACK fun, VOID *val)
{
    return COTTER_AddDebugInterpreter(call_c, (VOID *)fun, val);
}

VOID PIN_RemoveDebugInterpreter(DEBUG_INTERPRETER_CALLBACK fun) { COTTER_RemoveDebugInterpreter((VOID *)fun); }

static void monitor(const char *hex)
{
    char cmd[ROOM / 2 + 1];
    bool w, done = false;
    CONTEXT *c = context(&w);
    cmd[unhex(hex, (u8 *)cmd, sizeof cmd - 1)] = 0;
    client_lock();
    for (u32 i = 0; c && !done && i < ARRAY_LEN(interpreter); i++)
        done = interpreter[i].fun && interpreter[i].call(interpreter[i].fun, gdb.current, c, cmd, say_reply, interpreter[i].val);
    client_unlock();
    if (!done)
        say_reply("the tool knows no such command\n");
    if (!n_out)
        say("OK");
}

/* ---- stops ---- */
static void say_stop(void) { say("T%02xthread:%x;", to_gdb(gdb.last.signal), os_id(gdb.last.tid)); }

/* A message of the tool comes before the stop it explains. */
static void report_stop(void)
{
    gdb.current = gdb.last.tid;
    if (gdb.last.reason == STOP_TOOL && *debug_message(gdb.last.tid)) {
        n_out = 0;
        say("O");
        say_reply(debug_message(gdb.last.tid));
        say_reply("\n");
        send_packet(gdb.fd, out, n_out);
    }
    n_out = 0;
    say_stop();
    send_packet(gdb.fd, out, n_out);
}

static void interrupted(void)
{
    bool w;
    debug_stop_all();
    if (debug_next_stop(&gdb.last)) {
        report_stop();
        return;
    }
    THREADID tid = by_os_id(0);
    CONTEXT *c = debug_context(tid, &w);
    if (c && debug_is_intercepted(DEBUGGING_EVENT_ASYNC_BREAK, tid, c)) {
        static struct resume all[PIN_MAX_THREADS];
        for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
            all[i].goes = true;
        debug_resume(all);
        return;
    }
    gdb.last = (struct stop){ STOP_ASYNC, tid, K_SIGINT };
    report_stop();
}

/* Until something happens that the debugger is told of, or it speaks. */
static void run(int events)
{
    while (!gdb.is_over && !debug_all_stopped()) {
        struct pollfd p[2] = { { gdb.fd, POLLIN, 0 }, { events, POLLIN, 0 } };
        char drop[64];
        if (debug_next_stop(&gdb.last)) {
            report_stop();
            return;
        }
        if (gdb.at_in == gdb.n_in && poll(p, 2, -1) <= 0)
            continue;
        if (p[1].revents && read(events, drop, sizeof drop) < 0)
            return;
        if (gdb.at_in == gdb.n_in && !p[0].revents)
            continue;
        u32 n;
        char *text = receive(&n);
        if (text && text[0] == 3)
            interrupted();
    }
}

static struct resume how[PIN_MAX_THREADS];

static void resume_all(struct resume r)
{
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        how[i] = r;
}

/* c, s, C sig, S sig: the current thread so, all others go on. */
static void resume_old(const char *text)
{
    bool has_signal = text[0] == 'C' || text[0] == 'S';
    resume_all((struct resume){ .goes = true });
    how[gdb.current].steps = text[0] == 's' || text[0] == 'S';
    how[gdb.current].signal = has_signal ? from_gdb((int)strtol(text + 1, NULL, 16)) : 0;
    debug_resume(how);
}

/* vCont;ACTION[:THREAD]...: the first that names a thread is its. */
static void resume_each(const char *text)
{
    static bool has[PIN_MAX_THREADS];
    memset(has, 0, sizeof has);
    resume_all((struct resume){ .goes = false });
    for (const char *p = strchr(text, ';'); p; p = strchr(p + 1, ';')) {
        struct resume r = { .goes = true, .steps = p[1] == 's' || p[1] == 'S' };
        if (p[1] == 'C' || p[1] == 'S')
            r.signal = from_gdb((int)strtol(p + 2, NULL, 16));
        const char *end = strchr(p + 1, ';'), *colon = strchr(p + 1, ':');
        long id = colon && (!end || colon < end) ? strtol(colon + 1, NULL, 16) : -1;
        for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
            if (thread_by_id(i) && !has[i] && (id == -1 || os_id(i) == id)) {
                has[i] = true;
                how[i] = r;
            }
    }
    debug_resume(how);
}

static void list_threads(void)
{
    say("m");
    for (THREADID i = 0; i < PIN_MAX_THREADS; i++)
        if (thread_by_id(i))
            say("%s%x", n_out > 1 ? "," : "", os_id(i));
}

static void pass_signals(const char *text)
{
    u64 set = 0;
    for (const char *p = text; *p; p += strcspn(p, ";"), p += *p == ';') {
        int sig = from_gdb((int)strtol(p, NULL, 16));
        if (sig)
            set |= 1ull << (sig - 1);
    }
    debug_pass_signals(set);
    say("OK");
}

static void leave(void)
{
    debug_drop_breakpoints();
    resume_all((struct resume){ .goes = true });
    debug_resume(how);
    gdb.is_over = true;
}

/* ---- questions ---- */
static bool starts(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

static void set_thread(const char *text)
{
    THREADID tid = by_os_id(strtol(text + 1, NULL, 16));
    if (tid == INVALID_THREADID) {
        say("E01");
        return;
    }
    if (text[0] == 'g')
        gdb.current = tid;
    say("OK");
}

static void answer_query(const char *text)
{
    if (starts(text, "qSupported"))
        say("PacketSize=%x;qXfer:features:read+;qXfer:auxv:read+;qXfer:exec-file:read+;QPassSignals+;QStartNoAckMode+;vContSupported+", ROOM - 16);
    else if (starts(text, "QStartNoAckMode"))
        say("OK");
    else if (starts(text, "QPassSignals:"))
        pass_signals(text + 13);
    else if (starts(text, "qXfer:"))
        read_object(text + 6);
    else if (starts(text, "qfThreadInfo"))
        list_threads();
    else if (starts(text, "qsThreadInfo"))
        say("l");
    else if (starts(text, "qC"))
        say("QC%x", os_id(gdb.current));
    else if (starts(text, "qAttached"))
        say("0");
    else if (starts(text, "qSymbol"))
        say("OK");
    else if (starts(text, "qRcmd,"))
        monitor(text + 6);
}

/* True: the application runs now, and the answer is its next stop. */
static bool answer(char *text, u32 n)
{
    n_out = 0;
    switch (text[0]) {
    case '?': say_stop(); break;
    case 'g': read_regs(); break;
    case 'G': write_regs(text + 1); break;
    case 'p': case 'P': one_reg(text + 1); break;
    case 'm': read_memory(text + 1); break;
    case 'M': write_memory(text + 1, n - 1, true); break;
    case 'X': write_memory(text + 1, n - 1, false); break;
    case 'Z': case 'z': set_breakpoint(text); break;
    case 'H': set_thread(text + 1); break;
    case 'T': say(by_os_id(strtol(text + 1, NULL, 16)) == INVALID_THREADID ? "E01" : "OK"); break;
    case 'q': case 'Q': answer_query(text); break;
    case 'c': case 's': case 'C': case 'S': resume_old(text); return true;
    case 'k': sys2(__NR_kill, sys_getpid(), K_SIGKILL); break;
    case 'D': say("OK"); break;
    case 'v':
        if (starts(text, "vCont?"))
            say("vCont;c;C;s;S");
        else if (starts(text, "vCont;")) {
            resume_each(text);
            return true;
        } else if (starts(text, "vKill"))
            sys2(__NR_kill, sys_getpid(), K_SIGKILL);
        break;
    }
    send_packet(gdb.fd, out, n_out);
    if (starts(text, "QStartNoAckMode"))
        gdb.no_ack = true;
    if (text[0] == 'D')
        leave();
    return false;
}

void debug_serve(int fd, int events)
{
    gdb.fd = fd;
    gdb.is_over = gdb.no_ack = false;
    gdb.n_in = gdb.at_in = 0;
    if (!debug_next_stop(&gdb.last))
        gdb.last = (struct stop){ STOP_ASYNC, by_os_id(0), K_SIGTRAP };
    gdb.current = gdb.last.tid;
    while (!gdb.is_over) {
        u32 n;
        char *text = receive(&n);
        if (text && text[0] != 3 && answer(text, n))
            run(events);
    }
    if (debug_all_stopped())
        leave();                                /* the connection broke: the program goes on alone */
}

void debug_say_end(int fd, int status, bool by_signal)
{
    char text[16];
    int n = snprintf(text, sizeof text, by_signal ? "X%02x" : "W%02x", by_signal ? to_gdb(status - 128) : status & 0xff);
    send_packet(fd, text, (u32)n);
}

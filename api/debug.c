/* debug.c: the connection to a debugger: whether there is to be one, who serves it, and what tools can ask about it.
 *
 * A thread of the tool's own waits for the debugger and serves it; application threads only leave notes (debug_stop.c). */
#include "api/debugger.h"
#include "base/sys.h"
#include "engine/emulate/stop.h"
#include "loader/rt.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static DEBUG_MODE mode;
static INT32 server_port;                       /* asked for; 0: any */
static int listener = -1, connection = -1;
static int wake_pipe[2] = { -1, -1 };
static u32 is_connected;                        /* futex */
static bool is_on;

/* ---- what was asked for ---- */
BOOL PIN_SetDebugMode(const DEBUG_MODE *m)
{
    if (is_on || m->_type > DEBUG_CONNECTION_TYPE_TCP_CLIENT || (m->_type == DEBUG_CONNECTION_TYPE_TCP_CLIENT && !m->_tcpClient._ip))
        return FALSE;
    mode = *m;
    if (m->_type == DEBUG_CONNECTION_TYPE_TCP_CLIENT)
        mode._tcpClient._ip = strdup(m->_tcpClient._ip);
    return TRUE;
}

static void serve_tcp(DEBUG_MODE_OPTIONS more)
{
    if (mode._type == DEBUG_CONNECTION_TYPE_NONE)
        mode._type = DEBUG_CONNECTION_TYPE_TCP_SERVER;
    mode._options |= more;
}

int debug_switch(int left, char **word, const char *name)
{
    if (strncmp(name, "appdebug", 8))
        return 0;
    int flag = left > 1 && (!strcmp(word[1], "0") || !strcmp(word[1], "1")) ? 2 : 1;
    bool on = flag == 1 || word[1][0] == '1';
    if (!strcmp(name, "appdebug"))
        return on ? serve_tcp(DEBUG_MODE_OPTION_STOP_AT_ENTRY) : (void)0, flag;
    if (!strcmp(name, "appdebug_enable"))
        return on ? serve_tcp(0) : (void)0, flag;
    if (!strcmp(name, "appdebug_silent"))
        return mode._options |= on ? DEBUG_MODE_OPTION_SILENT : 0, flag;
    if (!strcmp(name, "appdebug_allow_remote"))
        return mode._options |= on ? DEBUG_MODE_OPTION_ALLOW_REMOTE : 0, flag;
    if (!strcmp(name, "appdebug_server_port") && left > 1 && atoi(word[1]) > 0 && atoi(word[1]) < 65536)
        return server_port = atoi(word[1]), 2;
    return 0;
}

/* ---- the server ---- */
static NORETURN void fail(const char *what) { api_fatal("a debugger cannot connect: %s: %m", what); }

static int listen_somewhere(void)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((u16)server_port) };
    socklen_t n = sizeof a;
    int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    a.sin_addr.s_addr = htonl(mode._options & DEBUG_MODE_OPTION_ALLOW_REMOTE ? INADDR_ANY : INADDR_LOOPBACK);
    if (fd < 0)
        fail("socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 1) || getsockname(fd, (struct sockaddr *)&a, &n))
        fail("listen");
    server_port = ntohs(a.sin_port);
    return fd;
}

static int connect_out(void)
{
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((u16)mode._tcpClient._tcpPort) };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || inet_pton(AF_INET, mode._tcpClient._ip, &a.sin_addr) != 1 || connect(fd, (struct sockaddr *)&a, sizeof a))
        fail(mode._tcpClient._ip);
    return fd;
}

static void set_connected(bool yes)
{
    enum { FUTEX_WAKE = 129 };
    __atomic_store_n(&is_connected, yes, __ATOMIC_SEQ_CST);
    sys3(__NR_futex, &is_connected, FUTEX_WAKE, 0x7fffffff);
}

static void serve_one(int fd)
{
    int one = 1;
    connection = rt_fd_protect(fd);
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    debug_stop_all();
    set_connected(true);
    debug_serve(connection, wake_pipe[0]);
    set_connected(false);
    close(connection);
    connection = -1;
}

static VOID serve(VOID *unused)
{
    if (mode._type == DEBUG_CONNECTION_TYPE_TCP_CLIENT) {
        serve_one(connect_out());
        return;
    }
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        if (fd >= 0)
            serve_one(fd);
    }
}

void debug_start(void)
{
    if (mode._type == DEBUG_CONNECTION_TYPE_NONE)
        return;
    is_on = true;
    if (pipe2(wake_pipe, 0))
        fail("pipe");
    if (mode._type == DEBUG_CONNECTION_TYPE_TCP_SERVER)
        listener = listen_somewhere();
    if (mode._options & DEBUG_MODE_OPTION_STOP_AT_ENTRY)
        debug_stop_at_first();
    code_start_instrumenting();
    if (listener >= 0 && !(mode._options & DEBUG_MODE_OPTION_SILENT))
        fprintf(stderr, "cotter: %s a debugger may connect: start gdb with the program and say\n  target remote :%d\n",
                mode._options & DEBUG_MODE_OPTION_STOP_AT_ENTRY ? "stopped before the first instruction;" : "running;", server_port);
    if (PIN_SpawnInternalThread(serve, NULL, 0, NULL) == INVALID_THREADID)
        fail("thread");
}

void debug_wake(void)
{
    ssize_t n = write(wake_pipe[1], "", 1);
    (void)n;                                    /* a full pipe wakes as well */
}

bool debug_is_on(void) { return is_on; }
bool debug_is_connected(void) { return __atomic_load_n(&is_connected, __ATOMIC_SEQ_CST); }

void debug_ends(int status)
{
    if (debug_is_connected() && connection >= 0)
        debug_say_end(connection, status, debug_last_signal() && status == 128 + debug_last_signal());
}

void debug_forked(void)
{
    if (!is_on)
        return;
    is_on = false;
    is_connected = 0;
    close(connection);
    close(listener);
    connection = listener = -1;
}

/* ---- what tools ask ---- */
DEBUG_STATUS PIN_GetDebugStatus(VOID)
{
    return !is_on ? DEBUG_STATUS_DISABLED : debug_is_connected() ? DEBUG_STATUS_CONNECTED
         : listener >= 0 ? DEBUG_STATUS_UNCONNECTED : DEBUG_STATUS_UNCONNECTABLE;
}

DEBUGGER_TYPE PIN_GetDebuggerType(VOID) { return debug_is_connected() ? DEBUGGER_TYPE_GDB : DEBUGGER_TYPE_UNKNOWN; }

BOOL PIN_GetDebugConnectionInfo(DEBUG_CONNECTION_INFO *info)
{
    *info = (DEBUG_CONNECTION_INFO){ ._type = is_on ? mode._type : DEBUG_CONNECTION_TYPE_NONE };
    info->_stopAtEntry = is_on && mode._options & DEBUG_MODE_OPTION_STOP_AT_ENTRY;
    info->_tcpServer._tcpPort = listener >= 0 ? server_port : 0;
    return is_on && mode._type == DEBUG_CONNECTION_TYPE_TCP_SERVER;
}

/* An application thread is at rest meanwhile: the debugger's arrival stops all others. */
BOOL PIN_WaitForDebuggerToConnect(unsigned timeout)
{
    enum { FUTEX_WAIT = 128, STEP_MS = 10 };
    struct { s64 sec, nsec; } step = { 0, STEP_MS * 1000000 };
    if (PIN_GetDebugStatus() == DEBUG_STATUS_DISABLED || PIN_GetDebugStatus() == DEBUG_STATUS_UNCONNECTABLE)
        return FALSE;
    bool is_application = PIN_IsApplicationThread();
    if (is_application)
        stop_safe_begin(&thr_self);
    for (unsigned waited = 0; !debug_is_connected() && (!timeout || waited < timeout); waited += STEP_MS)
        sys4(__NR_futex, &is_connected, FUTEX_WAIT, 0, &step);
    if (is_application)
        stop_safe_end(&thr_self);
    return debug_is_connected();
}

/* Without a debugger it is PIN_ExecuteAt; waiting for one that can never come would be for ever. */
VOID PIN_ApplicationBreakpoint(const CONTEXT *c, THREADID tid, BOOL wait, const char *msg)
{
    if (wait && !debug_is_connected()) {
        if (!is_on)
            api_fatal("PIN_ApplicationBreakpoint: told to wait for a debugger, but none can connect (-appdebug_enable): %s", msg);
        PIN_WaitForDebuggerToConnect(0);
    }
    if (!debug_is_connected())
        context_execute(c);
    debug_tool_stop(c, tid, msg);
}

/* print.c: see print.h. */
#include "base/print.h"
#include "base/str.h"
#include "base/sys.h"

struct out { char *p, *end; size_t total; };

static void put(struct out *o, char c)
{
    if (o->p < o->end)
        *o->p++ = c;
    o->total++;
}

static void pad(struct out *o, char c, int n)
{
    while (n-- > 0)
        put(o, c);
}

struct spec { bool left, zero; int width, precision, longs; };

static void put_text(struct out *o, struct spec s, const char *text)
{
    if (!text)
        text = "(null)";
    int n = 0;
    while (text[n] && (s.precision < 0 || n < s.precision))
        n++;
    if (!s.left)
        pad(o, ' ', s.width - n);
    for (int i = 0; i < n; i++)
        put(o, text[i]);
    if (s.left)
        pad(o, ' ', s.width - n);
}

static void put_number(struct out *o, struct spec s, u64 v, unsigned base, bool negative)
{
    char digits[24];
    int n = 0;
    do
        digits[n++] = "0123456789abcdef"[v % base];
    while (v /= base);
    int sign = negative ? 1 : 0;
    if (!s.left && !s.zero)
        pad(o, ' ', s.width - n - sign);
    if (negative)
        put(o, '-');
    if (!s.left && s.zero)
        pad(o, '0', s.width - n - sign);
    for (int i = n; i--;)
        put(o, digits[i]);
    if (s.left)
        pad(o, ' ', s.width - n - sign);
}

static const char *parse_spec(const char *f, struct spec *s, va_list *ap)
{
    *s = (struct spec){ .precision = -1 };
    for (;; f++) {
        if (*f == '-')
            s->left = true;
        else if (*f == '0')
            s->zero = true;
        else
            break;
    }
    if (*f == '*') {
        s->width = va_arg(*ap, int);
        f++;
    }
    while (*f >= '0' && *f <= '9')
        s->width = s->width * 10 + *f++ - '0';
    if (*f == '.') {
        s->precision = 0;
        if (*++f == '*') {
            s->precision = va_arg(*ap, int);
            f++;
        }
        while (*f >= '0' && *f <= '9')
            s->precision = s->precision * 10 + *f++ - '0';
    }
    for (; *f == 'l' || *f == 'z'; f++)
        s->longs++;
    return f;
}

size_t ct_vformat(char *to, size_t size, const char *fmt, va_list args)
{
    struct out o = { to, size ? to + size - 1 : to, 0 };
    va_list ap;
    va_copy(ap, args);
    for (const char *f = fmt; *f; f++) {
        if (*f != '%') {
            put(&o, *f);
            continue;
        }
        struct spec s;
        f = parse_spec(f + 1, &s, &ap);
        switch (*f) {
        case 'd': case 'i': {
            s64 v = s.longs ? va_arg(ap, s64) : va_arg(ap, int);
            put_number(&o, s, v < 0 ? -(u64)v : (u64)v, 10, v < 0);
            break;
        }
        case 'u': put_number(&o, s, s.longs ? va_arg(ap, u64) : va_arg(ap, u32), 10, false); break;
        case 'x': put_number(&o, s, s.longs ? va_arg(ap, u64) : va_arg(ap, u32), 16, false); break;
        case 'p': put_text(&o, (struct spec){ .precision = -1 }, "0x"); put_number(&o, s, (u64)va_arg(ap, void *), 16, false); break;
        case 's': put_text(&o, s, va_arg(ap, const char *)); break;
        case 'c': put(&o, (char)va_arg(ap, int)); break;
        case '%': put(&o, '%'); break;
        default: put(&o, '?'); break;
        }
    }
    va_end(ap);
    if (size)
        *o.p = 0;
    return o.total;
}

size_t ct_format(char *to, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    size_t n = ct_vformat(to, size, fmt, ap);
    va_end(ap);
    return n;
}

int print_stderr = 2;
long print_error;

/* A line of ours must not end the program: neither a pipe that nobody reads nor a limit of the size of files (which sshd
 * sets to zero for a child) is the program's doing. Had it blocked the signal, one of its own may be pending: leave it. */
long ct_write(int fd, const char *line, size_t n)
{
    enum { SIGPIPE = 13, SIGXFSZ = 25, EPIPE = 32, EFBIG = 27, BLOCK = 0, SET = 2 };
    u64 mask = 1ull << (SIGPIPE - 1) | 1ull << (SIGXFSZ - 1), old = 0, at_once[2] = { 0 };
    sys4(__NR_rt_sigprocmask, BLOCK, &mask, &old, 8);
    long r = sys3(__NR_write, fd, line, n);
    u64 raised = r == -EPIPE ? 1ull << (SIGPIPE - 1) : r == -EFBIG ? 1ull << (SIGXFSZ - 1) : 0;
    raised &= ~old;
    if (raised)
        sys4(__NR_rt_sigtimedwait, &raised, 0, at_once, 8);
    sys4(__NR_rt_sigprocmask, SET, &old, 0, 8);
    return r;
}

void ct_print(int fd, const char *fmt, ...)
{
    char line[1024];
    va_list ap;
    va_start(ap, fmt);
    size_t n = ct_vformat(line, sizeof line, fmt, ap);
    va_end(ap);
    long r = ct_write(fd == 2 ? print_stderr : fd, line, MIN(n, sizeof line - 1));
    if (sys_failed(r))
        print_error = r;
}

u64 str_to_u64(const char *s, const char **end)
{
    u64 v = 0;
    unsigned base = 10;
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s += 2;
    }
    for (;; s++) {
        unsigned d = *s >= '0' && *s <= '9' ? *s - '0' : (*s | 32) >= 'a' && (*s | 32) <= 'f' ? (*s | 32) - 'a' + 10 : 99;
        if (d >= base)
            break;
        v = v * base + d;
    }
    if (end)
        *end = s;
    return v;
}

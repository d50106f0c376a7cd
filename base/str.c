/* str.c: see str.h. Byte loops that the compiler must not turn back into calls of themselves. */
#include "base/str.h"
#include "base/types.h"
#pragma GCC optimize("no-tree-loop-distribute-patterns")

/* Eight bytes anywhere. Only in a typedef may an attribute lower the alignment. */
typedef u64 __attribute__((may_alias, aligned(1))) loose_u64;
typedef u32 __attribute__((may_alias, aligned(1))) loose_u32;

static void *copy_few(u8 *d, const u8 *s, size_t n)
{
    if (n >= 4) {
        u32 last = *(const loose_u32 *)(s + n - 4);
        *(loose_u32 *)d = *(const loose_u32 *)s;
        *(loose_u32 *)(d + n - 4) = last;
        return d;
    }
    for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    return d;
}

void *str_copy(void *to, const void *from, size_t n)
{
    u8 *d = to;
    const u8 *s = from;
    if (n < 8)
        return copy_few(d, s, n);
    u64 last = *(const loose_u64 *)(s + n - 8);      /* the rest that is no whole word overlaps the word before it */
    u8 *end = d + n - 8;
    for (; d < end; d += 8, s += 8)
        *(loose_u64 *)d = *(const loose_u64 *)s;
    *(loose_u64 *)end = last;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    u8 *d = to;
    const u8 *s = from;
    if (d <= s || d >= s + n)
        return memcpy(to, from, n);
    while (n--)
        d[n] = s[n];
    return to;
}

void *str_fill(void *to, int c, size_t n)
{
    u8 *d = to;
    u64 word = 0x0101010101010101ull * (u8)c;
    for (; n >= 32; n -= 32, d += 32) {
        loose_u64 *w = (loose_u64 *)d;
        w[0] = w[1] = w[2] = w[3] = word;
    }
    for (; n >= 8; n -= 8, d += 8)
        *(loose_u64 *)d = word;
    while (n--)
        *d++ = (u8)c;
    return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const u8 *x = a, *y = b;
    for (; n; n--, x++, y++)
        if (*x != *y)
            return *x - *y;
    return 0;
}

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int strcmp(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (u8)*a - (u8)*b;
}

int strncmp(const char *a, const char *b, size_t n)
{
    for (; n && *a && *a == *b; n--)
        a++, b++;
    return n ? (u8)*a - (u8)*b : 0;
}

char *strchr(const char *s, int c)
{
    for (; *s != (char)c; s++)
        if (!*s)
            return NULL;
    return (char *)s;
}

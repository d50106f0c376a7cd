/* json_read.c: a report read back. Recursive descent; numbers are doubles, exact up to 2^53. */
#include "tool.h"
#include <errno.h>

struct source { const char *at, *begin, *path; int depth; };

static VOID bad(struct source *s, const char *what)
{
    int line = 1;
    for (const char *p = s->begin; p < s->at; p++)
        line += *p == '\n';
    tool_fail("%s, line %d: %s; a report written with --json is wanted", s->path, line, what);
}

static char peek(struct source *s)
{
    while (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r')
        s->at++;
    return *s->at;
}

static VOID expect(struct source *s, char c)
{
    if (peek(s) != c)
        bad(s, "not JSON");
    s->at++;
}

static char *read_text(struct source *s)
{
    expect(s, '"');
    VEC(char) v = { 0 };
    for (; *s->at && *s->at != '"'; s->at++) {
        unsigned c = (UINT8)*s->at;
        if (c == '\\') {
            c = (UINT8)*++s->at;
            if (c == 'u') {
                char hex[5] = { 0 };
                memcpy(hex, s->at + 1, strnlen(s->at + 1, 4));
                c = (unsigned)strtoul(hex, NULL, 16);
                s->at += strlen(hex);
            } else if (c == 'n' || c == 't') {
                c = c == 'n' ? '\n' : '\t';
            } else if (!c) {
                break;
            }
        }
        VEC_ADD(v, (char)c);
    }
    expect(s, '"');
    VEC_ADD(v, 0);
    return v.at;
}

static struct json_value *read_value(struct source *s);

static VOID read_members(struct source *s, struct json_value *v, char end)
{
    struct json_value **last = &v->first;
    for (s->at++; peek(s) != end;) {
        char *key = end == '}' ? read_text(s) : NULL;
        if (key)
            expect(s, ':');
        *last = read_value(s);
        (*last)->key = key;
        last = &(*last)->next;
        if (peek(s) != end)
            expect(s, ',');
    }
    s->at++;
}

static VOID read_word(struct source *s, struct json_value *v)
{
    char *end;
    for (int i = 0; i < 3; i++) {
        const char *word = (const char *[]){ "null", "false", "true" }[i];
        if (strncmp(s->at, word, strlen(word)))
            continue;
        v->kind = i ? JSON_BOOL : JSON_NULL;
        v->number = i == 2;
        s->at += strlen(word);
        return;
    }
    v->kind = JSON_NUMBER;
    v->number = strtod(s->at, &end);
    if (end == s->at)
        bad(s, "not JSON");
    s->at = end;
}

static struct json_value *read_value(struct source *s)
{
    struct json_value *v = need(sizeof *v);
    char c = peek(s);
    if (++s->depth > 60)
        bad(s, "nested too deeply");
    if (c == '{' || c == '[') {
        v->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        read_members(s, v, c == '{' ? '}' : ']');
    } else if (c == '"') {
        v->kind = JSON_TEXT;
        v->text = read_text(s);
    } else {
        read_word(s, v);
    }
    s->depth--;
    return v;
}

struct json_value *json_read(const char *path)
{
    FILE *f = fopen(path, "re");
    VEC(char) v = { 0 };
    if (!f)
        tool_fail("cannot read %s: %s", path, strerror(errno));
    for (int c; (c = fgetc(f)) != EOF;)
        VEC_ADD(v, (char)c);
    VEC_ADD(v, 0);
    fclose(f);
    struct source s = { v.at, v.at, path, 0 };
    struct json_value *root = read_value(&s);
    if (peek(&s))
        bad(&s, "text after the end");
    free(v.at);
    return root;
}

const struct json_value *json_member(const struct json_value *v, const char *key)
{
    for (const struct json_value *m = v && v->kind == JSON_OBJECT ? v->first : NULL; m; m = m->next)
        if (!strcmp(m->key, key))
            return m;
    return NULL;
}

const char *json_text_of(const struct json_value *v, const char *key)
{
    const struct json_value *m = json_member(v, key);
    return m && m->kind == JSON_TEXT ? m->text : "";
}

UINT64 json_number_of(const struct json_value *v, const char *key)
{
    const struct json_value *m = json_member(v, key);
    return m && m->kind == JSON_NUMBER ? (UINT64)m->number : 0;
}

/* json.c: see json.h. Line breaks are put between the members of the outermost object and of its arrays. */
#include "tool.h"

static VOID write_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (const UINT8 *p = (const UINT8 *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(to, "\\%c", *p);
        else if (*p < 0x20 || *p >= 0x7f)
            fprintf(to, "\\u%04x", *p);         /* bytes that may not be UTF-8: as Latin-1 */
        else
            fputc(*p, to);
    }
    fputc('"', to);
}

static VOID next(struct json *j, const char *key)
{
    if (j->depth) {
        fputs(j->has_member[j->depth] ? "," : "", j->to);
        if (j->depth <= 2)
            fprintf(j->to, "\n%*s", j->depth, "");
        else if (j->has_member[j->depth])
            fputc(' ', j->to);
    }
    j->has_member[j->depth] = true;
    if (key) {
        write_text(j->to, key);
        fputs(": ", j->to);
    }
}

static VOID open_with(struct json *j, const char *key, char bracket)
{
    next(j, key);
    fputc(bracket, j->to);
    j->has_member[++j->depth] = false;
}

VOID json_object(struct json *j, const char *key) { open_with(j, key, '{'); }
VOID json_array(struct json *j, const char *key) { open_with(j, key, '['); }

VOID json_end(struct json *j, char bracket)
{
    bool broken = j->depth <= 2 && j->has_member[j->depth];
    j->depth--;
    if (broken)
        fprintf(j->to, "\n%*s", j->depth, "");
    fputc(bracket, j->to);
    if (!j->depth)
        fputc('\n', j->to);
}

VOID json_line(struct json *j)
{
    j->depth = 3;
    j->has_member[3] = false;
    fputc('{', j->to);
}

VOID json_line_end(struct json *j) { fputs("}\n", j->to); }

VOID json_number(struct json *j, const char *key, UINT64 n)
{
    next(j, key);
    fprintf(j->to, "%lu", n);
}

VOID json_real(struct json *j, const char *key, double x)
{
    next(j, key);
    fprintf(j->to, "%.6g", x);
}

VOID json_text(struct json *j, const char *key, const char *text)
{
    next(j, key);
    write_text(j->to, text);
}

VOID json_address(struct json *j, const char *key, ADDRINT a)
{
    next(j, key);
    fprintf(j->to, "\"0x%lx\"", a);
}

/* json.h: writes JSON. Keys are given in objects and NULL in arrays; commas and nesting are kept by the writer. */
#ifndef TOOLS_JSON_H
#define TOOLS_JSON_H

struct json { FILE *to; int depth; bool has_member[64]; };
VOID json_object(struct json *j, const char *key);
VOID json_array(struct json *j, const char *key);
/* An object on a line of its own, for traces: {...}\n. */
VOID json_line(struct json *j);
VOID json_line_end(struct json *j);
VOID json_end(struct json *j, char bracket);    /* '}' or ']' */
VOID json_number(struct json *j, const char *key, UINT64 n);
VOID json_real(struct json *j, const char *key, double x);
VOID json_text(struct json *j, const char *key, const char *text);
VOID json_address(struct json *j, const char *key, ADDRINT a);         /* a string: "0x401000" */

/* Reading, for tools that compare reports: the whole file as a tree. NULL and a message when it is not JSON. */
struct json_value {
    enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT } kind;
    double number;
    char *text;
    char *key;                                  /* within an object */
    struct json_value *first, *next;
};
struct json_value *json_read(const char *path);
const struct json_value *json_member(const struct json_value *v, const char *key);     /* NULL: none; v may be NULL */
const char *json_text_of(const struct json_value *v, const char *key);                 /* "" for none */
UINT64 json_number_of(const struct json_value *v, const char *key);                    /* 0 for none */
#endif

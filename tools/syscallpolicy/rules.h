/* rules.h: which system calls are allowed. A rule is a line; the first one that fits decides.
 *
 *     # no network, no writing outside of /tmp
 *     deny  socket,connect
 *     allow openat,creat /tmp/?*
 *     deny  openat:write *
 *     default allow
 *
 *   allow|deny CALLS [PATH]     CALLS: names with * and ?, separated by commas; with :write only calls of open that may write
 *                               PATH: fits when one of the call's paths does, with its symbolic links followed; a denied one also as given
 *   default allow|deny          what happens when no rule fits; without it: allow */
#ifndef SYSCALLPOLICY_RULES_H
#define SYSCALLPOLICY_RULES_H

struct verdict { bool is_allowed; int rule; };  /* the rule's number from 1; 0: the default */
VOID rules_add(const char *line, const char *from, int line_number);    /* a bad line ends the tool with a message */
VOID rules_read(const char *file);
struct verdict rules_judge(UINT64 number, const ADDRINT *arg);
const char *rule_text(int rule);
#endif

/* say.h: Cotter's own words to the user: one line on stderr that names cause and cure. */
#ifndef LAUNCHER_SAY_H
#define LAUNCHER_SAY_H

enum { STATUS_FAILED = 125, STATUS_CANNOT_EXECUTE = 126, STATUS_NOT_FOUND = 127 };

void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void fail(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3), noreturn));
#endif

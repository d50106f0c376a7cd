/* compare.h: the difference of two reports of opcodemix. */
#ifndef OPCODEMIX_COMPARE_H
#define OPCODEMIX_COMPARE_H
int compare_reports(int argc, char **argv);     /* A.json B.json [-routine GLOB] [-top N]; the exit status */
#endif

/* ustat.h: a structure that C libraries have given up and tools that describe system calls still name. */
#ifndef COTTER_USTAT_H
#define COTTER_USTAT_H
#include <sys/types.h>
struct ustat {
    __daddr_t f_tfree;
    ino_t f_tinode;
    char f_fname[6];
    char f_fpack[6];
};
#endif

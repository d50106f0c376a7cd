/* build.h: compiling tools: cotter build, cotter new, cotter --pin-root. */
#ifndef LAUNCHER_BUILD_H
#define LAUNCHER_BUILD_H
int build_tool(int argc, char **argv);      /* the words behind `build` */
int build_new(int argc, char **argv);
int build_pin_root(void);
#endif

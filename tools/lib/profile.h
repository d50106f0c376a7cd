/* profile.h: what each routine did, summed up from block counters. For reports. */
#ifndef TOOLS_PROFILE_H
#define TOOLS_PROFILE_H

struct routine_profile { struct routine *routine; UINT64 calls, instructions; };
/* One for each routine that ran, most instructions first; *n of them. A call is an execution of the routine's first
 * instruction. The caller frees it. */
struct routine_profile *profile_routines(size_t *n);
#endif

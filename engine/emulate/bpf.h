/* bpf.h: classic BPF, as far as the kernel accepts it for seccomp. */
#ifndef EMULATE_BPF_H
#define EMULATE_BPF_H
#include "base/types.h"

struct bpf_op { u16 code; u8 jt, jf; u32 k; };
struct bpf_program { u16 n; u16 pad[3]; addr_t code; };
struct bpf_data { u32 nr, arch; u64 ip, args[6]; };       /* what a filter looks at */
enum { BPF_MAX_OPS = 4096 };
enum { BPF_LOAD_WORD = 0x20, BPF_LOAD_CONST = 0, BPF_IF_EQUAL = 0x15, BPF_RETURN = 6 };     /* codes of instructions */

u32 bpf_run(const struct bpf_op *code, u32 n, const struct bpf_data *d);    /* what it returns */
#endif

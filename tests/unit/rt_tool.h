/* rt_tool.h: shared by the parts of rt_tool, a tool that tests the tool's own libc (see rt.sh). */
#ifndef RT_TOOL_H
#define RT_TOOL_H
extern "C" {
#include "engine/engine.h"
#include "loader/rt.h"
}
#include <atomic>
#include <cstdio>

extern std::atomic<int> errors;
#define CHECK(c) ((c) ? (void)0 : (void)(errors++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #c)))

/* A thread made as the engine makes the application's: by a bare clone, on memory that libc does not know. */
struct thread {
    struct rt_thread *rt;
    int id;
    long n;
    void (*work)(struct thread *);
    char *stack;
    int tid_word;
};
void thread_start(struct thread *t, int id, long n, void (*work)(struct thread *));
void thread_join(struct thread *t);

int throw_and_catch(int depth);     /* the depth, after an exception went through that many frames */

void test_threads(void);
void test_forks(void);
void test_memory(void);
void test_descriptors(void);
void test_signals(void);
void test_flush(void);
#endif

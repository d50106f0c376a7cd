/* rt_threads.cc: malloc, stdio, exceptions, mutexes, thread_local and thread-specific data on threads that libc did not
 * create; and forks in the middle of it. */
#include "rt_tool.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <pthread.h>
#include <sstream>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

static std::atomic<int> n_made, n_destroyed, n_keys_destroyed;
struct counted {
    long n = 0;
    std::string text = "tls";
    counted() { n_made++; }
    ~counted() { n_destroyed++; }
};
static thread_local counted local;
static thread_local int plain = 77;
static pthread_key_t key;

struct block { unsigned char *bytes; size_t size; };
static std::mutex queue_lock;
static std::deque<block> queue;
static std::recursive_mutex counts_lock;
static std::map<std::string, long> counts;
static FILE *log_file;

static void check_locals(struct thread *t, long i)
{
    CHECK(plain == 77 || plain == 1000 + t->id);
    plain = 1000 + t->id;
    CHECK(local.text == "tls" && local.n == i);
    local.n++;
    errno = 1000 + t->id;
    if (!pthread_getspecific(key))
        pthread_setspecific(key, strdup("mine"));
    CHECK(!strcmp((char *)pthread_getspecific(key), "mine"));
    CHECK(errno == 1000 + t->id);
}

/* A block is allocated by one thread, and checked and freed by another. */
static void pass_block(long i, int id)
{
    block mine = {NULL, (size_t)(i * 37 + id * 11) % 3000 + 1}, other = {NULL, 0};
    mine.bytes = (unsigned char *)malloc(mine.size);
    memset(mine.bytes, (int)mine.size & 255, mine.size);
    {
        std::lock_guard<std::mutex> hold(queue_lock);
        queue.push_back(mine);
        if (queue.size() > 50) {
            other = queue.front();
            queue.pop_front();
        }
    }
    size_t bad = 0;
    for (size_t k = 0; k < other.size; k++)
        bad += other.bytes[k] != (other.size & 255);
    CHECK(bad == 0);
    free(other.bytes);
}

static void work(struct thread *t)
{
    for (long i = 0; i < t->n; i++) {
        check_locals(t, i);
        CHECK(throw_and_catch((int)(i % 6)) == i % 6);
        pass_block(i, t->id);
        {
            std::lock_guard<std::recursive_mutex> hold(counts_lock), again(counts_lock);
            counts["k" + std::to_string(i % 100)]++;
        }
        fprintf(log_file, "T%02d L%06ld abcdefghijklmnopqrstuvwxyz END\n", t->id, i);
        if (i % 64 == 0) {
            std::ostringstream text;
            text << i * 1.5;
            CHECK(!text.str().empty() && isalpha('q'));
        }
    }
}

static long run_round(int n_threads, long n)
{
    std::vector<struct thread> threads(n_threads);
    for (int i = 0; i < n_threads; i++)
        thread_start(&threads[i], i + 1, n, work);
    for (auto &t : threads)
        thread_join(&t);
    return n_threads * n;
}

static void check_log(long expected)
{
    char line[200];
    long n = 0, bad = 0, i;
    int id;
    rewind(log_file);
    for (; fgets(line, sizeof line, log_file); n++)
        bad += sscanf(line, "T%d L%ld abc", &id, &i) != 2 || !strstr(line, "z END\n");
    CHECK(n == expected);
    CHECK(bad == 0);
}

void test_threads(void)
{
    long total = 0, sum = 0;
    pthread_key_create(&key, [](void *p) { n_keys_destroyed++; free(p); });
    pthread_setspecific(key, strdup("the main thread's"));     /* must not reach the others */
    log_file = fopen("log", "w+");
    total += run_round(8, 5000);
    for (int i = 0; i < 50; i++)
        total += run_round(8, 20);
    for (int i = 0; i < 5; i++)
        total += run_round(64, 20);
    check_log(total);
    for (auto &c : counts)
        sum += c.second;
    CHECK(sum == total);
    CHECK(n_made == n_destroyed && n_made == n_keys_destroyed && n_made == 8 + 50 * 8 + 5 * 64);
}

static std::atomic<bool> stop;

/* Not rand(): a child that is forked in the middle of it finds its lock taken for ever, natively too. */
static void hammer(struct thread *t)
{
    unsigned seed = (unsigned)t->id;
    while (!stop) {
        free(malloc((size_t)rand_r(&seed) % 5000));
        FILE *f = fopen("/dev/null", "w");
        fprintf(f, "x");
        fclose(f);
        void *p = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        munmap(p, 65536);
    }
}

static long bare_fork(void *)
{
    return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static bool child_works(int i)
{
    std::map<int, std::string> m;
    for (int k = 0; k < 50; k++)
        m[k] = std::string((size_t)k * 20, 'x');
    bool good = throw_and_catch(3) == 3 && getpid() == syscall(SYS_gettid);
    if (i % 10 == 0) {
        struct thread t;
        stop = false;
        thread_start(&t, 1, 0, hammer);
        usleep(500);
        stop = true;
        thread_join(&t);
    }
    if (i % 7 == 0) {
        int status = -1;
        long grandchild = rt_fork(bare_fork, NULL);
        if (grandchild == 0)
            _exit(0);
        waitpid((pid_t)grandchild, &status, 0);
        good = good && status == 0;
    }
    return good;
}

static void fork_often(struct thread *t)
{
    for (int i = 0; i < t->n; i++) {
        int status = -1;
        long child = rt_fork(bare_fork, NULL);
        if (child == 0)
            _exit(child_works(i) ? 0 : 1);
        CHECK(child > 0 && waitpid((pid_t)child, &status, 0) == child && status == 0);
    }
}

void test_forks(void)
{
    struct thread hammers[4], forker, here = {};
    for (auto &t : hammers)
        thread_start(&t, 1, 0, hammer);
    here.n = 60;
    fork_often(&here);
    thread_start(&forker, 2, 40, fork_often);
    thread_join(&forker);
    stop = true;
    for (auto &t : hammers)
        thread_join(&t);
}

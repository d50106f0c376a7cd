/* A thread pool with a queue of functions, results through a second lock, recursive and timed mutexes, a shared mutex. */
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>
std::mutex m;
std::condition_variable cv;
std::deque<std::function<void()>> q;
bool over;
std::shared_mutex sm;
std::map<int, std::string> cache;
std::recursive_mutex rm;
std::timed_mutex tm_;
int total, timed;
void worker()
{
    for (;;) {
        std::function<void()> f;
        {
            std::unique_lock<std::mutex> l(m);
            cv.wait(l, [] { return over || !q.empty(); });
            if (q.empty())
                return;
            f = std::move(q.front());
            q.pop_front();
        }
        f();
    }
}
int main()
{
    std::vector<std::thread> ts;
    for (int i = 0; i < 3; i++)
        ts.emplace_back(worker);
    for (int i = 0; i < 50; i++) {
        std::lock_guard<std::mutex> l(m);
        q.push_back([i] {
            {
                std::shared_lock<std::shared_mutex> s(sm);
                auto it = cache.find(i % 7);
                if (it != cache.end()) {
                    std::lock_guard<std::recursive_mutex> a(rm);
                    std::lock_guard<std::recursive_mutex> b(rm);
                    total += (int)it->second.size();
                }
            }
            std::unique_lock<std::shared_mutex> u(sm);
            cache[i % 7] += "x";
            u.unlock();
            std::unique_lock<std::timed_mutex> t(tm_, std::chrono::seconds(5));
            if (t.owns_lock())
                timed++;
        });
        cv.notify_one();
    }
    {
        std::lock_guard<std::mutex> l(m);
        over = true;
    }
    cv.notify_all();
    for (auto &t : ts)
        t.join();
    printf("%zu %d\n", cache.size(), timed);
}

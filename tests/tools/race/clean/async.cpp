/* std::async, futures and promises, call_once, magic statics, shared pointers. */
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Table {
    std::vector<int> v;
    Table() : v(100, 7) {}
    ~Table() { v[0] = 0; }
};
static Table &table()
{
    static Table t;
    return t;
}
static std::once_flag once;
static int set_once;
int main()
{
    long sum = 0;
    std::vector<std::future<int>> f;
    for (int i = 0; i < 4; i++)
        f.push_back(std::async(std::launch::async, [i] {
            std::call_once(once, [] { set_once = 3; });
            return table().v[i] + set_once;
        }));
    for (auto &x : f)
        sum += x.get();
    std::promise<std::vector<int>> p;
    auto got = p.get_future();
    std::thread t([&p] { p.set_value(std::vector<int>(50, 2)); });
    for (int x : got.get())
        sum += x;
    t.join();
    std::vector<std::thread> ts;
    {
        auto shared = std::make_shared<Table>();
        for (int i = 0; i < 4; i++)
            ts.emplace_back([shared, i] {
                volatile int x = shared->v[i];
                (void)x;
            });
    }
    for (auto &x : ts)
        x.join();
    printf("%ld\n", sum);
}

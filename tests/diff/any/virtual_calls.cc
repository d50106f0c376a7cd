// Virtual calls over many classes, std::function, dynamic_cast, static initialisation and destruction order.
// test-schemes: yes
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <vector>

struct Base {
    virtual ~Base() = default;
    virtual unsigned long f(unsigned long x) const = 0;
};
template <int N> struct Node : Base {
    unsigned long f(unsigned long x) const override { return x * 33 + N; }
};
template <int N> static void fill(std::vector<std::unique_ptr<Base>> &v)
{
    v.emplace_back(new Node<N>);
    if constexpr (N > 0)
        fill<N - 1>(v);
}
struct Noisy {
    const char *name;
    explicit Noisy(const char *n) : name(n) { std::cout << "begin " << name << "\n"; }
    ~Noisy() { std::cout << "end " << name << "\n"; }
} one("one"), two("two");

int main()
{
    std::vector<std::unique_ptr<Base>> v;
    fill<200>(v);
    unsigned long x = 1, casts = 0;
    for (int round = 0; round < 300; round++)
        for (auto &p : v)
            x = p->f(x) ^ (x >> 9);
    for (auto &p : v)
        casts += dynamic_cast<Node<7> *>(p.get()) != nullptr;
    std::map<std::string, std::function<unsigned long(unsigned long)>> m;
    for (int i = 0; i < 50; i++)
        m["key" + std::to_string(i)] = [i](unsigned long y) { return y + static_cast<unsigned long>(i); };
    for (auto &kv : m)
        x = kv.second(x);
    std::cout << x << " " << casts << "\nok virtual_calls" << std::endl;
}

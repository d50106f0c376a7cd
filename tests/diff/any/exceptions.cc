// C++ exceptions: thrown through many frames, rethrown, destructors in order, caught by base class, from a callback.
// test-schemes: yes
#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

static int alive;
struct Guard {
    int id;
    explicit Guard(int i) : id(i) { alive++; }
    ~Guard() { alive--; }
};

static int dive(int n)
{
    Guard g(n);
    if (n == 0)
        throw std::runtime_error("bottom");
    try {
        return dive(n - 1) + g.id;
    } catch (const std::logic_error &) {
        return -1;
    } catch (...) {
        if (n % 10 == 0)
            throw;
        throw std::runtime_error("level " + std::to_string(n));
    }
}

int main()
{
    for (int i = 0; i < 300; i++)
        try {
            dive(i % 37);
        } catch (const std::exception &e) {
            if (i % 50 == 0)
                std::cout << i << " " << e.what() << " alive " << alive << "\n";
        }
    std::vector<int> v{5, 3, 1, 4};
    try {
        std::sort(v.begin(), v.end(), [](int a, int b) -> bool { if (a == 1) throw a + b; return a < b; });
    } catch (int n) {
        std::cout << "thrown " << n << "\n";
    }
    std::cout << "ok exceptions" << std::endl;
}

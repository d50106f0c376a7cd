/* The counts of a shared pointer are atomic, what it points to is not. */
#include <cstdio>
#include <memory>
#include <thread>

int main()
{
    auto n = std::make_shared<int>(0);
    std::thread a([n] { *n = 1; /* RACE */ });
    std::thread b([n] { *n = 2; /* RACE */ });
    a.join();
    b.join();
    printf("%d\n", *n > 0);
}

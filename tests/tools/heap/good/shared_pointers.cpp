/* shared and unique pointers, aligned new */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <memory>
#include <string>

struct alignas(64) line { char c[64]; };
int main()
{
    auto a = std::make_shared<std::string>("shared");
    std::weak_ptr<std::string> w = a;
    auto b = a;
    a.reset();
    auto u = std::make_unique<line>();
    line *many = new line[3];
    delete[] many;
    return w.expired() || (size_t)u.get() % 64;
}

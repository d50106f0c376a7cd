/* error: read-freed */
#include <map>

int main()
{
    std::map<int, int> m = { { 1, 2 }, { 3, 4 } };
    const volatile int *p = &m.find(3)->second;
    m.erase(3);
    return *p & 0; /* BUG */
}

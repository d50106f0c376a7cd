/* error: read-outside */
#include <vector>

int main()
{
    std::vector<int> v(10, 3);
    volatile const int *p = v.data();
    int n = p[10]; /* BUG */
    return n & 0;
}

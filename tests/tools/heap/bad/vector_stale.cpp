/* error: read-freed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

volatile int sink;
int main()
{
    std::vector<int> v = { 1, 2, 3 };
    int *p = &v[0];
    for (int i = 0; i < 100; i++)
        v.push_back(i);
    sink = *p; /* BUG */
}

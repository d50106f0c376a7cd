/* exceptions thrown and caught */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdexcept>
#include <string>

static void deep(int n)
{
    std::string s(n, 'x');
    if (n == 0)
        throw std::runtime_error("end " + s);
    deep(n - 1);
}
int main()
{
    for (int i = 0; i < 20; i++)
        try {
            deep(i);
        } catch (const std::exception &e) {
            if (!e.what()[0])
                return 1;
        }
}

/* C++ streams */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <iostream>
#include <sstream>

int main()
{
    std::ostringstream o;
    for (int i = 0; i < 100; i++)
        o << i << ' ' << i * 0.5 << '\n';
    std::istringstream in(o.str());
    int a, n = 0;
    double b;
    while (in >> a >> b)
        n++;
    std::cout << n << std::endl;
    return n != 100;
}

/* containers and strings of C++ */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

int main()
{
    std::map<std::string, std::vector<int>> m;
    for (int i = 0; i < 300; i++)
        m["key" + std::to_string(i % 37)].push_back(i);
    std::string s;
    for (auto &e : m)
        s += e.first + std::to_string(e.second.size());
    std::sort(s.begin(), s.end());
    return s.empty();
}

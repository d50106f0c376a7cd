/* error: read-freed */
#include <string>
static const char *name() { std::string s(100, 'x'); return s.c_str(); }

int main()
{
    volatile const char *p = name();
    return p[3] & 0; /* BUG */
}

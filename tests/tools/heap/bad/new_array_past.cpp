/* error: write-outside */
struct point { int x, y; ~point() { x = 0; } };

int main()
{
    point *p = new point[5];
    volatile point *v = p;
    v[5].x = 1; /* BUG */
    delete[] p;
}

/* A routine that is called with 60 odd and 40 even arguments. Not exported. */
static int total;
void __attribute__((noinline)) chosen(long n) { total += (int)n; }
int main(void)
{
    for (long i = 0; i < 60; i++)
        chosen(2 * i + 1);
    for (long i = 0; i < 40; i++)
        chosen(2 * i);
    return total != 5160;
}

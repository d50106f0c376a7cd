# With ASLR on, a program under Cotter gets new addresses each time, as natively.
printf 'int main(void) { int x; __builtin_printf("%%p %%p\\n", (void *)&x, (void *)main); return 0; }' > a.c
gcc -pie -fPIE -o a a.c || exit 1
n=$(for i in 1 2 3 4 5 6; do $COTTER -q -- ./a; done | sort -u | wc -l)
[ "$n" -eq 6 ] || { echo "only $n different address pairs in 6 runs"; exit 1; }

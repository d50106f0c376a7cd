# launch_many.sh: launches under address space randomisation, of each kind of program, in both ways.
cat >hello.c <<'END'
#include <stdio.h>
int main(int argc, char **argv) { printf("hello %d %s\n", argc, argv[1]); return 5; }
END
for kind in -pie -no-pie -static -static-pie; do
    gcc -O1 $kind -o hello hello.c || exit 1
    for way in ptrace exec; do
        for i in $(seq 40); do
            got=$("$COTTER" --inject=$way -- ./hello $i)
            status=$?
            if [ $status != 5 ] || [ "$got" != "hello 2 $i" ]; then
                echo "$kind $way: status $status, $got"
                exit 1
            fi
        done
    done
done

# Attach to a Go program and detach, over and over: its stacks are small and its own, its handlers run on alternate stacks, its
# threads are signalled to preempt them. It checks what it computes and what comes through its channels.
# test-needs: cmd:go
# test-timeout: 200
. "$ROOT/tests/tools/lib.sh"
cat >main.go <<'END'
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	var wg sync.WaitGroup
	var bad, done, over int64
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			for atomic.LoadInt64(&over) == 0 {
				m := map[string]int{}
				for k := 0; k < 50; k++ {
					m[fmt.Sprint(k)] = k
				}
				if fib(15) != 610 || len(m) != 50 {
					atomic.AddInt64(&bad, 1)
				}
				if i%2 == 0 {
					time.Sleep(time.Millisecond)
				}
				atomic.AddInt64(&done, 1)
			}
		}(i)
	}
	c := make(chan int)
	go func() {
		for i := 0; ; i++ {
			c <- i
		}
	}()
	go func() {
		for want := 0; ; want++ {
			if <-c != want {
				atomic.AddInt64(&bad, 1)
			}
			if want%1000 == 0 {
				time.Sleep(100 * time.Microsecond)
			}
		}
	}()
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadString('\n')
	atomic.StoreInt64(&over, 1)
	wg.Wait()
	if bad != 0 || done == 0 {
		fmt.Println("bad:", bad, "of", done)
		os.Exit(1)
	}
	fmt.Println("goroutines agree")
}
END
HOME=$PWD GO111MODULE=off go build -o prog main.go >words 2>&1 || die "go build: $(cat words)"
mkfifo in
./prog <in >out 2>&1 &
pid=$!
exec 7>in
trap 'kill -9 $pid 2>/dev/null' EXIT
until grep -q ready out; do sleep 0.02; done
for i in $(seq "${ROUNDS:-6}"); do
    if [ $((i % 2)) = 0 ]; then $COTTER -pid $pid; else $COTTER -pid $pid -t "$ROOT/build/lib/cotter/tools/icount" -o icount.out; fi ||
        die "attach $i failed"
    sleep "0.0$((RANDOM % 90))"
    leave $pid || die "detach $i failed: $(cat words)"
    kill -0 $pid 2>/dev/null || die "it died in round $i: $(tail -3 out)"
done
echo >&7
wait $pid || die "status $?: $(tail -3 out)"
same "last line" "goroutines agree" "$(tail -1 out)"
exit 0

# Sourced by tests that ask Go's tools: go tool pprof, which is google/pprof, and go build -pgo. Makes
# ./busy, a program that writes CPU and heap profiles as it serves them to others.

command -v go > /dev/null || skip "go is not installed"
go_minor=$(go env GOVERSION | sed -n 's/^go1\.\([0-9]*\).*/\1/p')
[ "${go_minor:-0}" -ge 21 ] || skip "$(go env GOVERSION) is older than go1.21"
export GOFLAGS=-mod=mod GOTOOLCHAIN=local GOCACHE=$BUILD_DIR/tests/e2e/go-cache

mkdir -p busy.go.d
cat > busy.go.d/go.mod << 'END'
module busy
go 1.21
END
cat > busy.go.d/main.go << 'END'
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof"
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"sync"
	"time"
)

type shape interface{ area(int) int }
type square struct{}
type circle struct{}

func (square) area(n int) int { return n * n }
func (circle) area(n int) int { return 3 * n * n }

func sum(all []shape, n int) int {
	total := 0
	for i := 0; i < n; i++ {
		total += all[i%len(all)].area(i)
	}
	return total
}

var lock sync.Mutex

func serve(tenant string) {
	pprof.Do(context.Background(), pprof.Labels("tenant", tenant), func(context.Context) {
		all := []shape{square{}, square{}, square{}, circle{}}
		for {
			words := []string{}
			for i := 0; i < 500; i++ {
				words = append(words, fmt.Sprint(tenant, sum(all, 300+i)))
			}
			lock.Lock()
			sort.Strings(words)
			lock.Unlock()
		}
	})
}

// One wait for the lock at least, however the machine shares out its time.
func waitForLock() {
	for waits := 0; waits == 0; waits, _ = runtime.MutexProfile(nil) {
		lock.Lock()
		waiting := make(chan bool)
		go func() {
			waiting <- true
			lock.Lock()
			lock.Unlock()
			waiting <- true
		}()
		<-waiting
		time.Sleep(10 * time.Millisecond)
		lock.Unlock()
		<-waiting
	}
}

func main() {
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	waitForLock()
	server := httptest.NewServer(http.DefaultServeMux)
	go serve("red")
	go serve("blue")
	for i, what := range os.Args[1:] {
		answer, err := http.Get(server.URL + "/debug/pprof/" + what)
		if err != nil || answer.StatusCode != 200 {
			panic(fmt.Sprint(err, answer))
		}
		bytes, _ := io.ReadAll(answer.Body)
		os.WriteFile(fmt.Sprintf("%d.pb.gz", i), bytes, 0o644)
	}
}
END
(cd busy.go.d && go build -o ../busy .) || fail "go build"

# samples FILE: what it counts, without numbers and addresses.
samples() { python3 "$here/pprof_samples.py" "$1"; }
header() { python3 "$here/pprof_samples.py" --header "$1"; }
# merge_by_go OUT FILE...: what google/pprof makes of them.
merge_by_go() { go tool pprof -proto -symbolize=none -output "$1" "${@:2}" 2> /dev/null; }

# Sourced by tests that ask Go's tools: go tool pprof, which is google/pprof, and go build -pgo. Makes
# ./busy PROFILE..., a program that writes these profiles of itself, 0.pb.gz first: profile=SECONDS (of the CPU), heap,
# allocs, mutex and block, as net/http/pprof serves them. It does without net/http, which takes half a minute to compile,
# and as long again with a profile.

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
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
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

func write(profile string, file *os.File) error {
	seconds, isOfCPU := strings.CutPrefix(profile, "profile=")
	if !isOfCPU {
		return pprof.Lookup(profile).WriteTo(file, 0)
	}
	length, err := time.ParseDuration(seconds + "s")
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	time.Sleep(length)
	pprof.StopCPUProfile()
	return err
}

func main() {
	runtime.MemProfileRate = 1 << 14 // more stacks than by default, as in a larger program
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	waitForLock()
	go serve("red")
	go serve("blue")
	for i, profile := range os.Args[1:] {
		file, err := os.Create(fmt.Sprintf("%d.pb.gz", i))
		if err == nil {
			err = write(profile, file)
		}
		if err != nil {
			panic(err)
		}
	}
}
END
(cd busy.go.d && go build -o ../busy .) || fail "go build"
# Once it is built, it is run without asking go again whether it is.
pprof=$(go tool -n pprof) || fail "go tool pprof"

# samples FILE: what it counts, without numbers and addresses.
samples() { python3 "$here/pprof_samples.py" "$1"; }
header() { python3 "$here/pprof_samples.py" --header "$1"; }
# merge_by_go OUT FILE...: what google/pprof makes of them.
merge_by_go() { "$pprof" -proto -symbolize=none -output "$1" "${@:2}" 2> /dev/null; }

# `pgo merge -o default.pgo` writes what go build -pgo uses.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../go_prelude.sh"

# As long as it takes to have the CPU for a second, on a busy machine.
seconds=2
until ./busy "profile=$seconds" heap && [ "$(samples 0.pb.gz | awk '{ sum += $1 } END { print sum + 0 }')" -ge 100 ]; do
  seconds=$((seconds * 2))
done
"$pgo" merge 0.pb.gz -o busy.go.d/default.pgo -o plain.pb.gz 2> /dev/null
header busy.go.d/default.pgo > header
grep -q "^types samples/count cpu/nanoseconds" header
samples plain.pb.gz > plain.samples
grep -q "tenant" plain.samples
samples busy.go.d/default.pgo > go.samples
[ -s go.samples ]
if grep -q "tenant" go.samples; then fail "labels are in default.pgo"; fi

cd busy.go.d
# The compiler says what it takes for hot, and which calls it makes direct by the profile.
go build -gcflags=-d=pgodebug=1 -o optimized . 2> build.log || fail "go build -pgo: $(cat build.log)"
go version -m optimized > version
grep -q -- "-pgo=.*default.pgo" version || fail "the binary does not name its profile"
grep -q "hot-callsite" build.log || fail "the compiler did not use the profile"

# What it could not use is refused in words.
"$pgo" merge ../1.pb.gz -o heap.pgo 2> refused.log && fail "a heap profile became a default.pgo"
grep -q "go: the profile counts neither samples/count nor cpu/nanoseconds" refused.log

# A CPU profile that gperftools took of a C++ program counts what google/pprof reads from it.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../go_prelude.sh"

profiler=$(ls /usr/lib/*/libprofiler.so.0 2> /dev/null | head -1)
[ -n "$profiler" ] || skip "gperftools' profiler is not installed (libgoogle-perftools4)"
cat > sums.cc << 'END'
#include <cstdio>
#include <map>
#include <string>
__attribute__((noinline)) unsigned long square(unsigned long n) { return n * n % 1000003; }
__attribute__((noinline)) unsigned long sum(unsigned long n) {
  std::map<std::string, unsigned long> seen;
  for (unsigned long i = 0; i < n; i++) seen[std::to_string(i % 997)] += square(i);
  return seen["7"];
}
int main() {
  unsigned long total = 0;
  for (int i = 0; i < 40; i++) total += sum(100000);
  std::printf("%lu\n", total);
}
END
g++ -O2 -g -fno-omit-frame-pointer sums.cc -o sums
for i in 1 2; do
  CPUPROFILE=$i.prof CPUPROFILE_FREQUENCY=1000 LD_PRELOAD=$profiler ./sums > sums.log 2>&1 || fail "$(cat sums.log)"
done
"$pgo" show 1.prof > show.log
grep -q "gperftools CPU profile" show.log
# google/pprof names what it drops from such profiles when it shows them; the samples are the same.
# (Of two files, the first could be the program.)
for i in 1 2; do merge_by_go $i.pb.gz $i.prof; done
merge_by_go theirs.pb.gz 1.pb.gz 2.pb.gz
"$pgo" merge 1.prof 2.prof -o ours.pb.gz 2> merge.log
samples theirs.pb.gz > theirs
samples ours.pb.gz > ours
[ "$(awk '{ all += $1 } END { print all }' ours)" -gt 20 ] || skip "the machine took no samples: $(cat ours)"
cmp theirs ours

# Threads that run at the same time keep their branches apart: no stack has a range that no thread
# ran. A ring shared by all threads makes about every sixth range impossible.
. "$(dirname "$0")/prelude.sh"
need qemu-x86_64 perf clang-22
[ -x "$llvm/perf2bolt" ] || skip "perf2bolt 22 is not installed"

cat > threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void* sort_noise(void* seed) {
  enum { kCount = 5000 };
  static __thread int values[kCount];
  unsigned state = (unsigned)(long)seed;
  for (int round = 0; round < 8; round++) {
    for (int i = 0; i < kCount; i++) values[i] = (int)((state = state * 1103515245 + 12345) >> 8);
    qsort(values, kCount, sizeof values[0], compare);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, sort_noise, (void*)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}
END
clang-22 -O2 -static -fuse-ld=lld -Wl,--build-id threads.c -o threads
recorder=$BUILD_DIR/lib/prodpgo/prodpgo_branch_recorder.so
qemu-x86_64 -plugin "$recorder,out=perf.data,period=499" ./threads

perf script -i perf.data -F tid,ip,brstack > stacks.txt
threads=$(awk '{ print $1 }' stacks.txt | sort -u | wc -l)
[ "$threads" -ge 4 ] || fail "samples of $threads threads, 4 or 5 expected"
# Newest first: what an older branch went to comes before what the next one left.
awk '{
  for (i = 3; i < NF; i++) {
    split($i, newer, "/"); split($(i + 1), older, "/")
    ranges++
    if (length(older[2]) != length(newer[1]) || older[2] > newer[1]) bad++
  }
} END { print ranges + 0, bad + 0 }' stacks.txt > ranges.txt
read -r ranges bad < ranges.txt
[ "$ranges" -gt 50000 ] || fail "only $ranges ranges"
[ "$bad" -eq 0 ] || fail "$bad of $ranges ranges end before they begin"

"$llvm/perf2bolt" -p perf.data ./threads -o threads.fdata > bolt.log 2>&1
grep -q 'traces mismatching disassembled function contents: 0 (0.0%)' bolt.log

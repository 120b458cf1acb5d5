# Threads that run at the same time keep their branches apart: no stack has a range that no thread
# ran. A ring shared by all threads makes about every sixth range impossible.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf clang-22 "$llvm/llvm-profgen" "$llvm/perf2bolt"

cat > threads.c <<'END'
#include <pthread.h>

static void sort(int* first, int* last) {
  if (first >= last) return;
  int *left = first, *right = last, pivot = first[(last - first) / 2];
  while (left <= right) {
    while (*left < pivot) left++;
    while (*right > pivot) right--;
    if (left > right) break;
    int moved = *left;
    *left++ = *right;
    *right-- = moved;
  }
  sort(first, right);
  sort(left, last);
}

static void* sort_noise(void* seed) {
  enum { kCount = 5000 };
  static __thread int values[kCount];
  unsigned state = (unsigned)(long)seed;
  for (int round = 0; round < 8; round++) {
    for (int i = 0; i < kCount; i++) values[i] = (int)((state = state * 1103515245 + 12345) >> 8);
    sort(values, values + kCount - 1);
  }
  return 0;
}

int main(void) {
  pthread_t threads[4];
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, sort_noise, (void*)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}
END
clang-22 -O2 -g -fuse-ld=lld -Wl,--build-id threads.c -o threads
"$pgo" record --engine emulate --period "$(period 499)" -o perf.data -- ./threads 2> record.log
grep -q ' samples from 5 threads in 1 process;' record.log

threads=$(perf script -i perf.data -F tid | sort -u | wc -l)
[ "$threads" -ge 4 ] || fail "samples of $threads threads, 4 or 5 expected"
"$llvm/llvm-profgen" --binary=threads --perfdata=perf.data --output=threads.prof > profgen.log 2>&1
! grep -E 'uncondit|cross function|instruction boundary' profgen.log || fail "llvm-profgen does not believe the ranges"
"$llvm/perf2bolt" -p perf.data threads -o threads.fdata > bolt.log 2>&1
grep -q 'traces mismatching disassembled function contents: 0 (0.0%)' bolt.log
read_stacks=$(sed -n 's/.*read \([0-9]*\) samples.*/\1/p' bolt.log)
[ "$read_stacks" -gt 1000 ] || fail "only $read_stacks samples"

# Programs of many kinds after pgo bolt: the same output, exceptions thrown through hot and cold frames
# of the result are caught, backtraces pass through it, and shared libraries still export what they did.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt" g++ readelf nm

cat > parse.h <<'E1'
#pragma once
long parse(const char* text);
int depth_of_stack();
E1
cat > parse.cc <<'E1'
#include "parse.h"
#include <execinfo.h>
#include <stdexcept>
#include <string>
struct Guard { long& ends; ~Guard() { ends++; } };
static long ends = 0;
__attribute__((noinline)) static long digit(char c, long so_far) {
  if (c < '0' || c > '9') throw std::invalid_argument(std::string("no digit: ") + c);
  return so_far * 10 + (c - '0');
}
__attribute__((noinline)) static long number(const char* text) {
  Guard guard{ends};
  long value = 0;
  for (; *text; text++) value = digit(*text, value) % 1000003;
  return value;
}
__attribute__((visibility("default"))) long parse(const char* text) {
  try {
    return number(text);
  } catch (const std::invalid_argument& error) {
    return -static_cast<long>(std::string(error.what()).size()) - ends % 2;
  }
}
__attribute__((noinline, visibility("default"))) int depth_of_stack() {
  void* frames[64];
  return backtrace(frames, 64);
}
E1
cat > main.cc <<'E1'
#include <cstdio>
#include <cstdlib>
#include "parse.h"
int main(int argc, char** argv) {
  long sum = 0;
  int rounds = argc > 1 ? std::atoi(argv[1]) : 2000;
  for (int i = 0; i < rounds; i++) sum += parse(i % 97 == 5 ? "12x4" : "123456789012");
  std::printf("%ld, %d frames\n", sum, depth_of_stack());
}
E1

# try NAME COMPILE...: builds `NAME`, records it, BOLTs it, runs both.
try() {
  local kind=$1
  shift
  "$@" -O2 -g1 -Wl,--build-id,--emit-relocs main.cc parse.cc -o "$kind"
  record "$kind.perf" "./$kind"
  "$pgo" bolt "$kind" -o "$kind.bolt" --profile "$kind.perf" --check '{} 10' --on-failure error > "$kind.txt" 2> "$kind.log" || {
    cat "$kind.log"
    fail "$kind was not BOLTed"
  }
  for rounds in 5 6 2000; do
    [ "$("./$kind.bolt" $rounds)" = "$("./$kind" $rounds)" ] || fail "$kind runs otherwise"
  done
  grep -q 'checks *profile passed, elf passed, loader .*command passed' "$kind.txt"
}

try pie clang++-22 -fuse-ld=lld
try fixed clang++-22 -fuse-ld=lld -no-pie -fno-pie
try bfd clang++-22 -fuse-ld=bfd
try static clang++-22 -fuse-ld=lld -static
grep -q 'loader skipped: the program has no loader' static.txt
try gcc g++ -fno-reorder-blocks-and-partition
# Functions that GCC split: llvm-bolt's support has limits, which is said.
try split g++
grep -q 'warning: [0-9]* parts* of .*functions* .* split off by the compiler' split.log

# A library in a program that stays as it is.
clang++-22 -O2 -g1 -fPIC -shared -fuse-ld=lld -Wl,--build-id,--emit-relocs,-soname=libparse.so.1 \
  -fvisibility=hidden parse.cc -o libparse.so
ln -s libparse.so libparse.so.1
clang++-22 -O2 -fuse-ld=lld main.cc -L. -lparse "-Wl,-rpath,\$ORIGIN" -o user
record user.perf ./user
before=$(./user)
cp libparse.so plain.so
"$pgo" bolt libparse.so -o libparse.so --profile user.perf --check 'LD_PRELOAD={} ./user 10' --on-failure error \
  > library.txt 2> library.log || { cat library.log; fail "the library was not BOLTed"; }
[ "$(./user)" = "$before" ]
for what in -d --dyn-syms; do
  for library in plain.so libparse.so; do
    readelf -W $what $library | grep -oE 'SONAME.*|NEEDED.*|(GLOBAL|WEAK) .*' | sed -E 's/ +[0-9]+ ([^ ]+)$/ \1/' | sort > $library.$what
  done
  same plain.so.$what libparse.so.$what
done

# The system's strip after GNU's would break it; LLVM's does not.
"$llvm/llvm-strip" pie.bolt -o pie.stripped 2> /dev/null || "$llvm/llvm-objcopy" --strip-all pie.bolt pie.stripped
[ "$(./pie.stripped)" = "$(./pie)" ]

# Every executable mapping carries the build ID of its file, with the protection that the program
# asked for: the program, libraries, one loaded late, and one whose file has no name any more.
. "$(dirname "$0")/../prelude.sh"
need qemu-x86_64 perf gcc readelf

cat > library.c <<'END'
unsigned spin(unsigned rounds) {
  unsigned sum = 0;
  for (unsigned i = 0; i < rounds; i++) sum += i % 3 ? i : 1;
  return sum;
}
END
cat > program.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static unsigned call_library(const char* path) {
  void* library = dlopen(path, RTLD_NOW);
  unsigned (*spin)(unsigned) = (unsigned (*)(unsigned))dlsym(library, "spin");
  return spin(30000);
}

int main(void) {
  unsigned sum = call_library("./late.so");
  int nameless = memfd_create("nameless", 0);
  FILE* from = fopen("nameless.so", "rb");
  char bytes[65536];
  size_t size = fread(bytes, 1, sizeof bytes, from);
  if (write(nameless, bytes, size) != (ssize_t)size) return 1;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", nameless);
  sum += call_library(path);
  return sum == 0;
}
END
gcc -O1 -fPIC -shared -Wl,--build-id=sha1 library.c -o late.so
gcc -O1 -fPIC -shared -Wl,--build-id=0x0123456789abcdef library.c -o nameless.so
gcc -O1 -Wl,--build-id=md5 program.c -o program
"$pgo" record --engine emulate --period "$(period 97)" -o perf.data -- ./program 2> record.log

perf script -i perf.data --show-mmap-events 2> /dev/null | grep PERF_RECORD_MMAP2 > maps.txt
check() {
  grep -qE "<$(id_of "$1")>\]: r-xp $2$" maps.txt || fail "no mapping of $1 with its build ID"
}
check program "$work/program"
check late.so "$work/late.so"
check nameless.so '/memfd:nameless \(deleted\)'
check "$(ldd program | awk '/libc.so/ { print $3 }')" '.*/libc.so.6'
perf buildid-list -i perf.data > list.txt
grep -q "^$(id_of program) *$work/program$" list.txt
# The library's loop ran in both of its mappings: 20000 branches or so each.
[ "$(perf script -i perf.data -F ip,sym,dso 2> /dev/null | grep -c 'late.so')" -gt 100 ]

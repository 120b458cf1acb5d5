# Address profiles have no addresses of the kernel and of binaries that were not asked for, but comparisons count what
# ran there: shares are those of the recordings.
. "$(dirname "$0")/../oracle.sh"
need python3

cat > reads.c << 'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) unsigned work(unsigned x) {
  for (int i = 0; i < 300; i++) x = (x * 1664525u + 1013904223u) ^ (x >> 7);
  return x;
}
int main(int argc, char** argv) {
  const int reads = argc > 1 ? atoi(argv[1]) : 1, zero = open("/dev/zero", O_RDONLY);
  unsigned x = 1;
  char bytes[4096];
  for (int i = 0; i < 100000; i++) {
    x = work(x);
    for (int j = 0; j < reads; j++) x += (unsigned)read(zero, bytes, sizeof bytes);
  }
  return x == 3;
}
C
clang-22 $debug -O2 -Wl,--build-id reads.c -o reads
for reads in 1 5; do
  record_by_clock $reads.data ./reads $reads
  "$pgo" convert $reads.data --binary reads -o $reads.addr 2> convert.log
done
for kind in data addr; do "$pgo" diff 1.$kind 5.$kind --binary reads --report $kind.json > $kind.text 2> diff.log; done
"$pgo" diff 1.data 5.addr --binary reads --report mixed.json > mixed.text 2> diff.log
"$pgo" cost 5.addr --binary reads --report cost.json > cost.text 2> cost.log
python3 - << 'PY'
import json

# The share of each side by function; other binaries have names in recordings, and one row in address profiles.
def shares(path, side):
    found = {}
    for row in json.load(open(path))["rows"]:
        name = row["name"]
        if name.startswith("[") and name not in ("[kernel]", "[reads]"):
            name = "[other]"
        found[name] = found.get(name, 0) + row["flat"][side]
    return {name: share for name, share in found.items() if share > 0}

for side in ("before", "after"):
    of_data, of_addr = shares("data.json", side), shares("addr.json", side)
    assert of_data.keys() == of_addr.keys(), (of_data, of_addr)
    for name in of_data:
        assert abs(of_data[name] - of_addr[name]) < .005, (side, name, of_data, of_addr)
assert shares("mixed.json", "before") == shares("data.json", "before"), "mixed"
assert "[kernel]" not in of_data or of_data["[kernel]"] > shares("data.json", "before")["[kernel]"]
PY
python3 - << 'PY'
import json
rows = {row["name"]: row for row in json.load(open("cost.json"))["rows"]}
assert "[kernel]" in rows and "work" in rows, rows
PY

#!/bin/bash
# pgo refresh pins a BOLT profile of the program and one of its shared library, each with its recorded build. A CMake build
# takes each for its own target, and pgo bolt for the binary that it optimizes; a library without one is built without BOLT.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
. "$here/refresh_cmake_prelude.sh"

project source <<'CMAKE'
prodpgo_profile(small LOCK ../pgo.lock CONFIGURATION clang)
add_library(query SHARED lib/query.cc)
set_target_properties(query PROPERTIES VERSION 1.2 SOVERSION 1)
add_library(other SHARED lib/scale.c)
target_link_libraries(small PRIVATE query)
prodpgo_optimize(small BOLT small)
prodpgo_optimize(query BOLT small)
prodpgo_optimize(other BOLT small)
CMAKE
sed -i 's/scale(x) : table/query(x) : table/; s/^int table/int query(int x);\n&/' source/main.cc
cat > source/lib/query.cc <<'EOF'
static int __attribute__((noinline)) inner(int x) { return x % 3 == 0 ? x * 7 : x + 1; }
int query(int x) {
  int sum = 0;
  for (int i = 0; i < 4; i++) sum += inner(x + i);
  return sum;
}
EOF
service

must_configure plain
build plain
program=$(id_of plain/small)
library=$(id_of plain/libquery.so)
./plain/small 20000 > expected
record plain/small 2026-11-26T10
for file in plain/small plain/libquery.so; do "$pgo" archive $file --to builds > archive.text 2> archive.log; done
refresh
tr -s " " < text > words
says "BOLT profile of $program" words
says "BOLT profile of $library (libquery.so)" words
says "recorded build small.libquery.so.prebolt, " words
says "min-quality (bolt libquery.so)" text
python3 - "$program" "$library" <<'PYTHON'
import json, sys
program, library = sys.argv[1:]
files = json.load(open("pgo.lock"))["profiles"]["small"]["files"]
found = [(file["kind"], file["path"], file.get("library", "")) for file in files]
assert found == [("bolt", "small.fdata", ""), ("bolt", "small.libquery.so.fdata", "libquery.so"),
                 ("prebolt", "small.prebolt", ""), ("prebolt", "small.libquery.so.prebolt", "libquery.so"),
                 ("report", "small.bolt.json", ""), ("report", "small.libquery.so.bolt.json", "")], found
assert [file["of_builds"] for file in files[:4]] == [[program], [library], [program], [library]], files
assert [file["bolt_of"] for file in files[:2]] == [program, library], files
PYTHON
refresh --json
says '"outcome": "nothing-new"' text
"$pgo" list oci-dir:registry > list
says "bolt, bolt (libquery.so)" list

# With a compile profile, each BOLT profile is judged by its own counts.
cp pgo.toml bolt.toml
sed -i 's/outputs = "bolt"/outputs = ["llvm", "bolt"]/' pgo.toml
refresh --dry-run
tr -s " " < text > words
says "BOLT profile of $library (libquery.so)" words
says "min-quality (bolt libquery.so) good at least fair ok" words
# perf2bolt refuses the library. That of the program is pinned all the same.
cat > refuses << 'SH'
#!/bin/sh
case "$*" in *LIBRARY*) echo "BOLT-ERROR: cannot read this library" >&2; exit 1 ;; esac
exec PERF2BOLT "$@"
SH
sed -i "s|LIBRARY|${library:2:30}|; s|PERF2BOLT|$llvm/perf2bolt|" refuses
chmod +x refuses
refresh --dry-run --perf2bolt ./refuses
tr -s " " < text > words
says "pgo: warning: small: no BOLT profile of libquery.so is pinned any more: fdata: ./refuses failed (exit status 1) on " log
says "BOLT profile of $program" words
says "BOLT profile no longer pinned for libquery.so: fdata: ./refuses failed" words
never "min-quality (bolt libquery.so)" words
cp bolt.toml pgo.toml

# Each target takes its own.
"$pgo" pull --locked > pull.text 2> pull.log
cp plain/libquery.so recorded.so
must_configure plain -DPRODPGO_REQUIRED=ON
never "warning" plain.log
never "makes a library of that name" plain.log
says "prodpgo_optimize(other): profile small has BOLT profiles of the program, libquery.so, and none of libother.so. Building it \
without BOLT" plain.log
build plain
never "warning" plain.made
is_bolted plain/small || { cat plain.made; fail "the program is not BOLTed"; }
is_bolted plain/libquery.so || { cat plain.made; fail "the library is not BOLTed"; }
! is_bolted plain/libother.so || fail "the library without a profile is BOLTed"
./plain/small 20000 | cmp - expected

# Changed sources: the blocks of the library are matched with its own recorded build.
sed -i 's/^  return sum;/  return sum == 7 ? inner(sum) : sum;/' source/lib/query.cc
build plain
says "blocks of " plain.made
is_bolted plain/libquery.so || { cat plain.made; fail "the changed library is not BOLTed"; }

# So does pgo bolt, with the recorded build of the lock file: it writes the same file. An earlier build that is named wins.
mkdir changed
cp plain/libquery.so.1.2.prebolt changed/libquery.so.1.2
"$pgo" bolt changed/libquery.so.1.2 -o changed/bolted.so --profile pgo.lock#small > bolt.text 2> bolt.log ||
  { cat bolt.log; fail "cannot optimize the changed library"; }
says "pgo: pgo.lock#small: small.libquery.so.prebolt is the recorded build of small.libquery.so.fdata" bolt.log
says "blocks of " bolt.text
cmp changed/bolted.so plain/libquery.so
"$pgo" bolt changed/libquery.so.1.2 -o changed/named.so --profile pgo.lock#small --stale recorded.so > bolt.text 2> bolt.log ||
  { cat bolt.log; fail "cannot optimize with --stale"; }
never "is the recorded build of" bolt.log
cmp changed/named.so plain/libquery.so
"$pgo" bolt recorded.so -o bolted.so --profile pgo.lock#small,file=small.libquery.so.fdata > bolt.text 2> bolt.log ||
  { cat bolt.log; fail "cannot optimize the library"; }
mkdir release
cp recorded.so release/libquery.so.1.2
"$pgo" bolt release/libquery.so.1.2 -o release/bolted.so --profile pgo.lock#small > bolt.text 2> bolt.log ||
  { cat bolt.log; fail "cannot optimize the library"; }
is_bolted release/bolted.so
cmp bolted.so release/bolted.so

# What no target takes is told: here one whose name cannot be known, and one that nothing makes.
sed -i 's/set_target_properties(query PROPERTIES/& OUTPUT_NAME query$<1:x>/' source/CMakeLists.txt
must_configure plain
says "ProdPGO: warning: prodpgo_optimize(query): its file name, libquery\$<1:x>.so, has a generator expression, so its BOLT profile \
cannot be found in profile small. Set OUTPUT_NAME to a name without one" plain.log
says "ProdPGO: profile small has a BOLT profile of libquery.so, and no target with prodpgo_optimize(... BOLT) makes a library of that \
name" plain.log

# Two recorded builds of one binary: no build could choose. pgo push refuses them, and so does a build, of another pgo's lock file.
python3 - << 'PYTHON'
import json
lock = json.load(open("pgo.lock"))
for file in lock["profiles"]["small"]["files"]:
    if file["kind"] == "prebolt":
        file.pop("library", None)
json.dump(lock, open("pgo.lock", "w"))
PYTHON
configure plain && fail "configures with two recorded builds of the program"
says "prodpgo_profile(small LOCK): $work/pgo.lock has two recorded builds (prebolt) of the program: push only one, or name the \
configuration of each" plain.log
# Or of the library, which has two BOLT profiles, too.
sed -i 's/"kind": "prebolt"/&, "library": "libquery.so"/g' pgo.lock
configure plain && fail "configures with two recorded builds of the library"
says "prodpgo_profile(small LOCK): $work/pgo.lock has two recorded builds (prebolt) of libquery.so: push only one" plain.log
python3 - << 'PYTHON'
import json
lock = json.load(open("pgo.lock"))
files = lock["profiles"]["small"]["files"]
lock["profiles"]["small"]["files"] = [file | {"library": "libquery.so"} for file in files if file["kind"] == "bolt"]
json.dump(lock, open("pgo.lock", "w"))
PYTHON
configure plain && fail "configures with two BOLT profiles of the library"
says "prodpgo_profile(small): two of its files are for bolt of libquery.so; each is of one binary" plain.log

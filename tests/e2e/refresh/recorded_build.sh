#!/bin/bash
# pgo refresh pins the recorded build with the BOLT profile, without debug information; a CMake build of changed sources
# takes both out of pgo.lock, and llvm-bolt matches the blocks. recorded-build = "omit" leaves the build out.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
. "$here/refresh_cmake_prelude.sh"

project source <<'CMAKE'
add_compile_options(-g)
prodpgo_profile(small LOCK ../pgo.lock CONFIGURATION clang)
prodpgo_optimize(small BOLT)
CMAKE
locked() { # FIELD: of the recorded build
  python3 - "$1" <<'PYTHON'
import json, sys
files = json.load(open("pgo.lock"))["profiles"]["small"]["files"]
found = [file for file in files if file["kind"] == "prebolt"]
print(found[0].get(sys.argv[1], "") if found else "none")
PYTHON
}
tree() { find registry pgo.lock -type f -printf '%p %i %s %T@\n' | sort; }

must_configure plain
build plain
id=$(id_of plain/small)
record plain/small 2026-11-26T10
"$pgo" archive plain/small --to builds > archive.text 2> archive.log
service
refresh
[ "$(locked configuration) $(locked of_builds) $(locked path)" = "clang ['$id'] small.prebolt" ] ||
  { cat pgo.lock; fail "the lock file does not have the recorded build"; }
size=$(locked size)
says "recorded build small.prebolt, " text
blob=registry/blobs/sha256/$(locked digest | sed s/sha256://)
llvm-readelf-22 -S "$blob" > sections 2> readelf.log
[ ! -s readelf.log ] || { cat readelf.log; fail "llvm-readelf warns of the recorded build"; }
never .debug_ sections
says .symtab sections
says .rela.text sections
[ "$(id_of "$blob")" = "$id" ] || fail "the recorded build has another build ID"
[ "$size" -lt "$(stat -c %s plain/small)" ] || fail "the recorded build has $size bytes"
tree > tree.before
refresh --json
says '"outcome": "nothing-new"' text
tree | cmp - tree.before

# The same sources: the recorded build is this one, and the profile is used as it is. llvm-bolt makes the same bytes of
# the build without its debug information as of the one that has it, so nothing that it matches by is missing.
"$pgo" pull --locked > pull.text 2> pull.log
build plain
is_bolted plain/small || { cat plain.made; fail "the recorded sources are not BOLTed"; }
cp plain/small bolted
sed -i 's/^  std::printf.*/&\n  return sum == 7 ? std::puts("seven") : 0;/' source/main.cc
sed -i 's/^int table.*/int table(int x) { int y = inner(x); return x == 5555 ? inner(x + 9) : y - inner(x + 2); }/' source/table.in
sed -i 's/^int scale.*/int scale(int x) { int y = inner(x); return x == 5555 ? inner(x + 9) : y + inner(x + 1); }/' source/lib/scale.c
must_configure changed
build changed
says "blocks of " changed.made
never "warning" changed.made
is_bolted changed/small
cp changed/small by_lock
cp builds/.build-id/"${id:0:2}/${id:2}" whole
sed -i "s|BOLT)|BOLT BOLT_STALE $PWD/whole)|" source/CMakeLists.txt
build changed
says "--stale $PWD/whole" changed.made
cmp by_lock changed/small
sed -i "s|BOLT BOLT_STALE $PWD/whole)|BOLT)|" source/CMakeLists.txt

# Left out: the version has the BOLT profile only, which builds of changed sources cannot use.
service 'recorded-build = "omit"'
refresh
[ "$(locked path)" = none ] || fail "the recorded build is in the lock file"
never "recorded build" text
build changed
says "it is of another build; if you have that build, name it with --stale (in CMake: BOLT_STALE; in Bazel: stale)" changed.made

# A BOLTed release that was archived without llvm-bolt's input.
service
rm -r store builds
record ./bolted 2026-11-27T10
"$pgo" archive bolted --to builds > archive.text 2> archive.log
refresh
bolted=$(id_of bolted)
says "the recorded build $bolted is not pinned: llvm-bolt made it, and llvm-bolt's input is not archived with it; builds of \
changed sources will use less of the BOLT profile" log
[ "$(locked path)" = none ] || fail "the BOLTed program is in the lock file"

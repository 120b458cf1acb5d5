# A binary built with a profile says so in a note that survives whatever is done to binaries: collecting
# sections, stripping, splitting off debug information, BOLT; and `pgo show` prints it.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
need "$llvm/llvm-bolt" qemu-x86_64 objcopy strip llvm-strip-22 llvm-objcopy-22

project source <<'EOF'
prodpgo_profile(small FILE small.proftext REPORT report.json)
prodpgo_optimize(small PROFILE small)
prodpgo_profilable(small BOLT)
target_compile_options(small PRIVATE -Weverything -Werror -ffunction-sections -Wno-c++98-compat -Wno-missing-prototypes -Wno-padded
  -Wno-unsafe-buffer-usage)
target_precompile_headers(small PRIVATE <cstdio>)
set_target_properties(small PROPERTIES UNITY_BUILD ON)
EOF
sed -i 's/inner/row/g' source/table.in
digest=$(sha256sum source/small.proftext | cut -d' ' -f1)
echo '{"evidence": "branch-records", "outputs": [{"digest": "sha256:'$digest'", "quality": "good"}], "quality": "good",
  "density": 267.2, "split_half_overlap": 0.991}' > source/report.json
version=$("$pgo" --version | awk '{ print $2 }')
zeros=$(printf '0%.0s' $(seq 64))
note="{\"bolt\":\"sha256:$zeros\",\"density\":\"267.2\",\"evidence\":\"branch-records\",\"name\":\"small\",\
\"profile\":\"sha256:$digest\",\"quality\":\"good\",\"split_half_overlap\":\"0.991\",\"tool\":\"ProdPGO $version\"}"

has_note() {
  "$llvm/llvm-readelf" --string-dump=.note.prodpgo "$1" > dumped 2>&1
  grep -qF -- "$note" dumped || { cat dumped; fail "$1 has not this note: $note"; }
}
for linker in lld bfd; do
  must_configure "$linker" "-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=$linker -Wl,--gc-sections"
  build "$linker"
  never warning: "$linker.made"
  has_note "$linker/small"
  # It is loaded with the program, and lies where tools look for notes.
  "$llvm/llvm-readelf" -n "$linker/small" > notes
  says "ProdPGO" notes
  "$llvm/llvm-readelf" -l "$linker/small" > segments
  grep -qE '^ +[0-9]+ .*\.note\.prodpgo' segments || fail "in no segment"
  for tool in "strip" "llvm-strip-22" "objcopy --only-keep-debug" "llvm-objcopy-22 --only-keep-debug" \
    "objcopy --strip-debug"; do
    $tool -o stripped "$linker/small" 2> tool.log || $tool "$linker/small" stripped
    has_note stripped
    rm stripped
  done
  "$llvm/llvm-bolt" "$linker/small" -o bolted > bolt.log 2>&1 || { cat bolt.log; false; }
  has_note bolted
  [ "$(./bolted)" = "$("$linker/small")" ]
done

"$pgo" show lld/small > shown
says "profile small, branch records, quality good, applied by ProdPGO $version sha256:$digest" shown
"$pgo" show --json lld/small > shown
says "\"profile\": { \"density\": \"267.2\", \"evidence\": \"branch-records\", \"name\": \"small\", \
\"profile\": \"sha256:$digest\", \"quality\": \"good\", \"split_half_overlap\": \"0.991\", \"tool\": \"ProdPGO $version\" }," shown

# What is only prepared for BOLT says so, and is then what BOLT's profile is for: nothing in it may depend on
# that.
project ready <<'END'
prodpgo_profilable(small BOLT)
END
source=ready must_configure ready_build
build ready_build
"$pgo" show ready_build/small > shown
says "profile none of its own (a library linked into it may have one); prepared for BOLT by ProdPGO $version" shown
"$pgo" show --json ready_build/small > shown
says "\"profile\": { \"tool\": \"ProdPGO $version\" }," shown
"$pgo" record --engine emulate -o ready.data -- ready_build/small 20000 > record.log 2>&1
"$pgo" convert ready.data --binary ready_build/small -o ready.fdata 2> convert.log
"$pgo" bolt ready_build/small -o bolted --profile ready.fdata --on-failure error > bolt.log 2>&1
[ "$(./bolted)" = "$(ready_build/small)" ]
"$pgo" show bolted > shown
says "prepared for BOLT by ProdPGO $version BOLT's: sha256:$(sha256sum ready.fdata | cut -d' ' -f1)" shown

# It is of a language that the top directory has, whatever others use; if there is none, that is said.
mkdir top
cp -r ready top/small
sed -i 's/CMAKE_SOURCE_DIR/CMAKE_CURRENT_SOURCE_DIR/' top/small/CMakeLists.txt
top_has() {
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' "project(top LANGUAGES $1)" 'add_subdirectory(small)' > top/CMakeLists.txt
}
top_has CXX
source=top must_configure top_cxx
build top_cxx
"$pgo" show top_cxx/small/small > shown
says "prepared for BOLT" shown
top_has NONE
! source=top configure top_none || fail "makes a note of no language"
says "small: the note about its profile is compiled in the top-level directory, which enables neither C nor C++; \
write project(... LANGUAGES C) in $PWD/top/CMakeLists.txt" top_none.log

# What is not optimized has no profile, and says nothing of one; nor does anything that is not ours.
must_configure debug -DCMAKE_BUILD_TYPE=Debug
build debug
"$pgo" show --json debug/small > shown
says '"profile": null' shown
cat > strange.c <<'EOF'
__asm__(".pushsection .note.prodpgo,\"a\",%note\n.long 8, 4, 1\n.asciz \"ProdPGO\"\n.ascii \"[12]\"\n.popsection");
int main(void) { return 0; }
EOF
clang-22 strange.c -o strange
"$pgo" show strange > shown
says "profile its note cannot be read" shown

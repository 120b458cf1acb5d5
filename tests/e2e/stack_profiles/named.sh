# Addresses that an agent stored get the names that llvm-symbolizer has for them: of every instruction of programs of
# two compilers, as a sample's own address and as a return address, inlined frames included.
. "$(dirname "$0")/../prelude.sh"
need clang++-22 g++ python3

programs=$here/programs
# named PROGRAM COMPILER...: compares all names of what the compiler makes.
named() {
  local program=$1 how
  shift
  "$@" -g -Wl,--build-id "$programs"/{shapes,work,main}.cc -o "$program"
  for how in own process; do
    python3 "$here/address_pprof.py" "$program" $how.pb $how
    "$pgo" convert $how.pb --binary "$program" -o named.$how.pb.gz --report report.json 2> convert.log ||
      { cat convert.log; fail "cannot name the addresses of $program ($how)"; }
    python3 "$here/compare_names.py" "$program" named.$how.pb.gz $how > names.log ||
      { cat names.log; fail "names of $program ($how) that llvm-symbolizer does not give"; }
    sed "s/^/$program ($how): /" names.log
    frames=$(sed -n 's/.* \([0-9]*\) frames.*/\1/p' names.log)
    [ "$frames" -gt 1000 ] || fail "$program ($how) shows nothing"
    python3 - <<'CHECK' || fail "the report is wrong"
import json
report = json.load(open("report.json"))
named = report["named"]
assert named["total"] == report["totals"]["samples/count"], named
assert named["by_debug_information"] > 0.8 * named["total"], named
assert named["by_input"] == 0, named
assert len(report["files"]) == 1 and report["files"][0]["is_binary"], report["files"]
CHECK
  done
}
named clang5 clang++-22 -O2 -fuse-ld=lld
named clang4 clang++-22 -O3 -gdwarf-4 -fuse-ld=lld
named gcc5 g++ -O2 -freorder-blocks-and-partition

# What is stripped is named by its debug file.
llvm-objcopy-22 --only-keep-debug clang5 clang5.debug
llvm-strip-22 -o stripped clang5
python3 "$here/address_pprof.py" clang5 own.pb own
"$pgo" convert own.pb --binary stripped --debug-file clang5.debug -o by_debug_file.pb.gz 2> convert.log ||
  { cat convert.log; fail "cannot use a debug file"; }
"$pgo" convert own.pb --binary clang5 -o whole.pb.gz 2> convert.log
cmp whole.pb.gz by_debug_file.pb.gz || fail "a debug file gives other names"
"$pgo" convert own.pb --binary clang5 -j1 -o one.pb.gz 2> convert.log
cmp whole.pb.gz one.pb.gz || fail "the number of threads shows"

# Naming again changes nothing.
"$pgo" convert whole.pb.gz --binary clang5 -o again.pb.gz 2> convert.log
cmp whole.pb.gz again.pb.gz || fail "naming twice is not the same"

# refused ERROR ARGUMENT...
refused() {
  local status=0
  "$pgo" convert "${@:2}" 2> refused.log || status=$?
  [ "$status" = 2 ]
  grep -qFx "pgo: error: $1" refused.log || { cat refused.log; fail "another refusal"; }
  [ ! -e refused.pb.gz ] || fail "an error left an output"
}
refused "own.pb: is a pprof profile, a stack profile already; the binaries that ran give names to its addresses; name \
them with --binary" own.pb -o refused.pb.gz
refused "a stack profile is made from one input, and there are 2 (own.pb, process.pb); convert them one by one, then \
add up the results with 'pgo merge'" own.pb process.pb --binary clang5 -o refused.pb.gz
refused "refused.pb.gz is a stack profile, and x.prof is made from counts by address; write them with two commands" \
  own.pb --binary clang5 -o refused.pb.gz -o x.prof

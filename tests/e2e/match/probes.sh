# Profiles by probe are held against the checksums of functions, so the answer is exact: a function whose
# control flow changed is named, and lines that only moved change nothing.
. "$(dirname "$0")/../oracle.sh"
need python3

flags="-funique-internal-linkage-names -fpseudo-probe-for-profiling"
. "$(dirname "$0")/../match_prelude.sh"

# check EXPRESSION BINARY [OPTION]...: of the answer `a`; exit code 0.
check() {
  "$pgo" match "${@:2}" --profile "$profile" --json > answer.json || fail "exit code $?: $2"
  python3 - "$1" <<'END' || { cat answer.json; fail "$2: $1"; }
import json, sys
a = json.load(open("answer.json"))
f = {x["function"].split(".__uniq.")[0]: x for x in a["functions"]}
w, total = a["weight"], sum(a["weight"].values())
sys.exit(not eval(sys.argv[1]))
END
}

check 'a["by"] == "probe" and a["match_rate"] == 1 and f == {} and total > 10000' "$profiled"
build $flags -fprofile-sample-use="$profile" -mllvm -sample-profile-use-profi 2> log
mv prog optimized
check 'a["match_rate"] == 1' optimized
# No debug information is needed, and what llvm-strip takes away is in the debug file.
"$llvm/llvm-strip" --strip-debug -o without_lines optimized
check 'a["match_rate"] == 1' without_lines
"$llvm/llvm-strip" -o stripped optimized
check 'a["match_rate"] == 1' stripped --debug-file optimized

# A library that was compiled without probes is in the build all the same, its static functions too.
clang++-22 -O2 -c source/work.cc -o work.o
cxx_sources="source/shapes.cc work.o source/main.cc" build $flags 2> log
mv prog partly
check 'w["no_probes"] > 0.2 * total and w["no_function"] + w["other_name"] + w["changed"] < 0.1 * total' partly --min-match 0
check 'f["_ZL12compare_intsPKvS0_"]["reason"] == "no_probes"' partly --min-match 0
"$pgo" match partly --profile "$profile" --min-match 0 > shown
grep -Ex ' +(unmatched +)?[0-9.]+ % +the function is there, without pseudo probes:' shown
grep -E ' no probes +compare_ints\(' shown

# Of several programs: such functions may be another one's, whose name a static one here has.
check 'w["no_probes"] == 0 and a["match_rate"] > 0.9 and a["left_out"] > 0.2 * total' partly --several

# Comments move lines, and nothing else.
sed -i 's/^static .*{$/&\n  \/\/ a comment\n\n/' source/work.cc
cmp -s source/work.cc "$programs/work.cc" && fail "nothing was edited"
build $flags -fprofile-sample-use="$profile" 2> log
mv prog commented
check 'a["match_rate"] == 1' commented

# One more branch in one function: that one, with what was inlined into it.
sed -i 's/^  for (int value : data) {$/  if (data.empty()) return complain(std::exception());\n&/' source/work.cc
build $flags -fprofile-sample-use="$profile" -mllvm -persist-profile-staleness 2> log
mv prog edited
check 'list(f) == ["_ZL10divide_allRKSt6vectorIiSaIiEE"]' edited
check 'a["functions"][0]["reason"] == "changed" and a["functions"][0]["unmatched"] == w["changed"] > 0' edited
check 'w["matched"] + w["changed"] == total' edited
# clang says the same, count for count.
check 'a["compiler"]["changed_samples"] == w["changed"] and a["compiler"]["functions"] > 10' edited
"$pgo" match edited --profile "$profile" > shown
grep -x 'edited: how much of a profile matches it, by checksums of functions' shown
grep -E '^ +in changed functions: [0-9.]+ % of the counts$' shown

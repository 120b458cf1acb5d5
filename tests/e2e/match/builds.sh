# How much of a profile matches a build, and which functions the rest is of: of the build that was profiled, of one that the profile made faster, of edited sources, and of another program.
. "$(dirname "$0")/../oracle.sh"
need clang-22 g++ python3

flags="-funique-internal-linkage-names"
. "$(dirname "$0")/../match_prelude.sh"

# build_as NAME FLAG...: the program with the profile.
build_as() {
  build $flags -fprofile-sample-use="$profile" -mllvm -sample-profile-use-profi "${@:2}" 2> "$1.log"
  mv prog "$1"
}
# matched EXIT BINARY [OPTION]...: the answer as text, and as `$2.json`.
matched() {
  local code=0
  "$pgo" match "$2" --profile "$profile" "${@:3}" > shown || code=$?
  [ $code = "$1" ] || { cat shown; fail "exit code $code of $2"; }
  "$pgo" match "$2" --profile "$profile" "${@:3}" --json > "$(basename "$2").json" || true
}
# check BINARY EXPRESSION: of the answer `a`, with its functions `f` by name, the weights `w` and their sum `total`.
check() {
  python3 - "$2" "$(basename "$1").json" <<'END' || { cat shown; fail "$1: $2"; }
import json, sys
a = json.load(open(sys.argv[2]))
f = {x["function"].split(".__uniq.")[0]: x for x in a["functions"]}
w, total, first = a["weight"], sum(a["weight"].values()), (a["functions"] or [{}])[0].get("function", "")
sys.exit(not eval(sys.argv[1]))
END
}

# All of the profile matches the build that was profiled, and nearly all the one that was built with it.
matched 0 "$profiled"
check prog 'a["match_rate"] == 1 and w["matched"] == total and a["functions"] == [] and total > 10000'
grep -x '  match rate    100.0 % of the profile' shown
build_as optimized
matched 0 optimized --min-match 99
check optimized 'a["match_rate"] >= 0.99 and w["matched"] > 0.9 * total and a["compiler"] is None'

# Lines put into a function: it is the one that is named, for what is behind them.
sed -i 's/^  for (int value : data) {$/  if (sum == 42)\n    sum = 1;\n\n&/' source/work.cc
cmp -s source/work.cc "$programs/work.cc" && fail "nothing was edited"
build_as edited
matched 0 edited
check edited 'first.startswith("_ZL10divide_allRKSt6vectorIiSaIiEE.__uniq.")'
check edited 'f["_ZL10divide_allRKSt6vectorIiSaIiEE"]["reason"] == "no_line"'
check edited 'f["_ZL10divide_allRKSt6vectorIiSaIiEE"]["unmatched"] > 0.9 * (1 - a["match_rate"]) * total'
check edited '0.01 < 1 - a["match_rate"] and w["no_function"] < 0.001 * total and w["other_name"] == 0'
grep -E '^ +[0-9 ]+ +[0-9.]+ % +[0-9.]+ %  function changed +divide_all\(' shown

# A function that is called otherwise now.
cp "$programs/work.cc" source
sed -i 's/\bvisit(/visit_all(/' source/work.cc
build_as renamed
matched 0 renamed
check renamed 'first.startswith("_ZL5visitRKSt6vector")'
check renamed 'a["functions"][0]["reason"] == "no_function" and a["functions"][0]["unmatched"] == a["functions"][0]["weight"]'
grep -F 'not in this build' shown
cp "$programs/work.cc" source

# Static functions go by other names: without the flag, and in another directory without a prefix map.
build
mv prog plain_names
matched 1 plain_names
check plain_names 'w["other_name"] > 0.1 * total and w["no_function"] == 0'
check plain_names 'f["_ZL4filli"]["other_name"] == "_ZL4filli"'
grep -F 'other name ' shown
cp -r source elsewhere
cxx_sources="elsewhere/shapes.cc elsewhere/work.cc elsewhere/main.cc" build $flags
mv prog elsewhere_names
matched 1 elsewhere_names
check elsewhere_names 'w["other_path"] > 0 and w["other_name"] == 0 and ".__uniq." in f["_ZL4filli"]["other_name"]'

# GCC has names and pieces of lines of its own: its profile fits its build, and little of clang's.
g++ -O2 -g $cxx_sources -o by_gcc
record gcc.perf ./by_gcc
"$pgo" convert gcc.perf --binary by_gcc -o gcc.prof 2> log
profile=gcc.prof matched 0 by_gcc
check by_gcc 'a["match_rate"] == 1 and total > 10000'
profile=gcc.prof matched 1 optimized
check optimized 'f["_ZL12compare_intsPKvS0_"]["reason"] == "other_name" and w["no_function"] < w["other_name"]'
check optimized 'f["_ZL12compare_intsPKvS0_"]["other_name"].startswith("_ZL12compare_intsPKvS0_.__uniq.")'

# Another program: next to nothing, and the answer is no.
clang-22 $debug $flags $c_sources -fuse-ld=lld -o other
matched 1 other
check other 'a["match_rate"] < 0.05 and w["no_function"] > 0.95 * total'
matched 0 other --min-match 0

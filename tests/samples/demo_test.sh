#!/bin/bash
# The demo shows the whole story, and each step did what it says. Usage: demo_test.sh DEMO PGO DIRECTORY
set -u
demo=$1 pgo=$2 directory=$3
log=$directory.log
"$demo" "$pgo" "$directory" > "$log" 2>&1
status=$?
cat "$log"
cd "$directory" || exit 1

failures=0
fail() { echo "demo_test: $*"; failures=$((failures + 1)); }
says() { grep -qE -- "$1" "$log" || fail "the demo does not print: $1"; }
lock() { # CODE: prints what this expression of Python makes of the entry of pgo.lock. It fails where there is none
  python3 -c 'import json, sys
entry = json.load(open("pgo.lock"))["profiles"]["queryd"]
files = {file["kind"]: file for file in entry["files"]}
print(eval(sys.argv[1]))' "$1"
}
has_pinned() { # PROGRAM FILE_KIND
  local digest
  digest=$(lock "files['$2']['digest']") || fail "pgo.lock pins no $2 profile"
  "$pgo" show "$1" > shown
  grep -qF "${digest:-none}" shown || { cat shown; fail "$1 does not have the pinned $2 profile"; }
}
differ() { # FILE FILE WHAT
  cmp -s "$1" "$2"
  [ $? = 1 ] || fail "$3"
}

[ $status = 0 ] || fail "exit code $status of the demo"
! grep -E 'demo: |pgo: error' "$log" || fail "the demo complains"
weeks=(queryd.base queryd.pgo queryd.week3)
[ ! -e queryd.bolt ] || weeks+=(queryd.bolt)

# The store has the recordings of three hosts and of each week that was recorded; each release is in the archive.
for host in shop warehouse reports; do
  [ "$(ls store/*/$host.data | wc -l)" = $((${#weeks[@]} - 1)) ] || fail "recordings of $host: $(ls store/*/$host.data)"
done
for release in "${weeks[@]}" queryd.week4; do
  id=$("$pgo" show "$release" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["build_id"])')
  cmp "$release" "builds/.build-id/${id:0:2}/${id:2}" || fail "$release is not in the archive"
done

# Each week pinned a version, with three hosts; the last pin went back.
[ "$(grep -c '^queryd: pinned to sha256:' "$log")" = $((${#weeks[@]} - 1)) ] || fail "not each week pinned a version"
says '^ +min-hosts +3 +at least 3 +ok$'
says '^pgo.lock: queryd: pinned to sha256:'
last=$(sed -n 's/^queryd: pinned to \(sha256:[0-9a-f]*\).*/\1/p' "$log" | tail -n 1)
[ -n "$last" ] || fail "the demo pins nothing"
pinned=$(lock 'entry["manifest"]') || fail "pgo.lock has no entry of queryd"
[ "$pinned" != "$last" ] || fail "the pin did not go back"

# The releases were built with what is pinned.
has_pinned queryd.pgo llvm
if [ -e queryd.bolt ]; then
  says '^  compile profile +kept: the recorded build was made with it, and it still fits$'
  says '^  taken branches '
  # The lock file has the recorded build, so BOLT finds blocks of the changed sources.
  says '^  recorded build +queryd\.prebolt, '
  for week in 3 4; do
    grep -q 'blocks of [0-9]* were matched$' queryd.week$week.log || fail "BOLT matches no blocks in week $week"
  done
  differ queryd.bolt queryd.bolt.prebolt "BOLT did nothing in week 2"
  differ queryd.week3 queryd.week3.prebolt "BOLT did nothing in week 3"
  has_pinned queryd.bolt bolt
fi
cmp queryd.back queryd.week3 || fail "the build after the way back is not that of week 3"

# The verdicts: the machine may be too busy for the first one.
says '^  verdict +(pass|inconclusive): '
says '^  CPU time +.* interval: '
if [ -e regression.html ]; then
  says '^pgo: fail: .*Tokenizer::next'
  grep -q 'Tokenizer::next' regression.html || fail "the page does not name the function"
fi
says '^  queryd.pgo  vs. queryd.base  CPU time -'
[ $failures = 0 ]

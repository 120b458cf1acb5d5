# Two regressions in a real program are found, each with its function, in recordings of five runs per side; and the
# program is not reported as a regression of itself.
. "$(dirname "$0")/../prelude.sh"
need clang++-22 perf

queryd=$here/../../samples/queryd
build() { # NAME FLAG...
  clang++-22 -std=c++20 -O2 -gline-tables-only -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id "${@:2}" -I"$queryd" \
    "$queryd"/engine/*.cc "$queryd"/service/*.cc -o queryd.$1
}
build base
build hash -DQUERYD_SLOW_HASH
build table -DQUERYD_TABLE_PER_REQUEST

# record NAME PROGRAM SEED: as hosts, five runs with different requests.
record() {
  for run in 1 2 3 4 5; do
    mkdir -p $1
    "$pgo" record --engine clock -o $1/run$run.data -- ./queryd.$2 shop 500000 $(($3 + run)) > $1.log 2>&1
  done
}
record before base 0
record again base 10
record hash hash 0
record table table 0

verify() { # STATUS SIDE PROGRAM
  status=0
  "$pgo" verify before/ $2/ --binary queryd.base --binary queryd.$3 --json > $2.json 2> said || status=$?
  [ $status -eq $1 ] || { cat $2.json said; fail "$2: exit code $status instead of $1"; }
}
grown() { # SIDE
  python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["functions"]["grown"][0]["name"])' $1.json
}
verify 1 hash hash
case $(grown hash) in *queryd::mix*|*queryd::hash_of*) ;; *) fail "names $(grown hash) for the slow hash" ;; esac
verify 1 table table
[ "$(grown table)" = "queryd::Checksum::Checksum()" ] || fail "names $(grown table) for the table"

# No function of the same program is called grown, whether or not the samples suffice to pass.
status=0
"$pgo" verify before/ again/ --binary queryd.base > printed 2> said || status=$?
[ $status -eq 0 ] || [ $status -eq 3 ] || { cat printed said; fail "the program is a regression of itself"; }

# Baselines: several earlier releases, one mix of work, splits of one fleet; and the JSON of all of them.
. "$(dirname "$0")/../prelude.sh"
. "$here/schema_prelude.sh"

# host DIRECTORY NUMBER FIRST SECOND: samples of two functions on a host, which differs from others by its number.
host() {
  mkdir -p $1
  printf 'main;first %d\nmain;second %d\n' $(($3 + 17 * ($2 % 3) - 11 * ($2 % 2))) $(($4 - 13 * ($2 % 4))) > $1/host$2.folded
}
for n in 1 2 3 4 5 6 7 8; do
  host r1 $n 6000 24000
  host r2 $n 5800 23200
  host r3 $n 6200 24800
  host r4 $n 6150 24600
  host r5 $n 9000 36000
done

verify() { # STATUS ARGUMENT...
  status=0
  "$pgo" verify "${@:2}" --report report.json > printed 2> said || status=$?
  [ $status -eq $1 ] || { cat printed said; fail "exit code $status instead of $1: $*"; }
  [ $1 = 2 ] || validate report.json
}
figure() { python3 -c "import json; print(json.load(open('report.json'))$1)"; }

# 2.5 % more than the release before is a regression, but releases differ by more.
units="--units-before 8000 --units-after 8000"
verify 1 r1 r4 $units
releases='--before r1 --before r2 --before r3 --path-template {host}.folded'
verify 0 $releases --after r4 --units-before 8000 --units-before 8000 $units
grep -q '^  releases      3 before, compared as one; ' printed || { cat printed; fail "no row of releases"; }
python3 -c "assert .03 < $(figure "['limits']['pass_growth']") < .04 and .1 < $(figure "['limits']['growth']") < .3"
verify 1 $releases --after r5 --units-before 8000 --units-before 8000 $units
verify 0 $releases --after r4 # shares: limits of functions
verify 2 --before r1 --before r2 --after r4
grep -q '2 earlier releases do not show how much releases differ; name one, or at least 3' said
verify 2 $releases --after r4 $units
grep -q 'give --units-before once for each --before' said

# A fleet split in halves.
for n in 1 2 3 4 5 6 7 8; do echo host$n.folded 1000; done > units
verify 0 --calibrate r1 --units-before @units
grep -q '^  hosts \|^  profiles' printed || { cat printed; fail "no row of splits"; }
[ "$(figure "['calibration'][0]['fail']")" = 0 ]
cp report.json first.json
verify 0 --calibrate r1 --units-before @units -j 1
cmp first.json report.json
[ ! -s said ] || { cat said; fail "a warning of a fleet that is read once"; }
verify 0 --calibrate r1 --units-before @units -o alarms.md -o alarms.json
cmp alarms.json report.json
grep -qx '\*\*at most 5 % of the splits fail\*\*' alarms.md || { cat alarms.md; fail "no sentence"; }
[ ! -s printed ] || { cat printed; fail "prints what it writes into files"; }
grep -q 'at most 5 % of the splits fail' said
verify 2 --calibrate r1 --units-before @units -o alarms.xml
grep -q 'are written as Markdown (.md) or JSON (.json)' said
verify 2 --calibrate r1 --units-before 8000
grep -q 'give the units of each host (--units-before @FILE)' said
verify 2 --calibrate r1 --sampling-only
verify 2 --calibrate r1 --after r2
verify 2 --calibrate r1/host1.folded
grep -q 'the fleet has 1 profile with samples; to split it, at least 6 are needed' said

# A request of checkout costs four times as much as one of search, and there are more of these later.
mix() { # RELEASE CHECKOUTS SEARCHES
  for n in 1 2 3 4 5 6; do
    mkdir -p mix/$1/checkout mix/$1/search
    printf 'pay %d\n' $((4 * $2 + n)) > mix/$1/checkout/host$n.folded
    printf 'find %d\n' $(($3 - n)) > mix/$1/search/host$n.folded
  done
  printf 'checkout %d\nsearch %d\n' $((6 * $2)) $((6 * $3)) > units.$1
  for n in 1 2 3 4 5 6; do printf 'host%d checkout %d\nhost%d search %d\n' $n $2 $n $3; done > host_units.$1
}
mix old 2000 20000
mix new 10000 12000
sides="mix/old mix/new --path-template {endpoint}/{host}.folded"
verify 1 $sides --units-before 132000 --units-after 132000
verify 0 $sides --standardize endpoint --units-before @units.old --units-after @units.new --limit 3
verify 0 $sides --standardize endpoint --units-before @host_units.old --units-after @host_units.new --limit 3
grep -q '^  mix           endpoint: search 90.9 % before, 54.5 % after; checkout' printed || { cat printed; fail "no row of the mix"; }
mix mid 4000 18000
mix late 6000 16000
before=$(for release in old mid late; do echo --before mix/$release --units-before @units.$release; done)
verify 0 $before --after mix/new --units-after @units.new --path-template {endpoint}/{host}.folded --standardize endpoint --limit 3
python3 -c "assert $(figure "['earlier_releases']['deviation']") < .001"
verify 1 $sides # pay has a larger share
verify 0 $sides --standardize endpoint
verify 2 $sides --standardize tenant
grep -q "no sample of the before side has the label 'tenant'" said
"$pgo" diff $sides --standardize endpoint --json > diff.json
[ "$(python3 -c "import json; print(json.load(open('diff.json'))['standardized']['label'])")" = endpoint ]

# Failures have a form, too.
"$pgo" verify r1 r4 --expect 3 --json > failure.json && fail "no error"
validate failure.json
status=0
"$pgo" verify --run-before 'seq 100000' --run-after 'seq 100000' --pairs 7 --json > runs.json 2> said || status=$?
[ $status -ne 2 ] || { cat said; fail "runs failed"; }
validate runs.json

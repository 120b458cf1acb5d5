# pgo refresh with blend-previous: each version keeps the profiles of the last runs, and the new one is blended with
# them by whole weights, as pgo merge does. What is older is gone.
. "$(dirname "$0")/../prelude.sh"
. "$here/archive_prelude.sh"
. "$here/refresh_prelude.sh"

configure 'blend-previous = 2' '[service.queryd.gates]' 'max-overlap = 100'
for week in 1 2 3 4; do
  rm -r store
  record_host "2026-11-2${week}T10" web-1 $((15 + 8 * week))  # apart enough for different primes
  refresh 0
  "$pgo" convert store --binary unstripped -o "llvm:week$week.prof" 2> convert.log
  cp "$(blob "$(locked llvm digest)")" "pinned$week.prof"
done
says '  blended         with 2 earlier profiles' text
cmp week1.prof pinned1.prof
"$pgo" merge week2.prof week1.prof --weight week2.prof=2 -o wanted.prof 2> merge.log
cmp wanted.prof pinned2.prof
"$pgo" merge week3.prof week2.prof week1.prof --weight week3.prof=4 --weight week2.prof=2 -o wanted.prof 2> merge.log
cmp wanted.prof pinned3.prof
"$pgo" merge week4.prof week3.prof week2.prof --weight week4.prof=4 --weight week3.prof=2 -o wanted.prof 2> merge.log
cmp wanted.prof pinned4.prof
# Builds get only the blend, and its figures are known.
"$pgo" pull --locked > pulled 2> pull.log
expect "files for builds" 2 "$(wc -l < pulled)"
expect "quality" good "$(locked llvm quality)"
"$pgo" pull "$(locked - reference)" -o all > pulled 2> pull.log
cmp all/queryd.generation-1.prof week4.prof
cmp all/queryd.generation-2.prof week3.prof
[ ! -e all/queryd.generation-3.prof ] || fail "keeps what no run needs"

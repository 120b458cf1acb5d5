# A few hundred profiles that pgo fetch chooses are like thousands that the store has; the newest ones, and the first
# by name, are not. The fleet has a tenth of its traffic at night, and other code then; one zone is different.
. "$(dirname "$0")/../prelude.sh"
need python3
export PRODPGO_CACHE=$work/cache

python3 "$here/planted_fleet.py" write fleet "$(seed 1)"
files=$(find fleet -name '*.pb.gz' | wc -l)
[ "$files" = 3456 ] || fail "$files files"
"$pgo" merge fleet -o fleet.folded 2> /dev/null

find fleet -name '*.pb.gz' | sort > by_name.txt
find fleet -name '*.pb.gz' -printf '%T@ %p\n' | sort -rn | cut -d' ' -f2 > by_time.txt

# like NAME: the overlap of NAME.folded with the whole fleet.
like() { python3 "$here/planted_fleet.py" overlap fleet.folded "$1.folded"; }

for chosen in 100 400; do
  "$pgo" fetch fleet --path-template '{zone}/{hour}/{host}-{number}.pb.gz' --max-profiles $chosen --merge \
    -o bundle > fetch.log 2> fetch.err
  "$pgo" merge bundle -o chosen.folded 2> /dev/null
  head -n $chosen by_time.txt > newest.txt
  head -n $chosen by_name.txt > first.txt
  "$pgo" merge @newest.txt -o newest.folded 2> /dev/null
  "$pgo" merge @first.txt -o first.folded 2> /dev/null
  echo "$chosen of $files profiles: chosen $(like chosen), newest $(like newest), first by name $(like first)"
  awk -v chosen="$(like chosen)" -v newest="$(like newest)" 'BEGIN { exit !(chosen >= .95 && newest < .8) }' ||
    fail "the overlap of $chosen profiles with the fleet"
done

# Without its weights, the choice would have too much of the zone that records less often.
grep -q "split-half *overlap " fetch.log

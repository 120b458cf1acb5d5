# pgo fetch, pgo upload and the stand-ins of stores agree about the number of each field: with another number for any of
# them, what is fetched is not the same, or nothing. The fields are those of the stand-ins, all of them.
. "$(dirname "$0")/../prelude.sh"
. "$here/servers_prelude.sh"
. "$here/stores_prelude.sh"
fleet
cp load.json fleet.json
python3 "$stand_ins/made_pprof.py" --samples 0 --count 12 even.pb
sed 's/web-[12]\(.later\)*\.pb/even.pb/g' fleet.json > even.json
echo '[]' > none.json
python3 "$stand_ins/made_pprof.py" --names --time "$(date +%s)000000000" named.pb

# KIND, what the stand-in begins with, one more option for it, and the command that must fail.
ways=(
  "parca fleet.json --pieces fetches_all parca"
  "parca none.json --pieces pushes parca"
  "parca fleet.json --pieces fetches_groups"
  "parca even.json --pieces counts_even"
  "pyroscope fleet.json --limit=86400 fetches_all pyroscope"
  "pyroscope none.json --limit=86400 pushes pyroscope"
  "pyroscope fleet.json --new fetches_all pyroscope"
)
fetches_groups() {
  fetch 0 --service queryd "parca+http://$store?group=thread" || return 1
  "$pgo" show --json "$(find bundle/profiles -type f | head -1)" | grep -q '"thread"'
}
counts_even() { # 12 samples of each of two profiles
  fetch 0 --service queryd "parca+http://$store" || return 1
  [ "$(members | cut -d ' ' -f 5 | sort -u)" = 24 ]
}

for kind in parca pyroscope; do
  python3 "$stand_ins/$kind.py" --fields > $kind.fields
  [ "$(wc -l < $kind.fields)" -ge 25 ] || fail "$kind has $(wc -l < $kind.fields) fields"
  # All of it works without a change.
  for way in "${ways[@]}"; do
    read -r its load option command <<< "$way"
    [ "$its" = $kind ] || continue
    start_stand_in $kind --load "$load" "$option"
    $command > changed.log 2>&1 || fail "$way: $(cat changed.log said)"
    end_stand_in
  done
  unnoticed=
  while read -r field; do
    is_noticed=
    for way in "${ways[@]}"; do
      read -r its load option command <<< "$way"
      [ "$its" = $kind ] || continue
      start_stand_in $kind --load "$load" "$option" --change "$field=13"
      $command > changed.log 2>&1 || is_noticed=yes
      end_stand_in
      [ -z "$is_noticed" ] || break
    done
    [ -n "$is_noticed" ] || unnoticed="$unnoticed $field"
  done < $kind.fields
  [ -z "$unnoticed" ] || fail "$kind: nothing notices another number for$unnoticed"
done

# Merged profiles of a real program count what google/pprof's merge counts, sample by sample, and its tool
# reads ours.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../go_prelude.sh"

for run in a b; do
  mkdir $run
  (cd $run && ../busy profile=1 profile=1 heap profile=1 heap allocs)
done

same() { # NAME FILE...
  merge_by_go "$1.theirs.pb.gz" "${@:2}"
  "$pgo" merge "${@:2}" -o "$1.ours.pb.gz" -o "$1.pb" 2> /dev/null
  samples "$1.theirs.pb.gz" > "$1.theirs"
  samples "$1.ours.pb.gz" > "$1.ours"
  [ -s "$1.ours" ] || fail "$1: no samples"
  cmp "$1.theirs" "$1.ours" || fail "$1: samples differ"
  cmp <(header "$1.theirs.pb.gz") <(header "$1.ours.pb.gz") || fail "$1: headers differ"
  cmp <(gzip -dc "$1.ours.pb.gz") "$1.pb" || fail "$1: what is compressed differs"
  # It reads ours, and finds the same in it.
  "$pprof" -top -nodecount=500 -symbolize=none "$1.theirs.pb.gz" 2> /dev/null | sort > "$1.theirs.top"
  "$pprof" -top -nodecount=500 -symbolize=none "$1.ours.pb.gz" 2> /dev/null | sort > "$1.ours.top"
  cmp "$1.theirs.top" "$1.ours.top" || fail "$1: go tool pprof -top differs"
}
same cpu [ab]/[013].pb.gz
same heap [ab]/[24].pb.gz

# Many processes of one binary, each at other addresses.
python3 "$here/../bench/make_pprofs.py" fleet 40
same fleet fleet/*.pb.gz

# What is one profile already stays what it is.
"$pgo" merge cpu.ours.pb.gz -o again.pb.gz 2> /dev/null
cmp cpu.ours.pb.gz again.pb.gz

# Profiles that count other things are not added up, by either.
merge_by_go x.pb.gz a/0.pb.gz a/2.pb.gz && fail "google/pprof merges what differs"
"$pgo" merge a/0.pb.gz a/2.pb.gz -o x.pb.gz 2> refused.log && fail "merged what differs"
grep -q "counts .*; --sample-type chooses one that both have" refused.log

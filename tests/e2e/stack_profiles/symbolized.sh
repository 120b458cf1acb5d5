# What stores hold that symbolized samples and threw their addresses away becomes a profile that clang
# takes, of evidence "function-and-line", and much like the one from addresses: whether inlined frames are
# places of their own or not, whichever names functions have, and also with another build's binary.
. "$(dirname "$0")/../oracle.sh"
need python3 "$llvm/llvm-symbolizer" "$llvm/llvm-profdata"

build
subject_prog=$work/prog

record_by_clock clock.data "$subject_prog" 8000
"$pgo" convert clock.data --binary "$subject_prog" -o ip.prof -o ip.proftext 2> /dev/null
names() { python3 "$here/symbolized_pprof.py" clock.data "$subject_prog" "$@"; }
names inline.pb.gz inline

"$pgo" convert inline.pb.gz --binary "$subject_prog" -o a.prof -o a.proftext --report report.json 2> convert.log ||
  { cat convert.log; fail "cannot convert names and lines"; }
grep -q "^pgo: counts inferred from functions and lines: [0-9 ]* in [0-9]* functions, quality [a-z]*" convert.log ||
  { cat convert.log; fail "does not say what the counts rest on"; }
python3 - << 'PY' || fail "the report does not add up"
import json
report = json.load(open("report.json"))
samples, plain = report["samples"], report["inference"]
assert report["evidence"] == "function-and-line", report["evidence"]
assert samples["seen"] == samples["used"] + sum(samples["dropped"].values()), samples
assert samples["used"] == plain["samples"] > .6 * samples["seen"], samples
assert plain["symbolized"]["samples"] == samples["seen"], plain
missing = sum(place["samples"] for place in plain["symbolized"]["unmatched"])
assert missing <= samples["seen"] - samples["used"], plain
PY

# Hot is what is hot by address.
overlap() {  # overlap FILE...: of samples, with the profile by address, in per cent
  "$llvm/llvm-profdata" overlap --sample ip.prof "$1" 2> /dev/null |
    sed -n 's/^ *Whole program sample overlap: \([0-9]*\).*/\1/p'
}
[ "$(overlap ip.prof)" = 100 ]
# Of 1 200 samples, six recordings had 62 to 68 %: what is so low as this is no chance.
[ "$(overlap a.prof)" -ge 50 ] || fail "only $(overlap a.prof) % of the profile is that of addresses"
hottest() { awk -F: '/^[^ ]/ && $2 > most { most = $2; name = $1 } END { print name }' "$1.proftext"; }
# Three functions take about as long; which of them comes first is chance. The next one takes a sixth of that.
hot_by_address=$(awk -F: '/^[^ ]/ { count[$1] = $2; if ($2 > most) most = $2 }
  END { for (name in count) if (count[name] > most / 3) print name }' ip.proftext)
# is_hot NAME: the hottest function of NAME.proftext is hot by address.
is_hot() { grep -qx -- "$(hottest "$1")" <<< "$hot_by_address" || fail "$1: $(hottest "$1") is hottest, which is not one of $hot_by_address"; }
[ -n "$(hottest a)" ]
is_hot a
clang++-22 -O2 -gline-tables-only -fdebug-info-for-profiling -fprofile-sample-use=a.prof -mllvm -sample-profile-use-profi \
  -I"$programs" "$programs"/{shapes,work,main}.cc -o rebuilt 2> rebuild.log
! grep -q "warning\|error" rebuild.log || { cat rebuild.log; fail "clang refuses the profile"; }
# Traces do not say how many samples they were inferred from: their quality is unknown.
"$pgo" convert inline.pb.gz --binary "$subject_prog" -o traces.preagg 2> /dev/null
"$pgo" convert traces.preagg --binary "$subject_prog" -o traces.proftext --report traces.json 2> convert.log ||
  { cat convert.log; fail "cannot convert traces"; }
! grep " a [a-z]* profile" convert.log || fail "says what traces of unknown samples are good for"
python3 -c 'import json; r = json.load(open("traces.json")); assert "density" in r and r["quality"] == "unknown" and r["evidence"] == "unknown", r'

# The same, however it is said.
for how in flat starts plain-names "flat starts plain-names"; do
  names other.pb.gz $how
  "$pgo" convert other.pb.gz -j1 --binary "$subject_prog" -o other.proftext 2> convert.log || { cat convert.log; fail "cannot convert $how"; }
  same a.proftext other.proftext
done

# Of several binaries, the one that has such functions.
clang-22 -O1 -gline-tables-only -x c - -o idle <<< 'int main(void) { return 0; }'
for binaries in "--binary $subject_prog --binary idle" "--binary idle --binary $subject_prog"; do
  "$pgo" convert inline.pb.gz $binaries -o several.proftext 2> convert.log || { cat convert.log; fail "cannot choose"; }
  grep -q "^pgo: warning: idle: has no samples in these recordings; the profile has no counts for it" convert.log ||
    { cat convert.log; fail "does not name the idle binary"; }
  same a.proftext several.proftext
done
# What two of them have is of neither.
clang++-22 -O2 -gline-tables-only -fdebug-info-for-profiling -Wl,--build-id=0x1234 -I"$programs" "$programs"/{shapes,work,main}.cc -o twin
status=0
"$pgo" convert inline.pb.gz --binary "$subject_prog" --binary twin -o x.proftext 2> refused.log || status=$?
[ "$status" = 2 ] || { cat refused.log; fail "takes what could be of two binaries for one's"; }
grep -q "compare_ints(void const\*, void const\*) (.*, in a file that matches several binaries$" refused.log ||
  { cat refused.log; fail "does not say that either could be meant"; }

# In whatever order they come; addresses count before names.
names starts.pb.gz starts
"$pgo" convert inline.pb.gz starts.pb.gz --binary "$subject_prog" -o two.proftext 2> /dev/null
"$pgo" convert starts.pb.gz inline.pb.gz -j1 --binary "$subject_prog" -o order.proftext 2> /dev/null
same two.proftext order.proftext
"$pgo" convert inline.pb.gz clock.data --binary "$subject_prog" -o mixed.proftext --report mixed.json 2> convert.log
same ip.proftext mixed.proftext
grep -q "^pgo: warning: inline.pb.gz: is not used: [0-9 ]* samples have no address" convert.log ||
  { cat convert.log; fail "does not name what it leaves out"; }
[ "$(python3 -c 'import json; r = json.load(open("mixed.json")); print(r["evidence"], r["samples"]["dropped"]["no-address"] > 0)')" = "pc-samples True" ] ||
  { cat mixed.json; fail "the report does not say what was left out"; }
! grep -q "several events" convert.log || { cat convert.log; fail "what is left out counts as an event"; }

# Another build: functions have moved in their files, and less is inlined.
mkdir moved
for source in "$programs"/{shapes.cc,shapes.h,work.cc,main.cc}; do
  { printf '// moved\n%.0s' 1 2 3; cat "$source"; } > "moved/$(basename "$source")"
done
clang++-22 -O1 -gline-tables-only -fdebug-info-for-profiling moved/{shapes,work,main}.cc -o moved/prog
"$pgo" convert starts.pb.gz --binary moved/prog -o moved.proftext --report moved.json 2> convert.log ||
  { cat convert.log; fail "cannot convert for another build"; }
python3 -c '
import json
samples = json.load(open("moved.json"))["samples"]
assert samples["used"] > .5 * samples["seen"], samples' || fail "finds little in another build"
is_hot moved

# Clang's line tables alone name no function that nothing was inlined into: that is said.
clang++-22 -O1 -gline-tables-only -I"$programs" -c "$programs/work.cc" -o bare.o
clang++-22 -O1 -gline-tables-only -fdebug-info-for-profiling -I"$programs" "$programs"/{shapes,main}.cc bare.o -o bare
"$pgo" convert inline.pb.gz --binary bare -o bare.proftext 2> convert.log || { cat convert.log; fail "cannot convert with bare lines"; }
grep -q "^pgo: warning: bare: functions that were sampled have lines in its debug information, but no names; compile with \
-fdebug-info-for-profiling (clang), or -g" convert.log || { cat convert.log; fail "does not say what has no names"; }

# What cannot be used.
refused() {  # refused TEXT ARGUMENT...
  local text=$1 status=0
  shift
  "$pgo" convert "$@" -o x.proftext 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "status $status of $*"
  [ "$(head -1 refused.log)" = "pgo: error: $text" ] || { cat refused.log; fail "another refusal"; }
}
refused "inline.pb.gz: is a pprof profile, and --compat=llvm-profgen counts as llvm-profgen does, which reads recordings only" \
  inline.pb.gz --binary "$subject_prog" --compat=llvm-profgen
names without.pb.gz no-lines
refused "without.pb.gz: names functions, but has neither addresses nor lines; fetch it unsymbolized, or record with perf or \
an agent that keeps addresses and build IDs; --without-lines uses the functions" without.pb.gz --binary "$subject_prog"
"$pgo" convert without.pb.gz --without-lines --binary "$subject_prog" -o without.proftext 2> convert.log ||
  { cat convert.log; fail "cannot do without lines"; }
is_hot without
refused "none of the functions and lines that were sampled is in idle; is it what ran, built from the same sources with \
-gline-tables-only -fdebug-info-for-profiling, or -g?" inline.pb.gz --binary idle
grep -q "^  hottest functions and lines that were not found in the binary:$" refused.log || { cat refused.log; fail "does not name what is missing"; }
status=0
"$pgo" convert inline.pb.gz --binary "$subject_prog" -o x.addr 2> refused.log || status=$?
[ "$status" = 2 ]
grep -q "x.addr: an address profile cannot hold samples without addresses" refused.log || { cat refused.log; fail "stores names by address"; }

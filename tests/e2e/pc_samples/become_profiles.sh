# Where no recording has branch stacks, counts are inferred from samples of where time went: what was
# recorded by the clock becomes a profile that clang takes, of evidence "pc-samples", the same whatever the order of
# inputs and the number of threads.
. "$(dirname "$0")/../perturbed_recording.sh"
need perf clang++-22

for host in 1 2 3; do
  record_by_clock $host.data "$subject_prog" 8000
done
grep -q "^pgo: recording CPU time (no branch records): .*perf record .*-e cpu-clock -c $(period 100003) " record.log
"$pgo" convert 1.data 2.data 3.data --binary "$subject_prog" -o a.prof -o a.proftext --report report.json 2> convert.log ||
  { cat convert.log; fail "cannot convert PC samples"; }
grep -q "^pgo: counts inferred from PC samples: [0-9 ]* in [0-9]* functions, quality [a-z]*" convert.log ||
  { cat convert.log; fail "does not say what the counts rest on"; }
! grep -q "would reach a density" convert.log || fail "calls inferred counts thin by their density"
[ "$(python3 -c 'import json; r = json.load(open("report.json")); print(r["evidence"], r["samples"]["used"] == r["inference"]["samples"])')" = "pc-samples True" ] ||
  { cat report.json; fail "the report does not say what the counts rest on"; }

"$pgo" convert 3.data 1.data 2.data -j1 --binary "$subject_prog" -o b.prof -o b.proftext 2> convert.log
same a.prof b.prof
same a.proftext b.proftext
$llvm/llvm-profdata show --sample a.prof > shown
grep -q "work" shown || { head -20 shown; fail "the hot function is missing"; }
clang++-22 -O2 -gline-tables-only -fdebug-info-for-profiling -fprofile-sample-use=a.prof -mllvm -sample-profile-use-profi \
  -I"$programs" "$programs"/{shapes,work,main}.cc -o rebuilt 2> rebuild.log
! grep -q "warning\|error" rebuild.log || { cat rebuild.log; fail "clang refuses the profile"; }

# Beside branch stacks PC samples are left out, by name.
"$pgo" convert plain.perf 1.data --binary "$subject_prog" -o mixed.proftext 2> mixed.log
"$pgo" convert plain.perf --binary "$subject_prog" -o lbr.proftext 2> /dev/null
same lbr.proftext mixed.proftext
grep -q "^pgo: warning: 1.data: is not used: \(1 sample has\|[0-9 ]* samples have\) no branch records" mixed.log ||
  { cat mixed.log; fail "does not name what it leaves out"; }

# llvm-profgen takes none, which is said before anything is read or run.
refused() { # ERROR OPTION...
  local status=0
  "$pgo" convert 1.data --binary "$subject_prog" "${@:2}" -o x.proftext 2> refused.log || status=$?
  [ "$status" = 2 ]
  grep -q "^pgo: error: $1$" refused.log || { cat refused.log; fail "another refusal"; }
}
refused "1.data: event '[^']*' has no branch records, so llvm-profgen stops with \"Invalid perf script input!\"; choose an event that has branch records with --event, or convert \
without --compat=llvm-profgen" --compat=llvm-profgen
needs_stacks="needs branch records (perf record -b), and 1.data has only PC samples; leave out --with and --check-against, because pgo converts PC samples itself"
refused "llvm-profgen $needs_stacks" --with llvm-profgen
refused "llvm-profgen $needs_stacks" --check-against llvm-profgen

# As text: S records are PC samples.
$llvm/llvm-nm -S "$subject_prog" | awk '$3 ~ /^[tT]$/ && $4 ~ /work/ { printf "S %s 500\n", $1 }' > samples.preagg
[ -s samples.preagg ]
"$pgo" convert samples.preagg --binary "$subject_prog" -o text.proftext 2> convert.log ||
  { cat convert.log; fail "cannot convert PC samples in text"; }
grep -q "^pgo: counts inferred from PC samples: $(awk '{ sum += $3 } END { print sum }' samples.preagg | sed 's/\(...\)$/ \1/; s/^ //') in" convert.log ||
  { cat convert.log; fail "counts other samples than there are"; }

# Where a few branch records outdo PC samples that are worth more, one line says so.
# (What ran once makes a density below 1.)
read -r map offset <<< "$(sed -n 's/.*addr=\(0x[0-9a-f]*\) .*pgoff=\([0-9a-fx]*\) .*\/prog$/\1 \2/p' plain.txt | head -n 1)"
read -r text_address text_offset <<< "$(llvm-readelf-22 -SW "$subject_prog" | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) .*/0x\1 0x\2/p')"
main=0x$(llvm-nm-22 "$subject_prog" | sed -n 's/ T main$//p')
main=$((map - offset + main - text_address + text_offset))
{ grep '^event\|^mmap2' plain.txt; echo "sample pid=100 time=9000 ip=$main branches=$main/$main $main/$main"; } |
  recording_from_text few.perf
awk '{ $3 = 20000; print }' samples.preagg > many.preagg
"$pgo" convert few.perf many.preagg --binary "$subject_prog" -o x.proftext 2> convert.log
grep -qE "^pgo: warning: only branch records were used \(quality: (weak|thin)\); the [0-9 ]*000 PC samples alone would give a fair profile: convert them separately$" \
  convert.log || { cat convert.log; fail "does not compare what it has"; }
! grep "count alone" mixed.log || fail "compares with samples that are worth less"

# pgo show says what would be used.
"$pgo" show 1.data --binary "$subject_prog" > shown
grep -qE "^ +(= )?samples used +[1-9]" shown || { cat shown; fail "show says that nothing of PC samples is used"; }
! grep "branch records, and are in no function" shown || fail "show misjudges PC samples"

# pgo bolt when production runs what pgo bolt made: its recordings give the profile of the next one through
# the address translation table, they give a compile profile too, and without the table or with another
# binary they are refused.
. "$(dirname "$0")/oracle.sh"
need "$llvm/llvm-bolt" "$llvm/llvm-profdata"

make_subject() {
  build -Wl,--emit-relocs
  record first.perf ./prog
  "$pgo" bolt prog -o bolted --profile first.perf > bolt.log 2>&1
  "$pgo" bolt prog -o tableless --profile first.perf --no-bat > tableless.log 2>&1
  for binary in prog bolted tableless; do
    "$pgo" record --engine emulate --period 31 -o $binary.perf -- ./$binary > record.log 2>&1
  done
  clang++-22 -O1 -gline-tables-only -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs $cxx_sources -o other
}

with_subject
subject=$PWD
cp ./* "$work"
cd "$work"

taken() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["dyno_stats"]["taken branches"][sys.argv[2]])' "$@"; }

"$pgo" bolt prog -o from_input --profile prog.perf --json > from_input.json 2> from_input.log
"$pgo" bolt prog -o from_bolted --profile bolted.perf --recorded bolted --check '{}' --json --on-failure error \
  > from_bolted.json 2> from_bolted.log
[ "$(./from_bolted)" = "$(./prog)" ]
# BOLT's translation loses little: what the input took by this profile is within 10 % of what it took.
before=$(taken from_input.json before) translated=$(taken from_bolted.json before)
distance=$((before > translated ? before - translated : translated - before))
[ $((distance * 10)) -le "$before" ] || fail "$before taken branches became $translated"
[ "$(taken from_bolted.json after)" -lt "$translated" ]

# The same recordings for the compiler. The table is used though there are lines as well, which are less exact;
# a function that llvm-bolt folded into an equal one (-icf=safe) gives it its counts.
"$pgo" convert prog.perf --binary prog -o "llvm-text:$work/input.proftext" 2> input.log
"$pgo" convert bolted.perf --binary bolted --binary prog -o "llvm-text:$work/bolted.proftext" 2> bolted.log
grep -q ' of the traces were translated to prog' bolted.log
"$llvm/llvm-profdata" overlap --sample "$work/input.proftext" "$work/bolted.proftext" > overlap.txt
grep -Eq 'sample overlap: (100|9[6789]\.[0-9]*)%' overlap.txt || {
  cat overlap.txt
  fail "the compile profiles overlap by less than 96 %"
}

refused() {
  local reason=$1
  shift
  "$pgo" bolt prog -o out --on-failure error "$@" > out.txt 2> out.log && fail "accepted: $*"
  grep -qF "$reason" out.log || { cat out.log; fail "does not say: $reason"; }
}
refused "what was recorded is $subject/bolted, which llvm-bolt made from prog; name that file as well: --recorded" --profile bolted.perf
refused "tableless: has no address translation table, so its recordings say nothing about prog; was it stripped? give the unstripped file, which still has the table" \
  --profile tableless.perf --recorded tableless
refused "was not made from prog" --profile bolted.perf --recorded other

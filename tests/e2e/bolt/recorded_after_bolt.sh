# pgo bolt when production runs what pgo bolt made: its recordings give the profile of the next one through
# the address translation table, they give a compile profile too, and without the table or with another
# binary they are refused.
. "$(dirname "$0")/../oracle.sh"
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
"$pgo" bolt prog -o from_bolted --profile bolted.perf --binary bolted --check '{}' --json --on-failure error \
  > from_bolted.json 2> from_bolted.log
[ "$(./from_bolted)" = "$(./prog)" ]
# The translation loses little: what the input took by this profile is within 2 % of what it took, but for the newest of
# 32 branches in each stack, which are left out.
grep -q "^pgo: bolted: 100.0 % of the traces were translated to prog" from_bolted.log
before=$(($(taken from_input.json before) * 31 / 32)) translated=$(taken from_bolted.json before)
distance=$((before > translated ? before - translated : translated - before))
[ $((distance * 50)) -le "$before" ] || fail "$before taken branches became $translated"
[ "$(taken from_bolted.json after)" -lt "$translated" ]

# The same recordings for the compiler. The table is used though there are lines as well, which are less exact;
# a function that llvm-bolt folded into an equal one (-icf=safe) gives it its counts. They overlap by 97 %, or a little more or
# less, as llvm-bolt lays the code out by another first profile.
"$pgo" convert prog.perf --binary prog -o "llvm-text:$work/input.proftext" 2> input.log
"$pgo" convert bolted.perf --binary bolted --binary prog -o "llvm-text:$work/bolted.proftext" 2> bolted.log
grep -q ' of the traces were translated to prog' bolted.log
"$llvm/llvm-profdata" overlap --sample "$work/input.proftext" "$work/bolted.proftext" > overlap.txt
grep -Eq 'sample overlap: (100|9[0-9]\.[0-9]*)%' overlap.txt || {
  cat overlap.txt
  fail "the compile profiles overlap by less than 90 %"
}

refused() {
  local reason=$1
  shift
  "$pgo" bolt prog -o out --on-failure error "$@" > out.txt 2> out.log && fail "accepted: $*"
  grep -qF "$reason" out.log || { cat out.log; fail "does not say: $reason"; }
}
refused "the recorded binary is $subject/bolted, which llvm-bolt made from prog; name it with --binary $subject/bolted" --profile bolted.perf
refused "tableless: has no address translation table, so its recordings cannot be translated to prog; was it stripped? give the unstripped file, which still has the table" \
  --profile tableless.perf --binary tableless
# A profile of another build, with that build: llvm-bolt matches blocks; without it, it is refused. As
# recordings, as fdata, as YAML, it is the same.
refused_other() {
  ! "$pgo" bolt other -o out --on-failure error --profile "$1" > out.txt 2> out.log || fail "accepted: $1"
  grep -qE "name (it|that one) with --stale \(in CMake: BOLT_STALE; in Bazel: stale\)$" out.log || { cat out.log; fail "does not say what to do"; }
}
"$pgo" convert prog.perf --binary prog -o prog.fdata 2> convert.log
"$llvm/llvm-bolt" prog -o /dev/null -data=prog.fdata -w prog.yaml > yaml.log 2>&1
refused_other prog.fdata
refused_other prog.yaml
for profile in prog.perf prog.fdata prog.yaml; do
  "$pgo" bolt other -o rescued --profile $profile --stale prog --check '{}' --json --on-failure error > rescued.json 2> rescued.log
  [ "$(./rescued)" = "$(./other)" ]
  [ "$(taken rescued.json after)" -lt "$(taken rescued.json before)" ] || fail "no better by $profile"
  python3 -c '
import json
functions = json.load(open("rescued.json"))["functions"]
assert 0 < functions["inferred"] <= functions["stale"], functions'
  mv rescued rescued.$profile
done
cmp rescued.prog.perf rescued.prog.fdata
cmp rescued.prog.fdata rescued.prog.yaml
"$pgo" bolt other -o rescued --profile prog.fdata --stale prog > rescued.txt 2> rescued.log
grep -qE '^  stale +[0-9.]+ % of the samples, in [0-9]+ functions? whose code differs from what was profiled; blocks of [0-9]+ were matched$' rescued.txt
# In week two the recording is of the BOLTed earlier build.
"$pgo" bolt other -o rescued --profile bolted.perf --binary bolted --stale prog --check '{}' --json --on-failure error > rescued.json 2> rescued.log
[ "$(./rescued)" = "$(./other)" ]
[ "$(taken rescued.json after)" -lt "$(taken rescued.json before)" ] || fail "no better by the recording of the BOLTed one"
grep -q '^pgo: bolted: 100.0 % of the traces were translated to prog' rescued.log
# A build without a change: the copy of last week's is this one, so the profile fits as it is.
cp prog copy
"$pgo" bolt prog -o as_it_is --profile prog.fdata > as_it_is.txt
"$pgo" bolt prog -o once_more --profile prog.fdata --stale copy > once_more.txt
cmp as_it_is once_more
# The earlier build must be the one that the profile is of, by the same measure.
refused "% of the profile's samples are in functions whose code differs in other: it is of another build; --stale (in CMake: BOLT_STALE; in Bazel: stale) must name the build that was recorded, as it was before BOLT" \
  --profile prog.fdata --stale other
# YAML says so by the build ID, and is measured as well when it has none.
sed '/binary-build-id/d' prog.yaml > without_id.yaml
refused "% of the profile's samples are in functions whose code differs in other: it is of another build; --stale (in CMake: BOLT_STALE; in Bazel: stale) must name the build that was recorded, as it was before BOLT" \
  --profile without_id.yaml --stale other
# Two programs that have no more than main in common.
cat > stranger.c <<'E1'
#include <stdio.h>
#include <string.h>
int main(int argc, char** argv) {
  unsigned hash = 5381;
  long hits = 0;
  char text[64];
  for (int i = 0; i < 20000 * argc; i++) {
    int size = snprintf(text, sizeof text, "%d-%x", i, hash);
    for (int j = 0; j < size; j++) {
      hash = hash * 33 ^ (unsigned char)text[j];
      if ((hash & 15) == 3) hits++;
      else if ((hash & 7) == 5) hits += 2;
    }
  }
  printf("%ld %u\n", hits, hash);
}
E1
clang-22 -O2 -g1 -fuse-ld=lld -Wl,--build-id -Wl,--emit-relocs stranger.c -o stranger
record stranger.perf ./stranger
refused "prog is NOT optimized: 100.0 % of the profile's samples are in functions whose code differs in prog, and 0.0 % of what ran there is in blocks that are unchanged: too little to match the rest" \
  --profile stranger.perf --stale stranger
! "$pgo" bolt stranger -o out --profile prog.fdata --on-failure error > out.txt 2> out.log || fail "accepted"
grep -qE "stranger is NOT optimized: [0-9]+ functions of the profile are not in stranger, and only [0-9]+ are; is the profile of this program" out.log || {
  cat out.log
  fail "does not say that most functions are missing"
}
refused "was not made from prog" --profile bolted.perf --binary other

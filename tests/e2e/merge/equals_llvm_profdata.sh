# Merged LLVM sample profiles are llvm-profdata's: by line and by probe, of all forms, with weights.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"

# Profiles of two programs, of one of them twice: by probe, by line. No function is in both programs, so the tools
# agree on every count: of a function whose code differs, llvm-profdata keeps what it read first, and pgo merge what
# ran more (see below). The `main` of the second program has neither probes nor lines, and its atoi is that of the C library.
make_subject() {
  build
  echo 'int scan_texts(int, char**); int main(int argc, char** argv) { return scan_texts(argc, argv); }' > main.c
  clang-22 -O2 -c main.c
  clang-22 $debug -Dmain=scan_texts -D__NO_INLINE__ $c_sources main.o -fuse-ld=lld -o second
  record 1.perf ./prog
  record 2.perf ./second 400
  record 3.perf ./second 150
  local run binary
  for run in 1 2 3; do
    binary=second
    if [ $run = 1 ]; then binary=prog; fi
    "$llvm/llvm-profgen" --binary=$binary --perfdata=$run.perf --output=probe$run.prof 2>> profgen.log
    "$llvm/llvm-profgen" --binary=$binary --perfdata=$run.perf --use-dwarf-correlation --format=text \
      --output=line$run.proftext 2>> profgen.log
    "$llvm/llvm-profgen" --binary=$binary --perfdata=$run.perf --use-dwarf-correlation --format=binary \
      --output=line$run.binary 2>> profgen.log
  done
}

merge() { "$pgo" merge "$@" 2> merge.log || { cat merge.log; fail "cannot merge $*"; }; }
refused() { # TEXT ARGUMENT...
  local status=0
  "$pgo" merge "${@:2}" 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status: $*"
  grep -qF -- "$1" refused.log || fail "expected '$1', got $(cat refused.log)"
}
# same_merge FILE=WEIGHT...
same_merge() {
  local arguments=() weighted=() input
  for input; do
    arguments+=("${input%=*}" --weight "$input")
    weighted+=("--weighted-input=${input##*=},${input%=*}")
  done
  merge "${arguments[@]}" -o ours.proftext -o ours.prof
  "$llvm/llvm-profdata" merge --sample --text "${weighted[@]}" -o theirs.proftext
  "$llvm/llvm-profdata" merge --sample "${weighted[@]}" -o theirs.prof
  "$llvm/llvm-profdata" merge --sample --text ours.prof -o ours.again
  [ "$(wc -l < theirs.proftext)" -ge 50 ] || fail "the subject is too small"
  same theirs.proftext ours.proftext
  same theirs.proftext ours.again
  # Of probes, LLVM writes some in the order of a hash map, to which inputs came one after the other.
  case $1 in line*) same theirs.prof ours.prof ;; esac
}

# The names of all functions of a profile in text, inlined ones too.
functions_of() { sed -nE 's/^ *([0-9.]+: )?([^ :!]+):[0-9]+(:[0-9]+)?$/\2/p' "$1" | sort -u; }

with_subject
cp *.prof *.proftext *.binary "$work"
cd "$work"
for run in 1 2; do "$llvm/llvm-profdata" merge --sample --text probe$run.prof -o probe$run.proftext; done
shared=$(comm -12 <(functions_of probe1.proftext) <(functions_of probe2.proftext))
[ -z "$shared" ] || fail "both programs have these functions, so the tools may keep different ones: $shared"
same_merge line1.proftext=1 line2.binary=1 line3.proftext=1
same_merge line1.binary=7 line2.proftext=2 line3.proftext=100
same_merge probe1.prof=1 probe2.prof=1 probe3.prof=1
same_merge probe2.prof=3 probe3.prof=5
grep -q "!CFGChecksum" ours.proftext || fail "the profile is not by probe"

# In any order, and in parts.
merge probe1.prof probe2.prof probe3.prof -o once.prof
merge probe3.prof probe2.prof probe1.prof -o again.prof
same once.prof again.prof
merge probe3.prof probe1.prof -o some.prof
merge some.prof probe2.prof -o again.prof
same once.prof again.prof
merge once.prof -o again.prof
same once.prof again.prof

# Counts stop at the largest, as LLVM's do.
printf 'f:18446744073709551615:9\n 1: 18446744073709551615\n 2: 3 g:3\n' > most.proftext
merge most.proftext most.proftext --weight most.proftext=3 -o ours.proftext
"$llvm/llvm-profdata" merge --sample --text --weighted-input=3,most.proftext --weighted-input=3,most.proftext \
  -o theirs.proftext 2> overflow.log
same theirs.proftext ours.proftext
grep -qx "pgo: warning: f: counts that would be larger stop at 18446744073709551615.*" merge.log ||
  { cat merge.log; fail "does not say that counts stopped"; }

# Of functions whose code differs, the one that ran more stays, in whatever order the profiles come. llvm-profdata keeps
# what it reads first, even when that never ran.
printf 'f:10:1\n 1: 10\n !CFGChecksum: 1\n' > a.proftext
printf 'f:12:1\n 1: 12\n !CFGChecksum: 2\n' > b.proftext
printf 'f:5:1\n 1: 5\n !CFGChecksum: 1\n' > c.proftext
merge a.proftext b.proftext c.proftext -o ours.proftext
printf 'f:15:2\n 1: 15\n !CFGChecksum: 1\n' > expected
same expected ours.proftext
cp b.proftext 1.proftext
merge 1.proftext a.proftext c.proftext -o ours.proftext
same expected ours.proftext
grep -q "f: its code differs between the profiles; the counts of the code that ran less are left out" merge.log
"$llvm/llvm-profdata" merge --sample --text b.proftext a.proftext c.proftext -o theirs.proftext 2> theirs.log
same b.proftext theirs.proftext
printf 'f:0:0\n 1: 0\n !CFGChecksum: 3\n' > idle.proftext
merge idle.proftext b.proftext -o ours.proftext
same b.proftext ours.proftext
"$llvm/llvm-profdata" merge --sample --text idle.proftext b.proftext -o theirs.proftext 2> theirs.log
same idle.proftext theirs.proftext
# So of what is inlined into them.
for file in a b c; do
  sed 's|^f:\([0-9]*\):1$| 3: f:\1|; t; s|^| |' $file.proftext > $file.inner
  { echo g:20:1; cat $file.inner; echo " !CFGChecksum: 5"; } > inlined_$file.proftext
done
merge inlined_a.proftext inlined_b.proftext inlined_c.proftext -o ours.proftext
printf 'g:60:3\n 3: f:15\n  1: 15\n  !CFGChecksum: 1\n !CFGChecksum: 5\n' > expected
same expected ours.proftext
cp inlined_b.proftext 1.proftext
merge 1.proftext inlined_a.proftext inlined_c.proftext -o ours.proftext
same expected ours.proftext

# What is damaged is skipped in a directory, and named.
mkdir some
cp once.prof some
head -c 200 once.prof > some/cut.prof
merge some -o again.prof
same once.prof again.prof
grep -q "^pgo: warning: skipped: some/cut.prof: " merge.log || { cat merge.log; fail "does not name what is damaged"; }
refused "some/cut.prof: " some/cut.prof -o x.prof

# What cannot be merged.
refused "probe1.prof: is by pseudo probe, but line1.proftext is by line; their counts cannot be added up" \
  line1.proftext probe1.prof -o x.prof
refused "--weight line1.proftext: LLVM sample profiles take whole weights of 1 or more" \
  line1.proftext --weight line1.proftext=3/2 -o x.prof
printf '[main:3 @ f]:10:1\n 1: 10\n' > context.proftext
refused "context.proftext: is context-sensitive; pgo merge does not support such profiles" context.proftext -o x.prof
"$llvm/llvm-profdata" merge --sample --extbinary --use-md5 line1.proftext -o hashes.prof
refused "hashes.prof: has hashes for names; pgo merge does not support such profiles" hashes.prof -o x.prof
echo "no profile" > most
refused "most: begins with 'no profi', which is none of the known formats" line1.proftext most -o x.prof
printf 'main;work 5\n' > stacks.folded
refused "stacks.folded: is folded stacks, and only LLVM sample profiles are merged into one; 'pgo convert' makes them of recordings, pprof and address profiles (--binary)" \
  stacks.folded -o x.prof
refused "--build-id does not apply to LLVM sample profiles" line1.proftext --build-id 0011223344556677 -o x.prof
[ ! -e x.prof ] || fail "an error left an output"

# Sourced by tests of recordings that are rare on one machine and common in a fleet. They take one real
# recording as text (tests/data/recording_from_text.cc), change what the test is about, and expect the
# profile of the unchanged recording: none of these changes may change the counts.
#
# In the test's directory: plain.txt, plain.perf, and its profiles, expected.text and expected.preagg.
. "$(dirname "${BASH_SOURCE[0]}")/oracle.sh"

make_subject() {
  build
  record prog.perf ./prog
  text_of prog.perf > plain.txt
}

# profile RECORDING OUT.text [FLAG...]: our profiles of the subject, the compiler's and BOLT's (OUT.preagg).
profile() {
  local recording=$1 out=$2
  shift 2
  "$pgo" convert "$recording" --binary "$subject_prog" -o "llvm-text:$out" -o "preagg:${out%.text}.preagg" "$@" \
    2> convert.log ||
    { cat convert.log; fail "cannot convert $recording"; }
}

# unchanged RECORDING [FLAG...]: its profiles are those of the plain recording.
unchanged() {
  profile "$1" rare.text "${@:2}"
  same expected.text rare.text
  same expected.preagg rare.preagg
}

# ask_profgen_of RECORDING OUT: llvm-profgen's profile; false when it gives up.
ask_profgen_of() {
  "$llvm/llvm-profgen" --binary="$subject_prog" --perfdata="$1" --format=text --output="$2" 2> profgen.log
}

# The sum of all functions' totals.
total_of() { awk -F: '/^[^ ]/ { sum += $(NF - 1) } END { print sum + 0 }' "$1"; }

# profgen_loses RECORDING: llvm-profgen's profile of it has less than that of the plain recording.
profgen_loses() {
  ask_profgen_of plain.perf reference_plain.text
  ask_profgen_of "$1" reference.text || { cat profgen.log; fail "llvm-profgen gives up on $1"; }
  [ "$(total_of reference.text)" -lt "$(total_of reference_plain.text)" ] || fail "llvm-profgen loses nothing in $1"
}

# profgen_gives_up RECORDING ERROR: llvm-profgen makes no profile of it, for this reason.
profgen_gives_up() {
  ! ask_profgen_of "$1" reference.text || fail "llvm-profgen makes a profile of $1"
  grep -qF -- "llvm-profgen: error: $2" profgen.log || { cat profgen.log; fail "llvm-profgen does not say: $2"; }
}

# compat_as_profgen RECORDING: with --compat our profile is llvm-profgen's, whatever that is.
compat_as_profgen() {
  ask_profgen_of "$1" reference.text
  "$pgo" convert "$1" --binary "$subject_prog" --compat=llvm-profgen -o llvm-text:compat.text 2> convert.log ||
    { cat convert.log; fail "cannot convert $1 with --compat"; }
  same reference.text compat.text
}

# compat_gives_up RECORDING: llvm-profgen finds nothing in it, so with --compat there is nothing to write.
compat_gives_up() {
  local status=0
  "$pgo" convert "$1" --binary "$subject_prog" --compat=llvm-profgen -o llvm-text:compat.text 2> compat.log || status=$?
  [ "$status" = 2 ] || { cat compat.log; fail "exit status $status with --compat"; }
  [ ! -e compat.text ] || fail "an error left an output"
}

# ask_perf2bolt_of RECORDING OUT: perf2bolt's fdata; false when it gives up.
ask_perf2bolt_of() { "$llvm/perf2bolt" -p "$1" -o "$2" "$subject_prog" > perf2bolt.log 2>&1; }
# fdata_as LIKE RECORDING: our fdata of both is perf2bolt's of LIKE.
fdata_as() {
  local recording
  for recording; do
    "$pgo" convert "$recording" --binary "$subject_prog" -o "fdata:${recording%.perf}.fdata" 2> convert.log ||
      { cat convert.log; fail "cannot convert $recording"; }
  done
  ask_perf2bolt_of "$1" like.perf2bolt || { cat perf2bolt.log; fail "perf2bolt gives up on $1"; }
  same like.perf2bolt "${1%.perf}.fdata"
  same like.perf2bolt "${2%.perf}.fdata"
}

# perf2bolt_loses, perf2bolt_adds RECORDING: perf2bolt's counts of it are less, or more, than ours, which are
# those of the plain recording (or of LIKE).
perf2bolt_loses() { perf2bolt_differs -lt "$@"; }
perf2bolt_adds() { perf2bolt_differs -gt "$@"; }
perf2bolt_differs() {  # -lt|-gt RECORDING [LIKE]
  local ours theirs
  fdata_as "${3:-plain.perf}" "$2"
  ask_perf2bolt_of "$2" rare.perf2bolt || { cat perf2bolt.log; fail "perf2bolt gives up on $2"; }
  ours=$(fdata_total_of "${2%.perf}.fdata") theirs=$(fdata_total_of rare.perf2bolt)
  [ "$theirs" "$1" "$ours" ] || fail "perf2bolt counts $theirs in $2, we $ours"
}

# perf2bolt_gives_up RECORDING ERROR: perf2bolt writes nothing, for this reason; our counts are those of the plain recording.
perf2bolt_gives_up() {
  fdata_as plain.perf "$1"
  ! ask_perf2bolt_of "$1" rare.perf2bolt || fail "perf2bolt makes a profile of $1"
  grep -qF -- "PERF2BOLT-ERROR: $2" perf2bolt.log || { cat perf2bolt.log; fail "perf2bolt does not say: $2"; }
}

with_subject perturbed_recording
subject_prog=$PWD/prog
build_id=$(llvm-readelf-22 -n prog | sed -n 's/ *Build ID: //p')
cp plain.txt "$work"
cd "$work"
recording_from_text plain.perf < plain.txt
profile plain.perf expected.text
[ "$(wc -l < expected.text)" -ge 100 ] || fail "the subject is too small"

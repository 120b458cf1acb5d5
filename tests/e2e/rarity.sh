# Sourced by tests of recordings that are rare on one machine and common in a fleet. They take one real
# recording as text (tests/data/recording_from_text.cc), change what the test is about, and expect the
# profile of the unchanged recording: what a rarity must not do is change the counts.
#
# In the test's directory: plain.txt, plain.perf, and its profiles, expected.text and expected.preagg.
. "$(dirname "${BASH_SOURCE[0]}")/oracle.sh"

# text_of RECORDING: its maps and samples as text, all by process 100, one microsecond apart.
text_of() {
  echo "event name=branches type=ip,tid,time,branch branch=user,any flags=sample_id_all"
  perf script --show-mmap-events -F pid,ip,brstack -i "$1" 2> /dev/null | awk '
    /PERF_RECORD_MMAP/ && match($0, /\[0x[0-9a-f]+\(0x[0-9a-f]+\) @ [0-9a-fx]+/) {
      split(substr($0, RSTART + 1, RLENGTH - 1), part, /\(|\) @ /)
      printf "mmap2 pid=100 time=%d addr=%s len=%s pgoff=%s prot=%s path=%s\n",
        NR * 1000, part[1], part[2], part[3], $(NF - 1), $NF
    }
    $3 ~ /^0x/ {
      printf "sample pid=100 time=%d ip=0x%s branches=", NR * 1000, $2
      for (i = 3; i <= NF; ++i) printf "%s%s", $i, i < NF ? " " : "\n"
    }'
}

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

# ask_peer RECORDING OUT: llvm-profgen's profile; false when it gives up.
ask_peer() {
  "$llvm/llvm-profgen" --binary="$subject_prog" --perfdata="$1" --format=text --output="$2" 2> profgen.log
}

# The sum of all functions' totals.
total_of() { awk -F: '/^[^ ]/ { sum += $(NF - 1) } END { print sum + 0 }' "$1"; }

# peer_loses RECORDING: llvm-profgen does not find all of the plain recording in it.
peer_loses() {
  ask_peer plain.perf peer_plain.text
  if ask_peer "$1" peer.text; then
    [ "$(total_of peer.text)" -lt "$(total_of peer_plain.text)" ] || fail "llvm-profgen loses nothing in $1"
  fi
}

# compat_as_peer RECORDING: with --compat our profile is llvm-profgen's, whatever that is.
compat_as_peer() {
  ask_peer "$1" peer.text
  "$pgo" convert "$1" --binary "$subject_prog" --compat=llvm-profgen -o llvm-text:compat.text 2> convert.log ||
    { cat convert.log; fail "cannot convert $1 with --compat"; }
  same peer.text compat.text
}

# compat_gives_up RECORDING: llvm-profgen finds nothing in it, so with --compat there is nothing to write.
compat_gives_up() {
  local status=0
  "$pgo" convert "$1" --binary "$subject_prog" --compat=llvm-profgen -o llvm-text:compat.text 2> compat.log || status=$?
  [ "$status" = 2 ] || { cat compat.log; fail "exit status $status with --compat"; }
  [ ! -e compat.text ] || fail "an error left an output"
}

with_subject rarity
subject_prog=$PWD/prog
build_id=$(llvm-readelf-22 -n prog | sed -n 's/ *Build ID: //p')
cp plain.txt "$work"
cd "$work"
recording_from_text plain.perf < plain.txt
profile plain.perf expected.text
[ "$(wc -l < expected.text)" -ge 100 ] || fail "the subject is too small"

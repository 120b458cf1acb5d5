# After exec a process has none of its old maps: samples at the same addresses are another program's.
# So they are where another file was mapped over the binary's code. llvm-profgen and perf2bolt count
# them for the binary.
. "$(dirname "$0")/../perturbed_recording.sh"

half=$(($(wc -l < plain.txt) / 2))
time=$(sed -n "$((half + 1))s/.*time=\([0-9]*\).*/\1/p" plain.txt)
head -n "$half" plain.txt | recording_from_text early.perf
profile early.perf early.text

# ends_half_way RECORDING: what ran before counts, and nothing of what ran after; the reference tool counts all.
ends_half_way() {
  profile "$1" rare.text
  same early.text rare.text
  ask_profgen_of "$1" reference.text
  [ "$(total_of reference.text)" -gt "$(total_of rare.text)" ] || fail "llvm-profgen adds nothing in $1"
  ask_profgen_of plain.perf reference_plain.text
  same reference_plain.text reference.text
  compat_as_profgen "$1"
  perf2bolt_adds "$1" early.perf
}

{
  head -n "$half" plain.txt
  echo "comm pid=100 time=$((time - 1)) exec=1 name=other"
  tail -n "+$((half + 1))" plain.txt
} | recording_from_text exec.perf
ends_half_way exec.perf

{
  head -n "$half" plain.txt
  grep "^mmap2.*/prog\$" plain.txt | sed "s/time=[0-9]*/time=$((time - 1))/; s|path=.*|path=/opt/other|"
  tail -n "+$((half + 1))" plain.txt
} | recording_from_text over.perf
ends_half_way over.perf

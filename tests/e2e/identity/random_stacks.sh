# Branch stacks that no processor records: whatever the recording says, the counts are the reference tools'.
. "$(dirname "$0")/../random_stacks.sh"

make_subject() {
  build -ffunction-sections -Wl,--icf=all
  write_recording "$(seed 42)"
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt

# Functions that the linker dropped keep their debug information, at address 0, where llvm-profgen
# looks for the callers that it does not know.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -ffunction-sections -fdata-sections -Wl,--gc-sections
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt

# Discriminators of a flow-sensitive profile are used whole.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -mllvm -enable-fs-discriminator=true
  nm prog | grep __llvm_fs_discriminator__ > /dev/null
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt

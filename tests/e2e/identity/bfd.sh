# Linked by GNU ld: segments lie elsewhere, debug ranges of dropped functions too.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -fuse-ld=bfd -ffunction-sections -Wl,--gc-sections
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt

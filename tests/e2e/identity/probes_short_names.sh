# Pseudo probes where debug information has no linkage names: the symbols have them.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"

make_subject() {
  build -fno-debug-info-for-profiling -no-pie -fno-pie
  record prog.perf ./prog
  ask_profgen
}

with_subject
by_probe
same_as_profgen

# Statics that ThinLTO moved between units carry .llvm.NNN in their names.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -flto=thin
  nm prog | grep "\.llvm\." > /dev/null
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt

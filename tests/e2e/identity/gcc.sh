# Built by g++, which moves cold parts of functions away, names clones .part, .isra and .constprop, and
# writes other discriminators.
. "$(dirname "$0")/../oracle.sh"
need g++

make_subject() {
  g++ -O2 -g -freorder-blocks-and-partition $cxx_sources -o prog
  nm prog | grep '\.cold' > /dev/null
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt

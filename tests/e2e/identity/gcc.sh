# Built by g++, which moves cold parts of functions away, names clones .part, .isra and .constprop, and
# writes other discriminators.
. "$(dirname "$0")/../oracle.sh"
need g++

compile() {
  g++ -O2 -g -freorder-blocks-and-partition $cxx_sources -o prog
  nm prog | grep '\.cold' > /dev/null
}

compare_with_reference_tools

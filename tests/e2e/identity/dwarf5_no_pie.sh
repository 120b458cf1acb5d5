# DWARF 5, at a fixed address.
. "$(dirname "$0")/../oracle.sh"

compile() { build -gdwarf-5 -no-pie -fno-pie; }

compare_with_reference_tools

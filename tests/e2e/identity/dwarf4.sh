# DWARF 4, position independent.
. "$(dirname "$0")/../oracle.sh"

compile() { build -gdwarf-4; }

compare_with_reference_tools

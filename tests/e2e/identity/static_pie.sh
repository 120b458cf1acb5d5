# A static binary that relocates itself: its recording has the binary's map only.
. "$(dirname "$0")/../oracle.sh"

compile() { build -static-pie; }

compare_with_reference_tools

# Linked by GNU ld: segments lie elsewhere, debug ranges of dropped functions too.
. "$(dirname "$0")/../oracle.sh"

compile() { build -fuse-ld=bfd -ffunction-sections -Wl,--gc-sections; }

compare_with_reference_tools

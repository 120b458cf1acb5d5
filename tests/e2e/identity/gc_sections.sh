# Functions that the linker dropped keep their debug information, at address 0, where llvm-profgen
# looks for the callers that it does not know.
. "$(dirname "$0")/../oracle.sh"

compile() { build -ffunction-sections -fdata-sections -Wl,--gc-sections; }

compare_with_reference_tools

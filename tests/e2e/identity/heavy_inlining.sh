# Deep inline stacks, lambdas, and statics with unique names.
. "$(dirname "$0")/../oracle.sh"

compile() { build -O3 -mllvm -inline-threshold=3000 -funique-internal-linkage-names; }

compare_with_reference_tools

# Discriminators of unrolled and vectorised loops carry a factor by which counts are multiplied.
. "$(dirname "$0")/../oracle.sh"

compile() {
  build -O3 -mavx2 -funroll-loops
  llvm-objdump-22 -d prog | grep ymm > /dev/null
}

compare_with_reference_tools

# Outlined cold code is a function of its own without debug information of its own.
. "$(dirname "$0")/../oracle.sh"

compile() {
  build -mllvm -hot-cold-split=true -mllvm -hotcoldsplit-threshold=-10
  nm prog | grep "\.cold" > /dev/null
}

compare_with_reference_tools

# Statics that ThinLTO moved between units carry .llvm.NNN in their names.
. "$(dirname "$0")/../oracle.sh"

compile() {
  build -flto=thin
  nm prog | grep "\.llvm\." > /dev/null
}

compare_with_reference_tools

# Discriminators of a flow-sensitive profile are used whole.
. "$(dirname "$0")/../oracle.sh"

compile() {
  build -mllvm -enable-fs-discriminator=true
  nm prog | grep __llvm_fs_discriminator__ > /dev/null
}

compare_with_reference_tools

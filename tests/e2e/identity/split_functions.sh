# Built with a first profile, the compiler splits functions into hot and cold parts: several ranges each.
. "$(dirname "$0")/../oracle.sh"

compile() {
  build -fsplit-machine-functions
  record first.perf ./prog
  "$llvm/llvm-profgen" --binary=prog --perfdata=first.perf --format=extbinary --output=first.prof 2> profgen.log
  build -fsplit-machine-functions -fprofile-sample-use=first.prof -fprofile-sample-accurate
  nm prog | grep '\.cold' > /dev/null
}

compare_with_reference_tools

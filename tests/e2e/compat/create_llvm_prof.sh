# create_llvm_prof behind the same command. The one in Debian 12 is old: it reads no recording of the
# emulator, no DWARF 5 and no position-independent code of lld's layout, and writes no extensible form.
. "$(dirname "$0")/../perturbed_recording.sh"
need create_llvm_prof

clang++-22 $debug -gdwarf-4 -fuse-ld=bfd -no-pie -Wl,--build-id $cxx_sources -o old
record old.perf ./old
text_of old.perf | recording_from_text plain_old.perf
create_llvm_prof --profile=plain_old.perf --binary=old --format=text --out=reference.text
[ "$(wc -l < reference.text)" -ge 10 ] || fail "create_llvm_prof itself makes nothing of this recording"

"$pgo" convert plain_old.perf --binary old --with create_llvm_prof -o llvm-text:engine.text
same reference.text engine.text

# It fails, and says nothing but an empty file: both are errors, and what was there stays.
refuse() {
  local expected=$1 status=0
  shift
  "$pgo" convert --with create_llvm_prof "$@" 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status for $*"
  grep -F -- "$expected" refused.log > /dev/null || { cat refused.log; fail "does not say: $expected"; }
}
head -c 50 plain_old.perf > cut.perf
refuse "failed (exit status " cut.perf --binary old -o llvm-text:engine.text
refuse "create_llvm_prof reads recordings (perf.data), and $0 is not one" "$0" --binary old -o llvm-text:engine.text
refuse "made a profile without any function" plain.perf --binary "$subject_prog" -o llvm-text:engine.text
refuse "create_llvm_prof does not support --pid" plain_old.perf --binary old -o llvm-text:engine.text --pid 100
refuse "create_llvm_prof takes one recording, not 2" plain.perf plain_old.perf --binary old \
  -o llvm-text:engine.text
refuse "create_llvm_prof makes LLVM profiles only" plain_old.perf --binary old -o engine.fdata
same reference.text engine.text

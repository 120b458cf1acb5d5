# A stripped binary leaves its probes in the debug file: they count. With --compat the profile is by line, as
# llvm-profgen's, which looks for probes in the binary alone.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"
formats="text extbinary binary"  # by line

make_subject() {
  build
  record prog.perf ./prog
  "$pgo" convert prog.perf --binary prog -o llvm-text:whole.text
  llvm-objcopy-22 --only-keep-debug prog prog.debug
  llvm-objcopy-22 --strip-all prog bare
  if llvm-readelf-22 -SW bare | grep pseudo_probe; then return 1; fi
  # llvm-profgen needs the symbols in the binary.
  llvm-objcopy-22 --strip-debug -R .pseudo_probe -R .pseudo_probe_desc prog
  ask_profgen --debug-binary=prog.debug
}

with_subject
by_probe whole.text
for stripped in bare prog; do
  "$pgo" convert prog.perf --binary $stripped --debug-file prog.debug -o "llvm-text:$work/$stripped.text"
  same whole.text "$work/$stripped.text"
done
if grep -c '!CFGChecksum:' reference.text; then fail "llvm-profgen found the probes; is this still a difference?"; fi
same_as_profgen --debug-file prog.debug

# A look at the recording says what a conversion would do.
"$pgo" show prog.perf --binary bare --debug-file prog.debug | grep 'functions in the source, by pseudo probe$' > /dev/null ||
  fail "pgo show does not say that it counts by probe"

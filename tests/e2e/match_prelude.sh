# Sourced after oracle.sh by tests of `pgo match`, with `flags` set: makes the program that was profiled,
# its profile, and a copy of its sources to build from.
# Unique names are hashes of the paths that the compiler is given.
cxx_sources="source/shapes.cc source/work.cc source/main.cc"
make_subject() {
  cp -r "$programs" source
  build $flags
  # One sample for each 32 branches, 32 deep, is every branch once: what ran little is in the profile as well.
  "$pgo" record --engine emulate --period 32 -o prog.perf -- ./prog > record.log 2>&1
  "$pgo" convert prog.perf --binary prog -o prog.prof
}
with_subject
profile=$PWD/prog.prof profiled=$PWD/prog
cd "$work"
cp -r "$programs" source

# Pseudo probes of a C++ program, position-independent; and its lines, which it has too.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"

make_subject() {
  build
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
by_probe
same_as_profgen

# The same binary by line, in all forms.
mkdir "$work/line"
"$llvm/llvm-profgen" --binary=prog --perfdata=prog.perf --format=text --use-dwarf-correlation \
  --output="$work/line/reference.text" 2> profgen.log
if grep '!CFGChecksum:' "$work/line/reference.text"; then fail "the reference tool's lines are probes"; fi
"$pgo" convert prog.perf --binary prog --compat=llvm-profgen --by-line -o "llvm-text:$work/line/ours.text" \
  -o "llvm-binary:$work/line/ours.binary"
same "$work/line/reference.text" "$work/line/ours.text"
[ -s "$work/line/ours.binary" ]
same_as_perf2bolt

# Pieces that the compiler split off (-hot-cold-split) have probes of a function that no descriptor names.
# llvm-profgen crashes on the recording; here they are left out, and said.
. "$(dirname "$0")/../oracle.sh"
. "$here/probes_prelude.sh"

make_subject() {
  build -mllvm -hot-cold-split=true -mllvm -hotcoldsplit-threshold=-10
  nm prog | grep '\.cold' > /dev/null
  record prog.perf ./prog
  build -o plain
  record plain.perf ./plain
}

with_subject
status=0
"$llvm/llvm-profgen" --binary=prog --perfdata=prog.perf --format=text --output="$work/reference.text" \
  2> "$work/profgen.log" || status=$?
# By which signal depends on what lies in its memory.
[ "$status" -gt 128 ] || { cat "$work/profgen.log"; fail "llvm-profgen ends with $status; is this still a difference?"; }
cd "$work"
subject=$OLDPWD
"$pgo" convert "$subject/prog.perf" --binary "$subject/prog" -o llvm-text:ours.text 2> convert.log
"$pgo" convert "$subject/plain.perf" --binary "$subject/plain" -o llvm-text:plain.text 2> plain.log
grep -E '^pgo: warning: the pseudo probes of the function with the number [0-9]+ are left out: .pseudo_probe_desc does not name it' \
  convert.log > /dev/null || { cat convert.log; fail "what is left out is not said"; }
by_probe ours.text
# What ran most is what runs most without splitting (from the third on they differ from recording to recording).
hottest() { grep '^[^ ]' "$1" | head -2 | cut -d: -f1 | sort; }
diff <(hottest plain.text) <(hottest ours.text)

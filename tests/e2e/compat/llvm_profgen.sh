# What llvm-profgen cannot do is said before anything is run, and its failures are passed on.
. "$(dirname "$0")/../perturbed_recording.sh"

echo kept > kept.text
refuse() {
  local expected=$1 status=0
  shift
  "$pgo" convert --with llvm-profgen "$@" -o llvm-text:kept.text 2> refused.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status for $*"
  grep -F -- "$expected" refused.log > /dev/null || { cat refused.log; fail "does not say: $expected"; }
}
refuse "llvm-profgen takes one recording, not 2" plain.perf plain.perf --binary "$subject_prog"
refuse "llvm-profgen takes one --binary" plain.perf --binary "$subject_prog" --binary "$subject_prog"
refuse "llvm-profgen cannot read standard input" - --binary "$subject_prog"
refuse "llvm-profgen does not support --time" plain.perf --binary "$subject_prog" --time 1,2
refuse "llvm-profgen does not support --comm" plain.perf --binary "$subject_prog" --comm prog
refuse "llvm-profgen takes one --pid" plain.perf --binary "$subject_prog" --pid 1,2
refuse "llvm-profgen makes LLVM profiles only" plain.perf --binary "$subject_prog" -o preagg:kept.text.2
refuse "--compat excludes --with" plain.perf --binary "$subject_prog" --compat=llvm-profgen
cp "$subject_prog" renamed
refuse "does --binary have the name that it ran under?" plain.perf --binary renamed
[ "$(cat kept.text)" = kept ] || fail "a failure replaced the output"

# One process of two, in every form, with figures.
awk '/^sample/ && NR % 2 { sub(/pid=100/, "pid=101") } { print }
  /^mmap2/ { sub(/pid=100/, "pid=101"); print }' plain.txt | recording_from_text two.perf
"$pgo" convert two.perf --binary "$subject_prog" --with llvm-profgen --pid 100 -o llvm:one.extbinary \
  -o llvm-binary:one.binary -o llvm-text:one.text --json > figures.json
for format in text extbinary binary; do
  "$llvm/llvm-profgen" --binary="$subject_prog" --perfdata=two.perf --pid=100 --format=$format \
    --output=reference.$format 2> profgen.log
  same reference.$format one.$format
done
grep '"path": "one.binary"' figures.json > /dev/null || { cat figures.json; fail "no figures"; }

# Checked by default rules, a program with code of line 0 differs, and the files are written all the same.
status=0
"$pgo" convert plain.perf --binary "$subject_prog" --check-against llvm-profgen --json -o llvm-text:ours.text \
  > check.json 2> check.log || status=$?
[ "$status" = 1 ] || { cat check.log; fail "exit status $status for profiles that differ"; }
same expected.text ours.text
grep '"identical": false' check.json > /dev/null || { cat check.json; fail "the figures say nothing of it"; }
grep 'none here, [0-9 ]* there' check.log > /dev/null || { cat check.log; fail "the difference is not shown"; }
grep -- '--compat=llvm-profgen gives its counts' check.log > /dev/null || { cat check.log; fail "no advice"; }

# By its own rules there is nothing to tell apart, in a recording as it was made.
subject=$(dirname "$subject_prog")
"$pgo" convert "$subject/prog.perf" --binary "$subject_prog" --compat=llvm-profgen --check-against llvm-profgen \
  -o llvm:ours.extbinary 2> check.log || { cat check.log; fail "differs from llvm-profgen"; }
grep '^pgo: identical to .*/llvm-profgen: [0-9]* functions, [0-9]* counts$' check.log > /dev/null ||
  { cat check.log; fail "does not say that it is identical"; }

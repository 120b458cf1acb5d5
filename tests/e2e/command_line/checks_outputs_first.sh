# What is wrong with the outputs is said before any recording is read: the input of these commands is not
# there, and none of them gets far enough to notice.
. "$(dirname "$0")/../perturbed_recording.sh"

mkdir A B
cp "$subject_prog" A/srv
sed 's/int main/int other_main() { return 1; }\nint main/' "$programs/main.cc" > main.cc
clang++-22 $debug -fuse-ld=lld -Wl,--build-id -I"$programs" "$programs"/{shapes,work}.cc main.cc -o B/srv
# refused ERROR FLAG...: the conversion of a missing file with FLAGs fails with exactly ERROR.
refused() {
  local expected=$1 status=0
  shift
  "$pgo" convert missing.perf "$@" > out.log 2> refused.log || status=$?
  [ "$status" = 2 ] || { cat refused.log; fail "exit status $status for $*"; }
  [ "$(cat refused.log)" = "pgo: error: $expected" ] ||
    { diff <(echo "pgo: error: $expected") refused.log; fail "another error for $*"; }
}
of_prog() { refused "$@" --binary "$subject_prog"; }

# Two files in one place.
refused "o-srv.preagg would be written twice, by -o o-%b.preagg for A/srv and by -o o-%b.preagg for B/srv; put %i (build ID) into the path" -b A/srv -b B/srv -o o-%b.preagg
refused "missing.perf: cannot open: No such file or directory" -b A/srv -b B/srv -o o-%i.preagg
for binary in A B; do llvm-objcopy-22 --remove-section .note.gnu.build-id $binary/srv $binary/no_id; done
refused "o-.preagg would be written twice, by -o o-%i.preagg for A/no_id and by -o o-%i.preagg for B/no_id; convert these binaries one by one: they have no build IDs to tell them apart" -b A/no_id -b B/no_id -o o-%i.preagg
of_prog "x.prof would be written twice, by -o x.prof and by -o ./x.prof; name another file" -o x.prof -o ./x.prof
of_prog "x.prof would be written twice, by -o x.prof and by --report x.prof; name another file" -o x.prof --report x.prof
of_prog "standard output would be written twice, by -o - and by --json; name another file" -o llvm-text:- --json
refused "x.prof would be written twice, by -o x.prof and by --report x.prof; name another file" --with llvm-profgen -b "$subject_prog" -o x.prof --report x.prof
of_prog "--report %b.json: '%b' is for outputs of one binary each; the report is of all binaries; name one file" -o %b.preagg --report %b.json
cp A/srv C
refused "C and A/srv are the same build ($build_id); name one of them" -b A/srv -b C -o x.prof

# A file that is read.
refused "-o C would replace A/../C, which is read" -b A/../C -o llvm:C
ln -s B/srv link
refused "--report link would replace B/srv, which is read" B/srv -b C -o x.prof --report link
cp C recorded
"$pgo" record --engine emulate -o recorded -- ./recorded > /dev/null 2> refused.log && fail "its own program recorded"
same refused.log <(echo "pgo: error: -o recorded would replace the program that is recorded")
cmp C recorded
for report in nowhere/x /proc/x; do
  "$pgo" record --engine emulate -o new.data --report $report -- A/srv > /dev/null 2> refused.log && fail "reports to $report"
  [ ! -e new.data ] || fail "records before it looks at --report $report"
done
same refused.log <(echo "pgo: error: /proc/x: no file can be created in /proc")

# A file that cannot be written, or made.
of_prog "nowhere/x.prof: the directory nowhere does not exist" -o nowhere/x.prof
of_prog "nowhere/report: the directory nowhere does not exist" -o x.prof --report nowhere/report
of_prog "A: cannot open for writing: Is a directory" -o llvm:A
of_prog "./no_bolt: no such program; name perf2bolt" -o x.fdata --perf2bolt ./no_bolt

# Options that take several values take one at a time, so that an input may follow each.
for option in "--pid 100" "--pid 100,7" "--binary $subject_prog" "-o out.proftext" "--debug-root /usr/lib/debug" \
    "--debug-file $subject_prog"; do
  "$pgo" convert --binary "$subject_prog" -o rare.proftext $option plain.perf > out.log 2>&1 || true
  [ "$(head -c 21 out.log)" != "INPUT is required" ] || fail "$option swallows the input"
done
"$pgo" convert --binary "$subject_prog" -o llvm-text:rare.text --pid 7,100 plain.perf 2> out.log
same expected.text rare.text

# The figures are JSON whatever bytes a name has, and an error when nobody can take them.
latin=$(printf 'gr\xf6sse')
cp plain.perf "$latin.perf"
mkdir "$latin"; cp "$subject_prog" "$latin"
"$pgo" convert "$latin.perf" --binary "$latin/prog" -o "llvm-text:$latin.text" --json > figures.json 2> out.log ||
  { cat out.log; fail "cannot name a file in Latin-1"; }
same expected.text "$latin.text"
python3 -c 'import json; assert json.load(open("figures.json"))["binaries"][0]["path"] == "gr\ufffdsse/prog"'
for command in "convert plain.perf --binary $subject_prog -o x.proftext --json" "show plain.perf"; do
  status=0
  "$pgo" $command > /dev/full 2> out.log || status=$?
  [ "$status" = 2 ] || fail "exit status $status for $command to a full disk"
  [ "$(tail -1 out.log)" = "pgo: error: standard output: cannot write: No space left on device" ] ||
    { cat out.log; fail "another error for a full disk"; }
done

# Branch records with cycle counts split the growth of a function into more calls and dearer calls: in text, Markdown
# and JSON. No processor writes these recordings here, so they are made up.
. "$(dirname "$0")/../prelude.sh"
need clang++-22
. "$here/schema_prelude.sh"

# main calls f; each has 256 bytes of code.
cat > program.s <<'END'
  .globl main, f
  .type main, @function
  .type f, @function
  .p2align 8
main:
  .skip 11, 0x90
  call f
  .skip 239, 0x90
  ret
  .size main, . - main
f:
  .skip 255, 0x90
  ret
  .size f, . - f
END
clang++-22 -no-pie -Wl,--build-id -fuse-ld=lld program.s -o program
read -r main offset < <(python3 - <<'END'
import subprocess
symbols = subprocess.check_output(["/usr/lib/llvm-22/bin/llvm-nm", "program"], text=True).split("\n")
main = next(int(line.split()[0], 16) for line in symbols if line.endswith(" T main"))
segments = subprocess.check_output(["/usr/lib/llvm-22/bin/llvm-readelf", "-lW", "program"], text=True).split("\n")
for words in (line.split() for line in segments if " R E " in line and "LOAD" in line):
    begin, size = int(words[2], 16), int(words[5], 16)
    if begin <= main < begin + size:
        print(main, int(words[1], 16) + main - begin)
END
)
id=$("$llvm/llvm-readelf" -n program | sed -n 's/.*Build ID: //p')
[ -n "$main" ] && [ -n "$id" ] || fail "cannot read the program"

# host FILE CALLS CYCLES: 1000 units of work, in each of which main works for 900 cycles and calls f, which takes
# CYCLES, so many times.
host() {
  mkdir -p "$(dirname $1)"
  awk -v main=$main -v calls=$2 -v cycles=$3 -v code=512 -v offset=$offset -v path="$PWD/program" -v id=$id 'BEGIN {
    f = main + 256
    print "event name=cycles type=ip,tid,time,period,branch branch=user,any flags=sample_id_all ids=7 period=1000"
    print "event_desc"
    print "comm pid=10 time=1 name=server"
    print "comm pid=11 time=1 name=other"
    print "sample pid=11 time=2 ip=4096 period=1000"
    printf "mmap2 pid=10 time=1 addr=%d len=%d pgoff=%d prot=r-xp build_id=%s path=%s\n", main, code, offset, id, path
    call = sprintf("%d/%d/C%d", main + 11, f, 900 / calls)
    back = sprintf("%d/%d/C%d", f + 255, main + 16, cycles)
    for (i = 0; i < 900; i++)
      printf "sample pid=10 time=%d ip=%d period=1000 branches=%s %s %s %s\n", 2 + i, main + 32, back, call, back, call
    for (i = 0; i < calls * cycles; i++)
      printf "sample pid=10 time=%d ip=%d period=1000 branches=%s %s %s %s\n", 2000 + i, f + 32, call, back, call, back
  }' | recording_from_text $1
}
for n in 1 2 3 4 5; do
  host before/host$n.data 1 $((100 + n))
  host more/host$n.data 2 $((100 + n))
  host dearer/host$n.data 1 $((300 + 3 * n))
done

verify() { # STATUS ARGUMENT...
  status=0
  "$pgo" verify "${@:2}" --binary program -o report.md --report report.json 2> said || status=$?
  [ $status -eq $1 ] || { cat said; fail "exit code $status instead of $1: $*"; }
  validate report.json
}
says() { grep -qxF -- "- calls: $1" report.md || { cat report.md; fail "does not say: $1"; }; }
units="--units-before 5000 --units-after 5000"

verify 1 before more $units
says '`f`: 2.0 times as many calls, each as expensive as before'
verify 1 before dearer $units
says '`f`: as many calls, each 3.0 times as expensive'
python3 - <<'END'
import json
[f] = json.load(open("report.json"))["functions"]["grown"]
assert abs(f["calls_growth"] - 1) < .01 and abs(f["cost_per_call_growth"] - 3) < .01, f
END
"$pgo" verify before more $units --binary program > printed || true
grep -qx '  calls         f: 2.0 times as many calls, each as expensive as before' printed ||
  { cat printed; fail "the text does not say it"; }
# A path that names hosts takes all samples of some files.
verify 1 'before/#host=host*' more $units --path-template '{host}.data'
says '`f`: 2.0 times as many calls, each as expensive as before'
# Branch records are of all samples of a file, so nothing is said of a part of them.
verify 1 'before/#comm=server' 'more/#comm=server' $units
grep -qF '`f` (+' report.md || { cat report.md; fail "f has not grown"; }
! grep -q '^- calls' report.md || { cat report.md; fail "calls of a part of the samples"; }

# pgo archive of a BOLTed program with llvm-bolt's input: its recordings are translated with only the archive left.
. "$(dirname "$0")/../oracle.sh"
need "$llvm/llvm-bolt"

make_subject() {
  build -Wl,--emit-relocs
  record first.perf ./prog
  "$pgo" bolt prog -o bolted --profile first.perf > bolt.log 2>&1
  "$pgo" record --engine emulate --period 31 -o bolted.perf -- ./bolted > record.log 2>&1
}

with_subject
cp prog bolted bolted.perf "$work"
cd "$work"
place() { echo "archive/.build-id/$(id_of "$1" | sed 's|..|&/|')"; }
convert() { # OUTPUT BINARY...
  "$pgo" convert bolted.perf --binary "$2" --binary "$3" -o "llvm-text:$1" 2> convert.log || { cat convert.log; fail "cannot convert"; }
}
convert expected.proftext bolted prog
bolted=$(place bolted) prog=$(place prog)

! "$pgo" archive prog bolted --to archive > text 2> log || fail "takes them in the wrong order"
grep -F "bolted: was written by llvm-bolt, so it is not its input; give the released file first" log
"$pgo" archive bolted --to archive > text 2> log
grep -F "pgo: warning: bolted: was made by llvm-bolt, and llvm-bolt's input is not archived with it" log
"$pgo" archive bolted prog --to archive > text 2> log
! grep -F warning log || fail "warns"
grep -F "archived 1 new file (" log
"$llvm/llvm-strip" bolted -o stripped
"$pgo" archive stripped prog --to other > text 2> log
grep -F "stripped: was made by llvm-bolt, but has no address translation table" log

"$pgo" bolt prog -o expected.bolt --profile bolted.perf --binary bolted > bolt.log 2>&1
"$pgo" bolt prog -o next.bolt --profile bolted.perf --binary-from archive > bolt.log 2>&1
grep -F "pgo: build $(id_of bolted): the executable is $bolted" bolt.log
cmp expected.bolt next.bolt
rm bolted prog stripped
convert found.proftext "$bolted" "$prog"
grep -F ' of the traces were translated to ' convert.log
cmp expected.proftext found.proftext
"$pgo" convert bolted.perf --binary-from archive -o llvm-text:by_id.proftext 2> convert.log
grep -F ' of the traces were translated to ' convert.log
cmp expected.proftext by_id.proftext
grep -F ": llvm-bolt's input is $prog" convert.log

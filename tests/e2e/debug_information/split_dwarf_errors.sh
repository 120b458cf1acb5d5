# Debug information in .dwo files: where one is missing or damaged, the code that it describes is missing
# from the profile, which is said with the file's name and the share of the code.
. "$(dirname "$0")/../oracle.sh"
need llvm-readelf-22

make_subject() {
  for source in $cxx_sources; do
    clang++-22 $debug -g2 -gsplit-dwarf -fdebug-compilation-dir=. -c "$source"
  done
  clang++-22 -fuse-ld=lld -Wl,--build-id shapes.o work.o main.o -o prog
  record prog.perf ./prog
}

with_subject
subject=$PWD
cd "$work"
cp "$subject"/{prog,shapes.dwo,work.dwo,main.dwo} .

convert() {
  "$pgo" convert "$subject/prog.perf" --binary prog -o llvm-text:part.text 2> log || { cat log; fail "no profile of the rest"; }
}
said() { grep -qxE "pgo: warning: prog: $1; .* missing from the profile" log || { cat log; fail "does not say: $1"; }; }
not_said() { ! grep -qE "$1" log || { cat log; fail "says: $1"; }; }
much_is_missing() { grep -qE '[1-9][0-9.]* % of the code in no function of the debug information' log; }
# fill SECTION OFFSET COUNT [BYTE]: bytes of 0xff from there on in work.dwo, which is whole before.
fill() {
  local at byte=${4:-ff}
  cp "$subject/work.dwo" .
  at=$(llvm-readelf-22 -SW work.dwo | sed -n "s/.* \\$1  *[A-Z]*  *[0-9a-f]* \\([0-9a-f]*\\) .*/\\1/p")
  [ -n "$at" ] || fail "work.dwo has no $1"
  printf "\\x$byte%.0s" $(seq "$3") | dd of=work.dwo bs=1 seek=$((0x$at + $2)) conv=notrunc status=none
}

convert
not_said 'warning: prog'

# doctor_says FINDING: of the binary; the machine may lack something.
doctor_says() {
  "$pgo" doctor prog > doctor.txt || true
  grep -Fx -- "$1" doctor.txt > /dev/null || { cat doctor.txt; fail "pgo doctor does not say: $1"; }
}
"$pgo" doctor prog > doctor.txt || true
if grep "split files" doctor.txt; then fail "pgo doctor misses files that are there"; fi
rm work.dwo
doctor_says "  missing  split files    1 .dwo file was not found (work.dwo): counts of its code are lost"
mv main.dwo main.away
doctor_says "  missing  split files    2 .dwo files were not found (the first: work.dwo): counts of their code are lost"
if grep "compile with -fdebug-info-for-profiling" doctor.txt; then fail "pgo doctor blames the compiler"; fi
mv main.away main.dwo
convert
said 'work\.dwo, which has a part of its debug information \(-gsplit-dwarf\), was not found'
much_is_missing

# It is there, but nothing of it can be read.
head -c 3000 "$subject/work.dwo" > work.dwo
convert
said 'its debug information is damaged: \./work\.dwo: .*'
not_said 'was not found'
much_is_missing
fill .debug_abbrev.dwo 0 16
convert
said 'its debug information is damaged: \./work\.dwo: .*abbreviation.*'
not_said 'was not found'
much_is_missing

# Its first entry, which LLVM reads before anybody can look at it: in a form that is none, one that stands
# beside the value, a block and a string that go beyond the section.
for form in 7f 16 04 08; do
  fill .debug_abbrev.dwo 4 1 $form
  convert
  said 'its debug information is damaged: \./work\.dwo: .*'
  not_said 'was not found'
  much_is_missing
done

# Some of it.
fill .debug_info.dwo 1000 64
convert
said 'its debug information is damaged: \./work\.dwo: \.debug_info\.dwo: .*'
fill .debug_rnglists.dwo 60 64
convert
said 'its debug information is damaged: \./work\.dwo: \.debug_rnglists\.dwo: .*'
not_said 'was not found'

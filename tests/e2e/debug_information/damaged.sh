# Damaged debug information never passes for whole: what is missing is said, and where no line is left,
# there is no profile, which would call everything cold.
. "$(dirname "$0")/../oracle.sh"
need llvm-objcopy-22 llvm-readelf-22

make_subject() {
  build -Wl,--compress-debug-sections=zlib
  record prog.perf ./prog
}

with_subject
subject=$PWD
cd "$work"

# damage BINARY SECTION OFFSET TEXT: overwrites bytes of a section, where it is in the file.
damage() {
  local at
  at=$(llvm-readelf-22 -SW "$1" | sed -n "s/.* \\$2  *[A-Z0-9_]*  *[0-9a-f]* \\([0-9a-f]*\\) .*/\\1/p")
  [ -n "$at" ] || fail "$1 has no $2"
  printf "$4" | dd of="$1" bs=1 seek=$((0x$at + $3)) conv=notrunc status=none
}
convert() { "$pgo" convert "$subject/prog.perf" --binary prog -o llvm-text:out.text 2> convert.log; }

# Four bytes of the compressed line table: no code has a line any more.
cp "$subject/prog" prog
damage prog .debug_line 100 '\377\000\377\000'
status=0
convert || status=$?
[ "$status" = 2 ] || { cat convert.log; fail "exit status $status"; }
grep -Fx "pgo: error: no code that ran has a line in the debug information: prog: its debug information is damaged: .debug_line: zlib error: Z_DATA_ERROR; the code described there is missing from the profile" \
  convert.log > /dev/null || { cat convert.log; fail "another text"; }
[ ! -e out.text ] || fail "a profile was written"
"$pgo" doctor prog > doctor.txt || true  # the machine may lack something
grep -Fx "  warning  damage         its debug information is damaged: .debug_line: zlib error: Z_DATA_ERROR" doctor.txt > /dev/null ||
  { cat doctor.txt; fail "pgo doctor does not say that the file is damaged"; }
"$pgo" doctor "$subject/prog" > doctor.txt || true
if grep "warning  damage" doctor.txt; then fail "a whole file is called damaged"; fi

# The entries themselves: there is nothing to read.
cp "$subject/prog" prog
damage prog .debug_info 100 '\377\000\377\000'
status=0
convert || status=$?
[ "$status" = 2 ] || { cat convert.log; fail "exit status $status"; }
grep -Fx "pgo: error: prog: its debug information is damaged: .debug_info: zlib error: Z_DATA_ERROR; build or copy the file again, or name its debug file with --debug-file" \
  convert.log > /dev/null || { cat convert.log; fail "another text"; }

# The ranges of the code of one unit, and of functions in several pieces: the rest is there.
llvm-objcopy-22 --decompress-debug-sections "$subject/prog" prog
damage prog .debug_rnglists 12 '\377\377\377\377'
convert || { cat convert.log; fail "no profile of the rest"; }
grep -x "pgo: warning: prog: its debug information is damaged: .debug_info: decoding address ranges: invalid range list offset 0x[0-9a-f]*; the code described there is missing from the profile" \
  convert.log > /dev/null || { cat convert.log; fail "no warning, or another text"; }
llvm-objcopy-22 --decompress-debug-sections "$subject/prog" prog
damage prog .debug_rnglists 60 "$(printf '\\377%.0s' {1..64})"
convert || { cat convert.log; fail "no profile of the rest"; }
grep -x "pgo: warning: prog: its debug information is damaged: .debug_rnglists: invalid range list offset 0x[0-9a-f]*; the code described there is missing from the profile" \
  convert.log > /dev/null || { cat convert.log; fail "no warning, or another text"; }

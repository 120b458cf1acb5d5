# Compressed debug sections, an executable segment that begins at the start of the file, and large pages.
. "$(dirname "$0")/../oracle.sh"

make_subject() {
  build -Wl,--compress-debug-sections=zlib -Wl,--no-rosegment -Wl,-z,max-page-size=0x200000
  llvm-readelf-22 -SW prog | grep -E '\.debug_line .* C ' > /dev/null
  record prog.perf ./prog
  ask_profgen
  ask_perf2bolt
}

with_subject
same_as_profgen
same_as_perf2bolt

# Compressed debug sections, an executable segment that begins at the start of the file, and large pages.
. "$(dirname "$0")/../oracle.sh"

compile() {
  build -Wl,--compress-debug-sections=zlib -Wl,--no-rosegment -Wl,-z,max-page-size=0x200000
  llvm-readelf-22 -SW prog | grep -E '\.debug_line .* C ' > /dev/null
}

compare_with_reference_tools

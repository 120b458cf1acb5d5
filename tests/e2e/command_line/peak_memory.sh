# A command takes no more memory than docs/reference/limits.md says, whatever its input claims, and ends by itself.
. "$(dirname "$0")/../prelude.sh"
need zstd
! grep -F -- -fsanitize "$BUILD_DIR/CMakeCache.txt" > /dev/null || skip "sanitizers take memory of their own"

python3 "$here/hostile_files.py" files
python3 "$here/peak_memory.py" "$pgo" files
rm -r files

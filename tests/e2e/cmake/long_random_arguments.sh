# As random_arguments, with a thousand other seeds.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
python3 "$here/random_cmake_arguments.py" "$BUILD_DIR" 1001 2000 || fail "CMake finds faults in the package"

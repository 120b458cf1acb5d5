# Whatever words the functions of the CMake package are given, they take them or say what is wrong with them. These
# seeds are fixed; long_random_arguments has more of them.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"
python3 "$here/random_cmake_arguments.py" "$BUILD_DIR" 1 40 || fail "CMake finds faults in the package"

# Sourced, after prelude.sh, by the tests of the CMake package: makes small projects, configures and
# builds them with the package of the build tree.
need cmake ninja clang-22 clang++-22
unset CMAKE_BUILD_TYPE CMAKE_GENERATOR CMAKE_PREFIX_PATH CC CXX CFLAGS CXXFLAGS LDFLAGS
export CMAKE_BUILD_PARALLEL_LEVEL=2 CCACHE_DISABLE=1

# project DIRECTORY: a program of two languages, a static library and a generated source. What follows
# project() and the targets is read from standard input.
project() {
  mkdir -p "$1/lib"
  cat > "$1/lib/scale.c" <<'EOF'
static int __attribute__((noinline)) inner(int x) { return x % 3 == 0 ? x * 7 : x + 1; }
int scale(int x) { return inner(x) + inner(x + 1); }
EOF
  cat > "$1/table.in" <<'EOF'
static int __attribute__((noinline)) inner(int x) { return x % 5 == 0 ? x * 3 : x - 1; }
int table(int x) { return inner(x) - inner(x + 2); }
EOF
  cat > "$1/main.cc" <<'EOF'
#include <cstdio>
#include <cstdlib>
extern "C" int scale(int x);
int table(int x);
static int __attribute__((noinline)) inner(int x) { return x % 2 == 0 ? scale(x) : table(x); }
int main(int argc, char** argv) {
  unsigned sum = 0;
  int rounds = argc > 1 ? std::atoi(argv[1]) : 1000;
  for (int i = 0; i < rounds; i++) sum += static_cast<unsigned>(inner(i));
  std::printf("%u\n", sum);
}
EOF
  {
    cat <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES C CXX)
find_package(ProdPGO REQUIRED)
add_custom_command(OUTPUT generated/table.cc DEPENDS table.in
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/table.in generated/table.cc)
add_library(scale STATIC lib/scale.c)
add_executable(small main.cc generated/table.cc)
target_link_libraries(small PRIVATE scale)
EOF
    cat
  } > "$1/CMakeLists.txt"
  # Of no recording: what matters is that there is one.
  printf 'main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n' > "$1/small.proftext"
}

# What CMake finds out about clang in a new build tree takes it ten times as long as the rest, and is always the same.
# So one tree finds it out, and its files are $compilers/CMakeFiles; what it put into the cache is $compilers/cache.cmake.
compilers=$BUILD_DIR/tests/e2e/subjects/compilers
by_clang="-DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22"
find_compilers() {
  local stamp
  stamp=$(stat -L -c '%n %s %Y' $(type -P cmake ninja clang-22 clang++-22) && uname -r)
  [ "$(cat "$compilers/stamp" 2> /dev/null)" != "$stamp" ] || return 0
  rm -rf "$compilers"
  mkdir -p "$compilers/source"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(compilers LANGUAGES C CXX)' > "$compilers/source/CMakeLists.txt"
  cmake -S "$compilers/source" -B "$compilers" -G Ninja $by_clang > "$compilers/log" 2>&1 ||
    { cat "$compilers/log"; fail "cannot configure an empty project"; }
  sed -nE '/MAKE_PROGRAM/d; s|^(CMAKE_[A-Z_]+):FILEPATH=(.*)|set(\1 "\2" CACHE FILEPATH "")|p' "$compilers/CMakeCache.txt" \
    > "$compilers/cache.cmake"
  printf 'set(%s CACHE INTERNAL "")\n' "CMAKE_EXECUTABLE_FORMAT ELF" "CMAKE_PLATFORM_INFO_INITIALIZED 1" >> "$compilers/cache.cmake"
  echo "$stamp" > "$compilers/stamp"
}
mkdir -p "${compilers%/*}"
exec 9> "$compilers.lock"
flock 9
find_compilers
exec 9>&-

# configure BUILD [OPTION]...: of the project in $source (default: source), by clang, with Ninja unless
# an option says otherwise. What cmake says is in BUILD.log.
configure() {
  local found=()
  if [ ! -e "$1/CMakeCache.txt" ] && [[ " ${*:2} " != *_COMPILER=* ]]; then
    mkdir -p "$1/CMakeFiles"
    cp -r "$compilers"/CMakeFiles/[0-9]* "$1/CMakeFiles"
    found=(-C "$compilers/cache.cmake")
  fi
  cmake -S "${source:-source}" -B "$1" -G "${generator:-Ninja}" -Wno-dev "${found[@]}" \
    -DCMAKE_PREFIX_PATH="$BUILD_DIR" -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
    $by_clang "${@:2}" > "$1.log" 2>&1
}
must_configure() { configure "$@" || { cat "$1.log"; fail "cannot configure $1"; }; }

# build BUILD [OPTION]...: what was run is in BUILD.made.
build() {
  cmake --build "$1" --verbose "${@:2}" > "$1.made" 2>&1 || { cat "$1.made"; fail "cannot build $1"; }
}
# built BUILD: which objects and programs the last build made, one word.
built() { grep -oE -- '-o [^ ]*(\.o|small)( |$)' "$1.made" | sed 's|.*/||; s|-o ||; s| ||g' | sort | tr '\n' ' '; }

# says TEXT FILE, never TEXT FILE: whatever the lines are broken into.
contains() { tr -s ' \n' ' ' < "$2" | grep -F -- "$1" > /dev/null; }
says() { contains "$@" || { cat "$2"; fail "does not say: $1"; }; }
never() { ! contains "$@" || { cat "$2"; fail "says: $1"; }; }

# The builds of queryd. Sourced by the demo, in the directory of the sources.

# release NAME [OPTION]...: builds the program, keeps it as NAME, and archives it.
release() {
  local name=$1 files=$1
  shift
  echo "$ cmake -S . -B build${*:+ $*} && cmake --build build && cp build/queryd $name"
  { cmake -S . -B build "$@" && cmake --build build; } > "$name.log" 2>&1 || { cat "$name.log" >&2; return 2; }
  grep -E '^(ProdPGO|pgo): warning: ' "$name.log" || true
  cp build/queryd "$name"
  if [ -e build/queryd.prebolt ]; then  # llvm-bolt's input, where BOLT ran
    cp build/queryd.prebolt "$name.prebolt"
    files="$name $name.prebolt"
  fi
  show '^pgo: ' pgo archive $files --to dir:builds
}

# change PATCH [OPTION]...: changes the sources.
change() { show '^patching' patch -p1 "${@:2}" -i "$here/demo/$1"; }

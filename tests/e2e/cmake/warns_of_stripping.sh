# What would fail only after the link, or in production, is said at once: a link that strips, and a check
# of BOLT's result that does not name it.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

project source <<'EOF'
prodpgo_profile(small FILE small.proftext)
if(ASK_BOLT)
  prodpgo_optimize(small PROFILE small BOLT BOLT_CHECK "${CHECK}")
else()
  prodpgo_profilable(small)
endif()
target_link_options(small PRIVATE ${LATER})
EOF
# fresh BUILD [OPTION]...: nothing is left of earlier options.
fresh() { rm -rf "$1"; configure "$@"; }
instead="Link without it, keep that file, and strip the installed files: cmake --install . --strip, or CPACK_STRIP_FILES."
for strip in -DCMAKE_EXE_LINKER_FLAGS=-s -DCMAKE_EXE_LINKER_FLAGS_RELEASE=-Wl,-O1,-s -DLATER=LINKER:-s \
  '-DLATER=$<$<CONFIG:Release>:-s>' -DCMAKE_CXX_FLAGS=-s; do
  fresh stripped "$strip"
  says "small is linked with -s: recordings of a program linked this way cannot be converted. $instead" stripped.log
done
fresh stripped -DLATER=-Wl,--strip-all -DASK_BOLT=ON
says "small is linked with --strip-all: linkers then drop the relocations that BOLT needs. $instead" stripped.log

# What strips another kind, another configuration or less.
for other in -DCMAKE_SHARED_LINKER_FLAGS=-s -DCMAKE_EXE_LINKER_FLAGS_DEBUG=-s -DLATER=-static-libgcc \
  "-DCMAKE_BUILD_TYPE=Debug -DLATER=-s" -DLATER=-Wl,--strip-debug; do
  fresh other $other
  never "is linked with" other.log
done

! fresh check -DASK_BOLT=ON "-DCHECK=true --version" || fail "takes a check of nothing"
says "BOLT_CHECK 'true --version' has no {} for the path of the program to check" check.log
fresh check -DASK_BOLT=ON "-DCHECK={} --version"

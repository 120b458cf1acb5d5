# The warnings that this code is kept free of, on the oldest and the newest compiler supported.
add_library(prodpgo_warnings INTERFACE)
target_compile_options(prodpgo_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion
  $<$<BOOL:${PRODPGO_WERROR}>:-Werror>)
# Both warn about code of the standard library: g++ 12 about every string + literal when optimizing (GCC
# bug 105651; of bounds, too, where headers are precompiled), clang about what std::stable_sort of
# libstdc++ 12 calls.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(prodpgo_warnings INTERFACE -Wno-restrict
    $<$<BOOL:${PRODPGO_PRECOMPILED_HEADERS}>:-Wno-array-bounds -Wno-stringop-overflow>)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(prodpgo_warnings INTERFACE -Wno-deprecated-declarations)
endif()

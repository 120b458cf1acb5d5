# Headers that most units of a target read take half of its compile time; precompiled, nearly none. What a unit
# uses it still includes itself: the debug preset goes without precompiled headers and shows what is missing.
option(PRODPGO_PRECOMPILED_HEADERS "Precompile the headers that most units read" ON)

# prodpgo_precompile(<target> <header>...): these, without brackets, and the standard library's.
function(prodpgo_precompile target)
  if(NOT PRODPGO_PRECOMPILED_HEADERS)
    return()
  endif()
  set(headers algorithm array charconv cstdint cstring filesystem functional map memory optional set span string
    string_view tuple utility vector ${ARGN})
  list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
  target_precompile_headers(${target} PRIVATE ${headers})
  # What ccache needs to see through them.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endfunction()

# prodpgo_share_precompiled(<target> <owner>): those of <owner>, which is compiled with the same options.
function(prodpgo_share_precompiled target owner)
  if(NOT PRODPGO_PRECOMPILED_HEADERS)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endfunction()

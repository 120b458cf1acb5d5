# Adds the flags of the table (ProdPGOFlags.cmake) that make code profilable and apply a profile, for clang and for
# GCC. Hidden options of LLVM come and go between versions: each is tried before it is used.
include(CheckCCompilerFlag)
include(CheckCXXCompilerFlag)

# Sets <result> to whether the compiler of <language> has all of these hidden options of LLVM, without dash.
function(_prodpgo_has_llvm_options language options result)
  string(MAKE_C_IDENTIFIER "PRODPGO_${language}_HAS_${options}" variable)
  list(TRANSFORM options PREPEND "-mllvm -")
  list(JOIN options " " flags)
  set(CMAKE_REQUIRED_QUIET TRUE)
  if(language STREQUAL "C")
    check_c_compiler_flag("${flags}" ${variable})
  else()
    check_cxx_compiler_flag("${flags}" ${variable})
  endif()
  set(${result} "${${variable}}" PARENT_SCOPE)
endfunction()

# Sets <result> to those hidden options of LLVM in the table, without dash, that the compiler of <language> has. Each
# trial takes a tenth of a second, and most compilers have them all: so they are tried together first.
function(_prodpgo_known_llvm_options language family purpose step condition result)
  get_property(options GLOBAL PROPERTY PRODPGO_LLVM_OPTIONS_${family}_${purpose}_${step}_${condition})
  set(known "")
  if(options)
    get_property(all GLOBAL PROPERTY PRODPGO_LLVM_OPTIONS_${family})
    _prodpgo_has_llvm_options(${language} "${all}" has_all)
    foreach(option IN LISTS options)
      if(NOT has_all)
        _prodpgo_has_llvm_options(${language} ${option} has_option)
      endif()
      if(has_all OR has_option)
        list(APPEND known ${option})
      endif()
    endforeach()
  endif()
  set(${result} "${known}" PARENT_SCOPE)
endfunction()

# Adds options before those of the target itself, so that these have the last word. <condition> and
# <language> (of compilation, of the link) guard each.
function(_prodpgo_add_compile_options target language condition)
  _prodpgo_guarded("$<COMPILE_LANGUAGE:${language}>" "${condition}" "${ARGN}" options)
  target_compile_options(${target} BEFORE PRIVATE ${options})
endfunction()

function(_prodpgo_add_link_options target language condition)
  _prodpgo_guarded("$<LINK_LANGUAGE:${language}>" "${condition}" "${ARGN}" options)
  target_link_options(${target} BEFORE PRIVATE ${options})
endfunction()

function(_prodpgo_guarded language condition options result)
  if(NOT condition STREQUAL "0")
    # A > in a path must not end the expression around it.
    string(REPLACE ">" "$<ANGLE-R>" options "${options}")
    list(TRANSFORM options REPLACE "(.+)" "$<$<AND:${condition},${language}>:\\1>")
    set(${result} "${options}" PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()

# Sets <result> to options that make names and texts of <target> the same whatever the directories are called, and
# whether its project is built by itself or as a part of another.
#
# Clang hashes the source path as the compiler is given it into the names of static functions
# (-funique-internal-linkage-names), and CMake gives absolute paths. So the source directory of the target's project
# becomes the project's name, and its build directory, where generated sources are, a folder of that. The directories of
# the whole build are for sources of other projects. One may lie inside another: the inner one comes last, because the
# last that matches wins.
function(_prodpgo_prefix_map_options target kind result)
  set(options "")
  if(NOT kind STREQUAL "OFF")
    _prodpgo_directory_variable(${target} PROJECT_NAME project)
    _prodpgo_directory_variable(${target} PROJECT_SOURCE_DIR source)
    _prodpgo_directory_variable(${target} PROJECT_BINARY_DIR binary)
    set(maps "${source}/\n${project}/" "${CMAKE_SOURCE_DIR}/\n${CMAKE_PROJECT_NAME}/")
    if(NOT binary STREQUAL source)
      list(APPEND maps "${binary}/\n${project}/prodpgo-build/")
    endif()
    if(NOT CMAKE_BINARY_DIR STREQUAL CMAKE_SOURCE_DIR)
      list(APPEND maps "${CMAKE_BINARY_DIR}/\n${CMAKE_PROJECT_NAME}/prodpgo-build/")
    endif()
    list(REMOVE_DUPLICATES maps)
    list(SORT maps)  # as no character is before a newline, a directory comes before what is inside it
    string(TOLOWER ${kind} word)
    list(TRANSFORM maps REPLACE "(.*)\n" "-f${word}-prefix-map=\\1=" OUTPUT_VARIABLE options)
    if(kind STREQUAL "FILE")
      # The directory of compilation has no slash at its end.
      list(APPEND options "-fdebug-prefix-map=${CMAKE_BINARY_DIR}=.")
    endif()
  endif()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# Sets <result> to whether clang marks the blocks and calls of <target> with pseudo probes: unless lines are
# asked for, or what clang 22 cannot assemble probes with. A profile by probe cannot do without.
function(_prodpgo_has_probes target result)
  get_target_property(needed ${target} PRODPGO_PROFILE_HAS_PROBES)
  get_target_property(lines ${target} PRODPGO_LINES)
  _prodpgo_option_text(${target} text)
  set(conflict FALSE)
  if(text MATCHES "-fsplit-machine-functions|-fbasic-block-sections=(all|list)")
    set(conflict TRUE)
  endif()
  set(${result} TRUE PARENT_SCOPE)
  if(needed AND conflict)
    _prodpgo_warn("${target}: its profile is by pseudo probe, with which clang cannot assemble ${CMAKE_MATCH_0}; \
leave that out, or make the profile with pgo convert --by-line")
  elseif(NOT needed AND (lines OR conflict))
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Makes code profilable. Requests (LINES, BOLT, PREFIX_MAP) are properties of the target.
function(_prodpgo_compile_profilable target language family)
  _prodpgo_configurations(${target} ${language} optimized bare)
  _prodpgo_condition("${optimized}" condition)
  _prodpgo_condition("${bare}" bare_condition)
  get_target_property(prefix_map ${target} PRODPGO_PREFIX_MAP)
  _prodpgo_prefix_map_options(${target} ${prefix_map} options)
  _prodpgo_flags(${family} profilable compile always always)
  list(APPEND options ${always})
  if(family STREQUAL "clang")
    _prodpgo_has_probes(${target} has_probes)
    if(has_probes)
      _prodpgo_flags(${family} profilable compile probes probes)
      list(APPEND options ${probes})
    endif()
  endif()
  get_target_property(is_for_bolt ${target} PRODPGO_BOLT)
  if(is_for_bolt)
    _prodpgo_flags(${family} profilable compile bolt bolt)
    list(APPEND options ${bolt})
  endif()
  _prodpgo_known_llvm_options(${language} ${family} profilable compile always known)
  list(TRANSFORM known PREPEND "SHELL:-mllvm -" OUTPUT_VARIABLE shell)
  _prodpgo_flags(${family} profilable compile without-debug-option debug)
  _prodpgo_add_compile_options(${target} ${language} "${bare_condition}" ${debug})
  _prodpgo_add_compile_options(${target} ${language} "${condition}" ${options} ${shell})
  _prodpgo_link_llvm_options(${target} ${language} "${optimized}" "${known}")
endfunction()

# Applies the profile at <path>.
function(_prodpgo_compile_optimized target language family path)
  _prodpgo_configurations(${target} ${language} optimized bare)
  _prodpgo_condition("${optimized}" condition)
  _prodpgo_flags(${family} profile compile always options)
  string(REPLACE "{profile}" "${path}" options "${options}")
  _prodpgo_known_llvm_options(${language} ${family} profile compile always known)
  list(TRANSFORM known PREPEND "SHELL:-mllvm -" OUTPUT_VARIABLE shell)
  _prodpgo_add_compile_options(${target} ${language} "${condition}" ${options} ${shell})

  _prodpgo_lto_configurations(${target} "${optimized}" lto)
  set(without_lto ${optimized})
  if(lto)
    list(REMOVE_ITEM without_lto ${lto})
  endif()
  _prodpgo_condition("${without_lto}" condition)
  _prodpgo_known_llvm_options(${language} ${family} profile compile without-lto outside)
  list(TRANSFORM outside PREPEND "SHELL:-mllvm -" OUTPUT_VARIABLE shell)
  _prodpgo_add_compile_options(${target} ${language} "${condition}" ${shell})

  _prodpgo_flags(${family} profile lto-link always options)
  string(REPLACE "{profile}" "${path}" options "${options}")
  _prodpgo_link_llvm_options(${target} ${language} "${optimized}" "${known}" ${options})
endfunction()

# With link-time optimization the linker compiles: it is given the same options of LLVM, and <ARGN> as it
# is. lld and, through LLVM's plugin, bfd know both spellings of -plugin-opt.
function(_prodpgo_link_llvm_options target language optimized llvm_options)
  if(NOT _prodpgo_is_linked)
    return()
  endif()
  _prodpgo_lto_configurations(${target} "${optimized}" lto)
  _prodpgo_condition("${lto}" condition)
  list(TRANSFORM llvm_options PREPEND "LINKER:-plugin-opt=-" OUTPUT_VARIABLE options)
  _prodpgo_add_link_options(${target} ${language} "${condition}" ${ARGN} ${options})
endfunction()

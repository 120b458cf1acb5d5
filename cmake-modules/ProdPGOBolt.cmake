# BOLT after the link: what the linker made is kept as <file>.prebolt, and `pgo bolt` makes the file that
# everything else sees: what runs, what is installed, what debug files are split from.
#
# <file>.prebolt is the binary to record for the next BOLT profile.

# Must run in the directory that <target> belongs to, as CMake asks of commands after a link.
function(_prodpgo_add_bolt caller target condition path)
  get_target_property(directory ${target} SOURCE_DIR)
  if(NOT directory STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "${caller}: with BOLT, call this in ${directory}/CMakeLists.txt, "
      "where ${target} is made")
  endif()
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "CHECK;ON_FAILURE" "OPTIONS")
  set(file "$<TARGET_FILE:${target}>")
  set(command $<TARGET_FILE:ProdPGO::pgo> bolt "$<TARGET_FILE_NAME:${target}>.prebolt"
    -o "$<TARGET_FILE_NAME:${target}>" --profile "${path}")
  if(arg_CHECK)
    list(APPEND command --check "${arg_CHECK}")
  endif()
  if(arg_ON_FAILURE)
    list(APPEND command --on-failure ${arg_ON_FAILURE})
  endif()
  if(arg_OPTIONS)
    list(APPEND command -- ${arg_OPTIONS})
  endif()
  # Names relative to its directory: llvm-bolt writes its command line into what it makes.
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "$<${condition}:${CMAKE_COMMAND};-E;rename;${file};${file}.prebolt>"
    COMMAND "$<${condition}:${CMAKE_COMMAND};-E;chdir;$<TARGET_FILE_DIR:${target}>;${command}>"
    COMMENT "BOLT ${target}" COMMAND_EXPAND_LISTS VERBATIM)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS
    "${path}" $<TARGET_FILE:ProdPGO::pgo>)
  set_property(TARGET ${target} APPEND PROPERTY ADDITIONAL_CLEAN_FILES "${file}.prebolt")
  add_dependencies(${target} ProdPGO::pgo)
  _prodpgo_choose_strip(${caller})
endfunction()

# GNU strip makes a BOLTed binary crash; llvm-strip does not. `install --strip` and CPack run CMAKE_STRIP.
function(_prodpgo_choose_strip caller)
  if(CMAKE_STRIP MATCHES "llvm-strip[^/]*$")
    return()
  endif()
  # clang's own directory has one.
  set(compiler "${CMAKE_CXX_COMPILER}")
  if(NOT compiler)
    set(compiler "${CMAKE_C_COMPILER}")
  endif()
  file(REAL_PATH "${compiler}" compiler)
  cmake_path(GET compiler PARENT_PATH directory)
  find_program(PRODPGO_LLVM_STRIP NAMES llvm-strip llvm-strip-22
    HINTS "${directory}" /usr/lib/llvm-22/bin)
  if(PRODPGO_LLVM_STRIP)
    message(STATUS "${caller}: stripping is done by ${PRODPGO_LLVM_STRIP}")
    set(CMAKE_STRIP "${PRODPGO_LLVM_STRIP}" CACHE FILEPATH "GNU strip makes BOLTed binaries crash" FORCE)
  else()
    message(WARNING "${caller}: llvm-strip was not found, and ${CMAKE_STRIP} makes BOLTed binaries crash: "
      "do not strip what is installed, or install llvm and set CMAKE_STRIP to its llvm-strip.")
  endif()
endfunction()

# BOLT after the link: what the linker made is kept as <file>.prebolt, and `pgo bolt` makes the file that
# everything else sees: what runs, what is installed, what debug files are split from.
#
# <file>.prebolt is the binary to record for the next BOLT profile; <file>.bolt.log has all that llvm-bolt said.

# Notes what is asked of the step; _prodpgo_choose_bolt turns it into commands. Reads arg_ of its caller.
function(_prodpgo_request_bolt caller target profile)
  get_target_property(other ${target} PRODPGO_BOLT_PROFILE)
  get_property(has_steps TARGET ${target} PROPERTY PRODPGO_BOLT_STEP SET)
  if(other)
    message(FATAL_ERROR "${caller}: it has a profile for BOLT already, ${other}")
  elseif(NOT has_steps)
    get_target_property(directory ${target} SOURCE_DIR)
    message(FATAL_ERROR "${caller}: with BOLT, call this in ${directory}/CMakeLists.txt, "
      "where ${target} is made")
  endif()
  set_property(TARGET ${target} PROPERTY PRODPGO_BOLT_PROFILE ${profile})
  # As lists that commands are made of: these texts may hold any character.
  string(REPLACE ";" "\\;" check "${arg_BOLT_CHECK}")
  if(check)
    set_property(TARGET ${target} PROPERTY PRODPGO_BOLT_CHECK --check "${check}")
  endif()
  if(arg_BOLT_STALE)
    cmake_path(ABSOLUTE_PATH arg_BOLT_STALE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    set_property(TARGET ${target} PROPERTY PRODPGO_BOLT_STALE --stale "${arg_BOLT_STALE}")
  endif()
  if(arg_BOLT_ON_FAILURE)
    set_property(TARGET ${target} PROPERTY PRODPGO_BOLT_ON_FAILURE --on-failure ${arg_BOLT_ON_FAILURE})
  endif()
  if(arg_BOLT_OPTIONS)
    set_property(TARGET ${target} PROPERTY PRODPGO_BOLT_OPTIONS "--;${arg_BOLT_OPTIONS}")
  endif()
endfunction()

# At the end of the configuration, when it is known whether <target> is optimised.
function(_prodpgo_choose_bolt target)
  get_target_property(profile ${target} PRODPGO_BOLT_PROFILE)
  _prodpgo_optimised_when(${target} condition)
  if(NOT profile OR condition STREQUAL "0")
    return()
  endif()
  _prodpgo_find_profile("prodpgo_optimize(${target})" ${profile} bolt path)
  _prodpgo_find_stale(${target} stale)
  if(NOT path OR stale MATCHES "NOTFOUND$")
    return()
  endif()
  get_property(is_asked TARGET ${target} PROPERTY PRODPGO_BOLT_ON_FAILURE SET)
  if(PRODPGO_REQUIRED AND NOT is_asked)
    set_property(TARGET ${target} PROPERTY PRODPGO_BOLT_ON_FAILURE --on-failure error)
  endif()
  set(file "$<TARGET_FILE:${target}>")
  # Names relative to its directory: llvm-bolt writes its command line into what it makes.
  set(command ${CMAKE_COMMAND} -E chdir "$<TARGET_FILE_DIR:${target}>"
    $<TARGET_FILE:ProdPGO::pgo> bolt "$<TARGET_FILE_NAME:${target}>.prebolt"
    -o "$<TARGET_FILE_NAME:${target}>" --profile "${path}" --log "$<TARGET_FILE_NAME:${target}>.bolt.log")
  foreach(property IN ITEMS STALE CHECK ON_FAILURE OPTIONS)
    # By name: a > in it must not end the expression around it.
    set(value "$<TARGET_PROPERTY:${target},PRODPGO_BOLT_${property}>")
    list(APPEND command "$<TARGET_GENEX_EVAL:${target},${value}>")
  endforeach()
  set_property(TARGET ${target} PROPERTY PRODPGO_PREBOLT_STEP
    "$<${condition}:${CMAKE_COMMAND};-E;rename;${file};${file}.prebolt>")
  set_property(TARGET ${target} PROPERTY PRODPGO_BOLT_STEP "$<${condition}:${command}>")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS
    "${path}" ${stale} $<TARGET_FILE:ProdPGO::pgo>)
  set_property(TARGET ${target} APPEND PROPERTY ADDITIONAL_CLEAN_FILES "${file}.prebolt" "${file}.bolt.log")
  add_dependencies(${target} ProdPGO::pgo)
  _prodpgo_choose_strip("prodpgo_optimize(${target})" ${target})
endfunction()

# Sets <stale> to the earlier build that the BOLT profile of <target> is of: to nothing when none is named, to
# NOTFOUND, which is said, when it is not there.
function(_prodpgo_find_stale target stale)
  get_target_property(option ${target} PRODPGO_BOLT_STALE)
  if(NOT option)
    set(${stale} "" PARENT_SCOPE)
    return()
  endif()
  list(GET option 1 path)
  if(EXISTS "${path}" AND NOT IS_DIRECTORY "${path}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    set(${stale} "${path}" PARENT_SCOPE)
    return()
  endif()
  _prodpgo_watch_for("${path}")
  set(${stale} NOTFOUND PARENT_SCOPE)
  set(what "there is no file ${path}")
  if(IS_DIRECTORY "${path}")
    set(what "${path} is a directory, not a file")
  endif()
  string(CONCAT text "prodpgo_optimize(${target} ... BOLT_STALE): ${what}; name a copy of the build that the BOLT "
    "profile is of, as it was before BOLT (${target}.prebolt, if BOLT was on), kept outside this build.")
  if(PRODPGO_REQUIRED)
    message(FATAL_ERROR "${text}")
  endif()
  message(WARNING "${text} Building without BOLT until then; PRODPGO_REQUIRED=ON makes this an error.")
endfunction()

# GNU strip makes a BOLTed binary crash; llvm-strip does not. `install --strip` and CPack run CMAKE_STRIP.
function(_prodpgo_choose_strip caller target)
  if(CMAKE_STRIP MATCHES "llvm-strip[^/]*$")
    return()
  endif()
  # clang's own directory has one.
  _prodpgo_directory_variable(${target} CMAKE_CXX_COMPILER compiler)
  if(NOT compiler)
    _prodpgo_directory_variable(${target} CMAKE_C_COMPILER compiler)
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

# The steps after the link, in their order: the profile is looked for in what the linker made, then comes
# BOLT. What they run, if anything, is known at the end of the configuration.
#
# CMake takes steps in the directory of the target only. When prodpgo_optimize is called below it, they are added at
# its end; called after that end, there are none, and what is left undone is said.

function(_prodpgo_add_steps target)
  get_target_property(type ${target} TYPE)
  get_target_property(directory ${target} SOURCE_DIR)
  get_property(is_done TARGET ${target} PROPERTY PRODPGO_CHECK_STEP SET)
  if(is_done OR type MATCHES "STATIC|OBJECT")
    return()
  endif()
  set(unfinished "${CMAKE_CURRENT_SOURCE_DIR}")
  while(NOT unfinished STREQUAL directory)
    get_directory_property(unfinished DIRECTORY "${unfinished}" PARENT_DIRECTORY)
    if(NOT unfinished)
      return()
    endif()
  endwhile()
  foreach(step IN ITEMS CHECK PREBOLT BOLT)
    set_property(TARGET ${target} PROPERTY PRODPGO_${step}_STEP "")
  endforeach()
  if(directory STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    _prodpgo_add_step_commands(${target})
  else()
    cmake_language(EVAL CODE
      "cmake_language(DEFER DIRECTORY [==[${directory}]==] CALL _prodpgo_add_step_commands ${target})")
  endif()
endfunction()

function(_prodpgo_add_step_commands target)
  foreach(step IN ITEMS CHECK PREBOLT BOLT)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},PRODPGO_${step}_STEP>>"
      COMMAND_EXPAND_LISTS VERBATIM)
  endforeach()
endfunction()

# At the end of the configuration: what is left undone for want of steps.
function(_prodpgo_hear_no_steps target)
  get_property(has_steps TARGET ${target} PROPERTY PRODPGO_CHECK_STEP SET)
  get_target_property(path ${target} PRODPGO_APPLIED_COPY)
  get_target_property(min_match ${target} PRODPGO_MIN_MATCH)
  get_target_property(bolt ${target} PRODPGO_BOLT_PROFILE)
  _prodpgo_optimised_when(${target} condition)
  set(undone "")
  if(bolt AND NOT condition STREQUAL "0")
    list(APPEND undone "BOLT is not run")
  endif()
  if(path AND NOT min_match EQUAL 0)
    list(APPEND undone "its profile is not compared with the build")
  endif()
  if(has_steps OR NOT undone)
    return()
  endif()
  list(JOIN undone ", and " undone)
  get_target_property(directory ${target} SOURCE_DIR)
  set(kind WARNING)
  if(PRODPGO_REQUIRED)
    set(kind FATAL_ERROR)
  endif()
  message(${kind} "prodpgo_optimize(${target}): ${undone}: CMake takes steps after the link until the directory of a "
    "target is done, and no more. Call this in ${directory}/CMakeLists.txt; docs/guide/cmake.md says how without editing it.")
endfunction()

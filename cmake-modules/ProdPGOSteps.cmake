# The steps after the link, in their order: the profile is looked for in what the linker made, then comes
# BOLT. What they run, if anything, is known at the end of the configuration.
#
# CMake takes steps in the directory of the target only. When prodpgo_optimize is called below it, they are added at
# its end; called after that end, they are run by a launcher of the link.

function(_prodpgo_add_steps target)
  get_target_property(type ${target} TYPE)
  get_target_property(directory ${target} SOURCE_DIR)
  get_property(is_done TARGET ${target} PROPERTY PRODPGO_CHECK_STEP SET)
  foreach(step IN ITEMS CHECK PREBOLT BOLT)
    set_property(TARGET ${target} PROPERTY PRODPGO_${step}_STEP "")
  endforeach()
  if(is_done OR type MATCHES "STATIC|OBJECT")
    return()
  endif()
  set(unfinished "${CMAKE_CURRENT_SOURCE_DIR}")
  while(NOT unfinished STREQUAL directory)
    get_directory_property(unfinished DIRECTORY "${unfinished}" PARENT_DIRECTORY)
    if(NOT unfinished)
      set_property(TARGET ${target} PROPERTY PRODPGO_LAUNCHED TRUE)
      return()
    endif()
  endwhile()
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

# At the end of the configuration: the steps of a target that could take none. A launcher cannot differ between
# configurations before CMake 3.27, so the steps are in a file for each, which after_link.sh finds by what is linked.
function(_prodpgo_launch_steps target)
  get_target_property(is_launched ${target} PRODPGO_LAUNCHED)
  set(steps "")
  foreach(step IN ITEMS CHECK PREBOLT BOLT)
    get_target_property(command ${target} PRODPGO_${step}_STEP)
    if(command)
      string(APPEND steps
        "$<JOIN:$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},PRODPGO_${step}_STEP>>,\n>\n;\n")
    endif()
  endforeach()
  if(NOT is_launched OR NOT steps)
    return()
  endif()
  set(directory "${CMAKE_BINARY_DIR}/prodpgo/steps/${target}")
  file(GENERATE OUTPUT "${directory}/of_$<CONFIG>.steps" CONTENT "$<TARGET_FILE:${target}>\n${steps}" TARGET ${target})
  set(launcher "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/after_link.sh")
  foreach(language IN ITEMS C CXX)
    get_target_property(other ${target} ${language}_LINKER_LAUNCHER)
    if(NOT other)
      set(other "")
    endif()
    set_property(TARGET ${target} PROPERTY ${language}_LINKER_LAUNCHER sh "${launcher}" "${directory}" ${other})
  endforeach()
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${directory}/of_$<CONFIG>.steps" "${launcher}")
endfunction()

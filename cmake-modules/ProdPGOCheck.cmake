# Does the profile match the build? After the link of a target with a profile, `pgo match` compares the two and
# warns when the match rate is low: compilers read a profile of other code without a word. It makes no file, so
# that nothing is built again for it.
#
# It reads the copy that the compiler read, and shows the FILE of prodpgo_profile instead, which is the name that
# people know; that file may have other bytes by then, when something replaces it during the build.
#
# A profile that several programs or libraries of one build use has functions of all of them: `--several` leaves out
# those of the others. GCC's profiles cannot be compared.

# At the end of the configuration, when it is known who has which profile.
function(_prodpgo_choose_check target)
  get_target_property(profile ${target} PRODPGO_PROFILE)
  get_target_property(path ${target} PRODPGO_APPLIED_COPY)
  get_target_property(min_match ${target} PRODPGO_MIN_MATCH)
  if(NOT path OR min_match EQUAL 0)
    return()
  endif()
  get_property(file GLOBAL PROPERTY PRODPGO_PROFILE_${profile}_clang_FILE)
  set(severity --warn)
  if(PRODPGO_REQUIRED)
    set(severity --error)
  endif()
  # Paths by name: a > in one must not end the expression around it.
  set_property(TARGET ${target} PROPERTY PRODPGO_APPLIED_FILE "${file}")
  set(command $<TARGET_FILE:ProdPGO::pgo> match $<TARGET_FILE:${target}>
    --profile $<TARGET_PROPERTY:${target},PRODPGO_APPLIED_COPY> ${severity})
  if(min_match MATCHES "^[0-9]+$")
    list(APPEND command --min-match ${min_match})
  endif()
  get_property(binaries GLOBAL PROPERTY PRODPGO_APPLIED_TO_${profile})
  list(REMOVE_DUPLICATES binaries)
  list(LENGTH binaries binaries)
  if(binaries GREATER 1)
    list(APPEND command --several)
  endif()
  # Last: behind a [ or a backslash the list would not be split.
  list(APPEND command --shown-as $<TARGET_PROPERTY:${target},PRODPGO_APPLIED_FILE>)
  _prodpgo_optimized_when(${target} condition)
  set_property(TARGET ${target} PROPERTY PRODPGO_CHECK_STEP "$<${condition}:${command}>")
  add_dependencies(${target} ProdPGO::pgo)
endfunction()

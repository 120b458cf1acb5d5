# Was the profile applied? After the link of what has one, `pgo show --applied` compares the two and is
# heard when too little of the profile has a place in the code: compilers say nothing of a profile
# of other code. It makes nothing, so nothing is ever built again for it.
# It reads the copy that the compiler read, and calls it by the file of prodpgo_profile: that is the name that is
# known, but its bytes may be others by then, when something replaces it while this builds.
#
# A profile that several programs or libraries of one build are given is of all of them: each is then
# asked for the functions that it has only. GCC's profiles cannot be compared.

# At the end of the configuration, when it is known who has which profile.
function(_prodpgo_choose_check target)
  get_property(has_step TARGET ${target} PROPERTY PRODPGO_CHECK_STEP SET)
  get_target_property(profile ${target} PRODPGO_PROFILE)
  get_target_property(path ${target} PRODPGO_APPLIED_COPY)
  get_target_property(share ${target} PRODPGO_MIN_SHARE)
  if(NOT path OR NOT has_step OR share EQUAL 0)
    return()
  endif()
  get_property(file GLOBAL PROPERTY PRODPGO_PROFILE_${profile}_clang_FILE)
  set(complain warning)
  if(PRODPGO_REQUIRED)
    set(complain error)
  endif()
  set(command $<TARGET_FILE:ProdPGO::pgo> show --applied $<TARGET_FILE:${target}> --profile "${path}"
    --complain ${complain} --shown-as "${file}")
  if(share MATCHES "^[0-9]+$")
    list(APPEND command --min-share ${share})
  endif()
  get_property(binaries GLOBAL PROPERTY PRODPGO_APPLIED_TO_${profile})
  list(REMOVE_DUPLICATES binaries)
  list(LENGTH binaries binaries)
  if(binaries GREATER 1)
    list(APPEND command --several)
  endif()
  _prodpgo_optimised_when(${target} condition)
  set_property(TARGET ${target} PROPERTY PRODPGO_CHECK_STEP "$<${condition}:${command}>")
  add_dependencies(${target} ProdPGO::pgo)
endfunction()

# The reports of pgo convert (--report) say what samples a profile was made of, and by digest which profiles they are
# of. Global properties of a profile, for each user of it (clang, gcc, bolt):
#
#   PRODPGO_PROFILE_<name>_<user>_EVIDENCE   what its counts rest on; unknown without a report
#   PRODPGO_PROFILE_<name>_<user>_quality    and density, split_half_overlap, where the report has them

# Reads the reports of profile <name>, once, when something is built with it.
function(_prodpgo_read_reports name)
  get_property(paths GLOBAL PROPERTY PRODPGO_PROFILE_${name}_REPORT)
  set_property(GLOBAL PROPERTY PRODPGO_PROFILE_${name}_REPORT "")
  foreach(path IN LISTS paths)
    if(EXISTS "${path}" AND NOT IS_DIRECTORY "${path}")
      _prodpgo_read_report(${name} "${path}")
      continue()
    endif()
    _prodpgo_watch_for("${path}")
    set(is "does not exist")
    if(EXISTS "${path}")
      set(is "is a directory")
    endif()
    _prodpgo_warn_or_fail("prodpgo_profile(${name}): the report ${path} ${is}; pgo convert --report writes one"
      "Without it the evidence of the profile is unknown")
  endforeach()
endfunction()

function(_prodpgo_read_report name path)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" text)
  string(JSON evidence ERROR_VARIABLE error GET "${text}" evidence)
  if(error OR NOT evidence MATCHES "^[a-z][a-z-]*$")
    message(FATAL_ERROR "prodpgo_profile(${name}): ${path} is not a report of pgo convert (--report): "
      "it has no \"evidence\"")
  endif()
  set(is_of_it FALSE)
  foreach(user IN ITEMS clang gcc bolt)
    get_property(digest GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_SHA256)
    string(FIND "${text}" "\"sha256:${digest}\"" place)
    if(NOT digest OR place EQUAL -1)
      continue()
    endif()
    set(is_of_it TRUE)
    set_property(GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_EVIDENCE ${evidence})
    foreach(figure IN ITEMS density quality split_half_overlap)
      string(JSON value ERROR_VARIABLE none GET "${text}" ${figure})
      if(value MATCHES "^[a-z0-9.]+$")
        set_property(GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_${figure} ${value})
      endif()
    endforeach()
  endforeach()
  string(JSON quality ERROR_VARIABLE none GET "${text}" quality)
  if(NOT is_of_it)
    _prodpgo_warn_or_fail("prodpgo_profile(${name}): ${path} is the report of another profile: it lists no output with \
the SHA-256 of what FILE names. Put the two beside each other that one run of pgo convert wrote"
      "Without its report the evidence of the profile is unknown")
  elseif(quality STREQUAL "weak")
    _prodpgo_warn("prodpgo_profile(${name}): the quality of this profile is weak (${path}): too little was sampled to \
tell hot code from cold. Record for longer or on more hosts.")
  endif()
endfunction()

# The reports of pgo convert (--report) say what samples a profile was made of, and by digest which profiles they are
# of. Global properties of a profile, for each user of it (clang, gcc, bolt):
#
#   PRODPGO_PROFILE_<name>_<user>_EVIDENCE   what its counts rest on; unknown without a report
#   PRODPGO_PROFILE_<name>_<user>_quality    what they are worth
#   PRODPGO_PROFILE_<name>_<user>_density    and split_half_overlap, where the report has them; not for bolt
#
# A BOLT profile has the counts of one binary: its evidence and quality are those of its own counts. The density of a
# report is that of all binaries together.

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
  string(JSON of_all ERROR_VARIABLE error GET "${text}" evidence)
  if(error OR NOT of_all MATCHES "^[a-z][a-z-]*$")
    message(FATAL_ERROR "prodpgo_profile(${name}): ${path} is not a report of pgo convert (--report): "
      "it has no \"evidence\"")
  endif()
  set(is_of_it FALSE)
  foreach(user IN ITEMS clang gcc bolt)
    get_property(digest GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_SHA256)
    _prodpgo_find_output("${text}" "${digest}" output)
    if(output STREQUAL "")
      continue()
    endif()
    set(is_of_it TRUE)
    string(JSON evidence ERROR_VARIABLE error GET "${text}" outputs ${output} evidence)
    if(error OR NOT evidence MATCHES "^[a-z][a-z-]*$")
      set(evidence ${of_all})  # in a report of an earlier version
    endif()
    set_property(GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_EVIDENCE ${evidence})
    _prodpgo_reported_quality("${text}" ${output} ${user} quality)
    if(quality MATCHES "^[a-z]+$")
      set_property(GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_quality ${quality})
    endif()
    if(user STREQUAL "bolt")
      _prodpgo_copy_report(${name} "${path}")
    else()
      _prodpgo_take_figure(${name} ${user} density 1 "${text}")
      _prodpgo_take_figure(${name} ${user} split_half_overlap 3 "${text}")
    endif()
  endforeach()
  if(NOT is_of_it)
    _prodpgo_warn_or_fail("prodpgo_profile(${name}): ${path} is the report of another profile: it lists no output with \
the SHA-256 of what FILE names. Put the two beside each other that one run of pgo convert wrote"
      "Without its report the evidence of the profile is unknown")
  endif()
endfunction()

# To where pgo bolt looks for the evidence of an fdata profile, which has no place for it.
function(_prodpgo_copy_report name path)
  get_property(kind GLOBAL PROPERTY PRODPGO_PROFILE_${name}_bolt_KIND)
  if(kind STREQUAL "fdata")
    get_property(copy GLOBAL PROPERTY PRODPGO_PROFILE_${name}_bolt)
    file(REMOVE "${copy}.json")
    file(COPY_FILE "${path}" "${copy}.json")
  endif()
endfunction()

# Keeps a number of the report <text>, with so many decimals.
function(_prodpgo_take_figure name user figure decimals text)
  string(JSON value ERROR_VARIABLE error GET "${text}" ${figure})
  _prodpgo_rounded("${value}" ${decimals} value)
  if(NOT error AND value MATCHES "^[0-9.]+$")
    set_property(GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_${figure} ${value})
  endif()
endfunction()

# Says once that what <user> gets of profile <name> is weak.
function(_prodpgo_warn_of_weakness name user)
  get_property(quality GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_quality)
  get_property(file GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_FILE)
  get_property(told GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_WEAK_TOLD)
  if(quality STREQUAL "weak" AND NOT told)
    set_property(GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${user}_WEAK_TOLD TRUE)
    _prodpgo_warn("prodpgo_profile(${name}): the quality of ${file} is weak: too little was sampled to tell hot code \
from cold. Record for longer or on more hosts.")
  endif()
endfunction()

# Sets <index> to the number of the report's output with this digest; empty: it has none.
function(_prodpgo_find_output text digest index)
  set(${index} "" PARENT_SCOPE)
  string(JSON count ERROR_VARIABLE error LENGTH "${text}" outputs)
  if(NOT digest OR error OR count EQUAL 0)
    return()
  endif()
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON other ERROR_VARIABLE error GET "${text}" outputs ${i} digest)
    if(other STREQUAL "sha256:${digest}")
      set(${index} ${i} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets <quality> to what output number <index> of the report is worth to <user>. Reports of earlier versions have one
# quality, of all binaries together. It holds for a compiler's profile, which has the counts of all binaries. A BOLT
# profile has the counts of one, so it holds there only if there was one binary.
function(_prodpgo_reported_quality text index user quality)
  string(JSON value ERROR_VARIABLE error GET "${text}" outputs ${index} quality)
  if(error)
    string(JSON binaries ERROR_VARIABLE none LENGTH "${text}" binaries)
    if(NOT user STREQUAL "bolt" OR binaries EQUAL 1)
      string(JSON value ERROR_VARIABLE error GET "${text}" quality)
    endif()
  endif()
  if(error)
    set(value "")
  endif()
  set(${quality} "${value}" PARENT_SCOPE)
endfunction()

# Sets <text> to <number> as the report has it, with so many decimals: CMake gives 0.99099999999999999 for 0.991, and
# the note in a binary must be the same everywhere. What is no such number stays as it is.
function(_prodpgo_rounded number decimals text)
  if(number MATCHES "^([0-9]+)[.]([0-9]+)$")
    string(REPEAT 0 ${decimals} zeros)
    math(EXPR digits "${decimals} + 1")
    string(SUBSTRING "${CMAKE_MATCH_2}${zeros}" 0 ${digits} fraction)
    math(EXPR scaled "(${CMAKE_MATCH_1}${fraction} + 5) / 10")
    math(EXPR whole "${scaled} / 1${zeros}")
    math(EXPR fraction "1${zeros} + ${scaled} % 1${zeros}")  # with its leading zeros behind the 1
    string(SUBSTRING ${fraction} 1 -1 fraction)
    set(number ${whole}.${fraction})
  endif()
  set(${text} "${number}" PARENT_SCOPE)
endfunction()

# The ELF note that says which profile a binary was built with: section .note.prodpgo, owner "ProdPGO",
# type 1, and as contents one line of JSON with sorted keys:
#
#   {"bolt":"sha256:…","density":"267.2","evidence":"branch-records","name":"server","profile":"sha256:…",
#    "quality":"good","split_half_overlap":"0.991","tool":"ProdPGO 0.1.0"}
#
# `pgo show` prints it. "bolt" is there in what BOLT is for, and "evidence", "name" and "profile" in what the
# compiler was given a profile for, with "density", "quality" and "split_half_overlap" as far as the profile's
# report has them. The linked binary must not become another one when the BOLT profile
# does, which is for this very binary: so "bolt" is zeros, which `pgo bolt` replaces in what it makes.
#
# It is allocated, so strip leaves it; linkers keep notes when they collect sections that nothing refers
# to; and it comes from a library of its own, so neither the target's options (a profile, precompiled
# headers, unity builds) nor its warnings reach it.

function(_prodpgo_add_note target)
  get_target_property(type ${target} TYPE)
  get_target_property(name ${target} PRODPGO_PROFILE)
  get_target_property(applied ${target} PRODPGO_APPLIED)
  get_target_property(bolt ${target} PRODPGO_BOLT)
  _prodpgo_optimized_when(${target} condition)
  if(NOT (applied OR bolt) OR condition STREQUAL "0" OR NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE)_LIBRARY)$")
    return()
  endif()
  set(fields "")
  if(bolt)
    string(REPEAT 0 64 zeros)
    list(APPEND fields "\"bolt\":\"sha256:${zeros}\"")
  endif()
  if(applied)
    get_property(digest GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${applied}_SHA256)
    get_property(evidence GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${applied}_EVIDENCE)
    list(APPEND fields "\"evidence\":\"${evidence}\"" "\"name\":\"${name}\"" "\"profile\":\"sha256:${digest}\"")
    foreach(figure IN ITEMS density quality split_half_overlap)
      get_property(value GLOBAL PROPERTY PRODPGO_PROFILE_${name}_${applied}_${figure})
      if(value)
        list(APPEND fields "\"${figure}\":\"${value}\"")
      endif()
    endforeach()
  endif()
  get_property(version GLOBAL PROPERTY PRODPGO_VERSION)
  list(APPEND fields "\"tool\":\"ProdPGO ${version}\"")
  list(SORT fields)
  list(JOIN fields "," json)
  _prodpgo_write_note_source(${target} "{${json}}" source)

  add_library(${target}_prodpgo_note OBJECT "${source}")
  target_compile_definitions(${target}_prodpgo_note PRIVATE $<${condition}:PRODPGO_NOTE>)
  target_compile_options(${target}_prodpgo_note PRIVATE -fno-lto -g0)
  set_target_properties(${target}_prodpgo_note PROPERTIES
    INTERPROCEDURAL_OPTIMIZATION OFF UNITY_BUILD OFF FOLDER prodpgo C_CLANG_TIDY "" CXX_CLANG_TIDY "")
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_prodpgo_note>)
endfunction()

# As text for the assembler, in a source of whichever language the top directory has, where it is compiled.
# Written only when it changes.
function(_prodpgo_write_note_source target json source)
  if(CMAKE_C_COMPILE_OBJECT)
    set(extension c)
  elseif(CMAKE_CXX_COMPILE_OBJECT)
    set(extension cc)
  else()
    message(FATAL_ERROR "${target}: the note about its profile is compiled in the top-level directory, "
      "which enables neither C nor C++; write project(... LANGUAGES C) in ${CMAKE_SOURCE_DIR}/CMakeLists.txt")
  endif()
  # Once for the text of the assembler, once for the string that holds it.
  foreach(level RANGE 1)
    string(REPLACE "\\" "\\\\" json "${json}")
    string(REPLACE "\"" "\\\"" json "${json}")
  endforeach()
  set(path "${CMAKE_BINARY_DIR}/prodpgo/notes/${target}.${extension}")
  # file(CONFIGURE) takes no path that has < or >.
  string(CONFIGURE [=[
/* Which profile @target@ was built with; `pgo show` prints it. */
typedef int prodpgo_note;
#ifdef PRODPGO_NOTE
__asm__(
    ".pushsection .note.prodpgo,\"a\",%note\n"
    ".balign 4\n"
    ".long 2f - 1f, 4f - 3f, 1\n"
    "1: .asciz \"ProdPGO\"\n"
    "2: .balign 4\n"
    "3: .ascii \"@json@\"\n"
    "4: .balign 4\n"
    ".popsection\n");
#endif
]=] text @ONLY)
  set(written "")
  if(EXISTS "${path}")
    file(READ "${path}" written)
  endif()
  if(NOT written STREQUAL text)
    file(WRITE "${path}" "${text}")
  endif()
  set(${source} "${path}" PARENT_SCOPE)
endfunction()

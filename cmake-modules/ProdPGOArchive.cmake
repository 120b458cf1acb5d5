# prodpgo_archive(<target> [TO <archive>] [DEBUG_FILE <file>]): the build target <target>-archive, which keeps what was built
# by its build ID (`pgo archive`), with what BOLT made it from and with its debug file. For release jobs: it is no part
# of `all`.

set(PRODPGO_ARCHIVE "" CACHE STRING "Where prodpgo_archive() keeps releases: a directory, oci-dir:, oci:// or s3://")

function(prodpgo_archive target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TO;DEBUG_FILE" "")
  set(caller "prodpgo_archive(${target})")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${caller}: two options are known, TO <archive> and DEBUG_FILE <file>")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${caller}: there is no target ${target}")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY)$")
    message(FATAL_ERROR "${caller}: only programs and shared libraries are released")
  endif()
  if(NOT arg_TO)
    set(arg_TO "${PRODPGO_ARCHIVE}")
  endif()
  if(NOT arg_TO)
    # Only release jobs build this target, so only there the archive must be named.
    add_custom_target(${target}-archive
      COMMAND ${CMAKE_COMMAND} -E echo
        "ProdPGO: error: ${caller}: name the archive: TO <archive>, or -DPRODPGO_ARCHIVE=<archive>"
      COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
    return()
  endif()
  # BOLT is known at the end of the configuration only. By name: a > in a path must not end the expression.
  set_property(TARGET ${target} PROPERTY PRODPGO_ARCHIVE_TO "${arg_TO}")
  set(debug)
  if(arg_DEBUG_FILE)
    set_property(TARGET ${target} PROPERTY PRODPGO_ARCHIVE_DEBUG_FILE "${arg_DEBUG_FILE}")
    set(debug --debug-file "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},PRODPGO_ARCHIVE_DEBUG_FILE>>")
  endif()
  set(prebolt "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},PRODPGO_PREBOLT_STEP>>")
  add_custom_target(${target}-archive
    COMMAND $<TARGET_FILE:ProdPGO::pgo> archive "$<TARGET_FILE:${target}>"
      "$<$<BOOL:${prebolt}>:$<TARGET_FILE:${target}>.prebolt>" ${debug} --to "$<TARGET_PROPERTY:${target},PRODPGO_ARCHIVE_TO>"
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    COMMENT "Archiving ${target} by its build ID"
    COMMAND_EXPAND_LISTS VERBATIM USES_TERMINAL)
  add_dependencies(${target}-archive ${target} ProdPGO::pgo)
endfunction()

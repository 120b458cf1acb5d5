# What the package prints, and the checks of arguments that every function begins with.

# A warning is one line, without a call stack: that would lead into this package, and what is wrong is in the project
# or in a file, which the text names. (A notice is such a line; where only warnings are shown, it is a warning.)
function(_prodpgo_warn text)
  set(kind NOTICE)
  cmake_language(GET_MESSAGE_LOG_LEVEL level)
  if(level STREQUAL "WARNING")
    set(kind WARNING)
  endif()
  message(${kind} "ProdPGO: warning: ${text}")
endfunction()

# A warning that says what is built instead, or, where profiles are required, an error.
function(_prodpgo_warn_or_fail text instead)
  if(PRODPGO_REQUIRED)
    message(FATAL_ERROR "${text}")
  endif()
  _prodpgo_warn("${text}. ${instead}; PRODPGO_REQUIRED=ON makes this an error.")
endfunction()

# Sets <path> to where document <name> is: installed beside the package, or in the source tree; or else to whose it is.
function(_prodpgo_document name path)
  # In an installation, in a build tree (which has a link to the sources), in the sources.
  foreach(documents IN ITEMS ../../../share/doc/prodpgo/docs ../../../docs ../docs)
    set(found "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${documents}/${name}")
    if(EXISTS "${found}")
      file(REAL_PATH "${found}" found)
      break()
    endif()
  endforeach()
  if(NOT EXISTS "${found}")
    set(found "docs/${name} of ProdPGO")
  endif()
  set(${path} "${found}" PARENT_SCOPE)
endfunction()

# CMake separates the elements of lists by semicolons, and commands and properties are lists: a path that has one would
# become two.
function(_prodpgo_refuse_semicolon caller what text)
  string(FIND "${text}" ";" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${caller}: ${what} has a semicolon, which CMake would split it at: ${text}")
  endif()
endfunction()

# The directories of a project appear in compiler options, which are lists. CMake does not split a list after an
# unbalanced bracket, and has no escape for the start of a generator expression.
function(_prodpgo_refuse_directory caller directory)
  set(what "")
  if(directory MATCHES ";")
    set(what "a semicolon")
  elseif(directory MATCHES "[$]<")
    set(what "\$<")
  else()
    string(REGEX REPLACE "[^][]" "" brackets "${directory}")
    while(brackets MATCHES "\\[\\]")
      string(REPLACE "[]" "" brackets "${brackets}")
    endwhile()
    if(brackets)
      set(what "an unbalanced [ or ]")
    endif()
  endif()
  if(what)
    message(FATAL_ERROR "${caller}: CMake cannot pass on a path that has ${what}: ${directory}\n"
      "Move or rename the directory.")
  endif()
endfunction()

# For functions that have parsed into arg_: nothing unknown, nothing without its value.
# (No macro, which would look for variables in the words of the caller.)
function(_prodpgo_check_arguments caller usage)
  if(arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " rest)
    message(FATAL_ERROR "${caller}: unknown: ${rest}. Known: ${usage}")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES AND NOT arg_KEYWORDS_MISSING_VALUES STREQUAL "BOLT")
    list(JOIN arg_KEYWORDS_MISSING_VALUES ", " rest)
    message(FATAL_ERROR "${caller}: no value after ${rest}. Known: ${usage}")
  endif()
endfunction()

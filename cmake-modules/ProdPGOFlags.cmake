# Reads the table of compiler flags, compiler_flags.json, which `pgo flags` prints as well. Its text says what the
# members of a flag mean. Each list of flags becomes a global property:
#
#   PRODPGO_FLAGS_<compiler>_<purpose>_<step>_<condition>          options as they are given to the compiler
#   PRODPGO_LLVM_OPTIONS_<compiler>_<purpose>_<step>_<condition>   hidden options of LLVM, without dash
#   PRODPGO_LLVM_OPTIONS_<compiler>                                all of these, but those on request

# The table is beside this file, in the source tree in pgo/flags.
function(_prodpgo_read_flags)
  set(path "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/compiler_flags.json")
  if(NOT EXISTS "${path}")
    set(path "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../pgo/flags/compiler_flags.json")
  endif()
  cmake_path(NORMAL_PATH path)  # ninja takes two spellings of one file for two files
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" table)
  string(JSON count LENGTH "${table}" flags)
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON flag GET "${table}" flags ${i})
    string(JSON compiler GET "${flag}" compiler)
    string(JSON purpose GET "${flag}" for)
    string(JSON condition GET "${flag}" when)
    set(kind FLAGS)
    string(JSON option ERROR_VARIABLE missing GET "${flag}" option)
    if(missing)
      set(kind LLVM_OPTIONS)
      string(JSON option GET "${flag}" llvm_option)
      if(NOT condition STREQUAL "on-request")
        set_property(GLOBAL APPEND PROPERTY PRODPGO_LLVM_OPTIONS_${compiler} "${option}")
      endif()
    endif()
    string(JSON steps LENGTH "${flag}" steps)
    math(EXPR last_step "${steps} - 1")
    foreach(s RANGE ${last_step})
      string(JSON step GET "${flag}" steps ${s})
      set_property(GLOBAL APPEND PROPERTY PRODPGO_${kind}_${compiler}_${purpose}_${step}_${condition} "${option}")
    endforeach()
  endforeach()
endfunction()
_prodpgo_read_flags()

# Sets <result> to the options of that property.
function(_prodpgo_flags family purpose step condition result)
  get_property(options GLOBAL PROPERTY PRODPGO_FLAGS_${family}_${purpose}_${step}_${condition})
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

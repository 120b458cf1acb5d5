# Programs whose debug information is of many kinds, for tests of what reads it: add_debug_programs(TARGET)
# builds them with TARGET and tells it where they are (DEBUG_PROGRAMS_DIR) and what they are called
# (DEBUG_PROGRAMS, with commas). Without clang 22 there are none, and those tests say so.
find_program(CLANG_22 NAMES clang-22 PATHS /usr/lib/llvm-22/bin)
find_program(CLANGXX_22 NAMES clang++-22 PATHS /usr/lib/llvm-22/bin)
find_program(GXX g++)

function(add_debug_programs target)
  set(sources ${PROJECT_SOURCE_DIR}/tests/e2e/programs)
  set(cxx ${sources}/shapes.cc ${sources}/work.cc ${sources}/main.cc)
  set(c ${sources}/tokens.c ${sources}/scan.c)
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/debug_programs)
  file(MAKE_DIRECTORY ${directory})
  set(names)
  macro(program name)
    list(APPEND names ${name})
    # Each in a directory of its own, because .dwo files land in the current one.
    file(MAKE_DIRECTORY ${directory}/${name}.build)
    add_custom_command(OUTPUT ${directory}/${name}
      COMMAND ${ARGN} -o ${directory}/${name}
      DEPENDS ${cxx} ${c} ${sources}/shapes.h ${sources}/tokens.h
      WORKING_DIRECTORY ${directory}/${name}.build VERBATIM)
  endmacro()

  if(CLANG_22 AND CLANGXX_22)
    set(lld ${CLANGXX_22} -O2 -fuse-ld=lld ${cxx})
    program(profiling5 ${lld} -gline-tables-only -fdebug-info-for-profiling)
    program(profiling4 ${lld} -gline-tables-only -fdebug-info-for-profiling -gdwarf-4)
    program(full5 ${lld} -g -fdebug-info-for-profiling -O3 -funroll-loops -mavx2)
    program(full4 ${lld} -g -gdwarf-4 -fno-pie -no-pie)
    program(split5 ${lld} -g -gsplit-dwarf)
    program(split4 ${lld} -g -gsplit-dwarf -gdwarf-4)
    program(dwarf64 ${lld} -g -gdwarf64 -gdwarf-aranges)
    program(folded ${lld} -g -ffunction-sections -Wl,--gc-sections,--icf=all)
    program(thin_lto ${lld} -g -flto=thin)
    program(unoptimized ${lld} -g -O0 -gz=zlib)
    program(probes ${lld} -gline-tables-only -fdebug-info-for-profiling -fpseudo-probe-for-profiling
      -fno-unique-internal-linkage-names)
    program(c ${CLANG_22} -O2 -g -fuse-ld=lld ${c})
  endif()
  if(CLANGXX_22 AND GXX)
    program(gcc5 ${GXX} -O2 -g -freorder-blocks-and-partition ${cxx})
    program(gcc4 ${GXX} -O3 -g -gdwarf-4 ${cxx})
  endif()

  list(TRANSFORM names PREPEND ${directory}/ OUTPUT_VARIABLE files)
  add_custom_target(${target}_programs DEPENDS ${files})
  add_dependencies(${target} ${target}_programs)
  list(JOIN names "," names)
  target_compile_definitions(${target} PRIVATE DEBUG_PROGRAMS_DIR="${directory}"
    DEBUG_PROGRAMS="${names}")
endfunction()

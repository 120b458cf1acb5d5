# The files of a folder read much the same headers and use the same templates. Compiled as one unit, they read
# and instantiate them once, which saves a quarter of the time for the libraries, and more than half of it for
# their unit tests; but a change compiles the whole folder again. So the presets that build from nothing choose
# it, and the debug preset, for editing, does not.
option(PRODPGO_UNITY_BUILD "Compile the files of each folder as one unit" OFF)

# prodpgo_unite(<target>): to be called when the target has all its sources.
function(prodpgo_unite target)
  if(NOT PRODPGO_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "^/.*\\.cc$")
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      string(REPLACE / _ group ${folder})
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  # A class of a .cc file may use what is in the file's anonymous namespace.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# prodpgo_compile_folders(<target> <option> <folder>...): gives the files of these folders a compile option. To be called
# after prodpgo_unite(): the unit of a folder has options of its own, while a file that has some is left out of units.
function(prodpgo_compile_folders target option)
  get_target_property(sources ${target} SOURCES)
  get_target_property(binary_directory ${target} BINARY_DIR)
  foreach(folder IN LISTS ARGN)
    if(PRODPGO_UNITY_BUILD)
      string(REPLACE / _ group ${folder})
      set(files ${binary_directory}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx)
    else()
      set(files ${sources})
      list(FILTER files INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/${folder}/[^/]*\\.cc$")
    endif()
    set_source_files_properties(${files} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS "${option}")
  endforeach()
endfunction()

# The messages of stores, by libprotobuf: a library for each store, which only pgo_net links. Its header is included by one
# file (<store>_messages.cc), so that nothing else compiles it.

# All of them, for tools that read the sources without a build.
add_custom_target(store_messages)

# prodpgo_messages(<file>.proto): C++ for a file of the current folder, whose header has its path:
# #include "pgo/stores/<store>/<file>.pb.h".
function(prodpgo_messages proto)
  cmake_path(GET proto STEM name)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE folder)
  set(generated ${PROJECT_BINARY_DIR}/messages)
  set(outputs ${generated}/${folder}/${name}.pb.cc ${generated}/${folder}/${name}.pb.h)
  file(MAKE_DIRECTORY ${generated})
  add_custom_command(OUTPUT ${outputs}
    COMMAND protobuf::protoc --cpp_out=${generated} -I ${PROJECT_SOURCE_DIR}
      ${CMAKE_CURRENT_SOURCE_DIR}/${proto}
    DEPENDS ${proto} VERBATIM)
  # A target of this folder: those of others know nothing of the command.
  add_library(${name}_messages STATIC ${outputs})
  target_include_directories(${name}_messages SYSTEM PUBLIC ${generated})
  target_link_libraries(${name}_messages PUBLIC protobuf::libprotobuf-lite)
  target_compile_options(${name}_messages PRIVATE ${PRODPGO_COMPILE_FAST})
  target_link_libraries(pgo_net PRIVATE ${name}_messages)
  add_dependencies(store_messages ${name}_messages)
  # The header comes first; and nothing else of the folder reads it.
  set_source_files_properties(${name}_messages.cc TARGET_DIRECTORY pgo_net PROPERTIES
    OBJECT_DEPENDS ${generated}/${folder}/${name}.pb.h SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

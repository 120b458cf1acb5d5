# The messages of stores, by libprotobuf: one library, which only pgo_net links. Its headers are included by one file
# for each store (<store>_messages.cc), so that nothing else compiles them.

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
  if(NOT TARGET store_messages)
    add_library(store_messages STATIC)
    target_include_directories(store_messages SYSTEM PUBLIC ${generated})
    target_link_libraries(store_messages PUBLIC protobuf::libprotobuf-lite)
    target_compile_options(store_messages PRIVATE ${PRODPGO_COMPILE_FAST})
    target_link_libraries(pgo_net PRIVATE store_messages)
  endif()
  target_sources(store_messages PRIVATE ${outputs})
  # The header comes first; and nothing else of the folder reads it.
  set_source_files_properties(${name}_messages.cc TARGET_DIRECTORY pgo_net PROPERTIES
    OBJECT_DEPENDS ${generated}/${folder}/${name}.pb.h SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# What find_package(ProdPGO) reads: the program `pgo` as the target ProdPGO::pgo, and the functions
# that apply profiles. The same files serve an installed package (wherever it was moved to), the build
# tree, and a project that has ProdPGO inside it by add_subdirectory or FetchContent, where the target
# is there already.
#
#   find_package(ProdPGO REQUIRED)
#   prodpgo_profile(server FILE profiles/server.prof)
#   prodpgo_optimize(server PROFILE server)
#
# docs/guide/cmake.md says what the functions do.
cmake_minimum_required(VERSION 3.25)

if(NOT TARGET ProdPGO::pgo)
  include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOTargets.cmake)
  # The functions are seen everywhere, and so is what they run.
  set_target_properties(ProdPGO::pgo PROPERTIES IMPORTED_GLOBAL TRUE)
endif()
set_property(GLOBAL PROPERTY PRODPGO_VERSION ${ProdPGO_VERSION})
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOFunctions.cmake)

# LINKED hands the profile down to the static and object libraries that become part of a program, however
# they are linked and whenever that is said; not to shared ones, nor over a choice that was made for a
# library itself.
. "$(dirname "$0")/../prelude.sh"
. "$(dirname "$0")/../cmake_prelude.sh"

project source <<'EOF'
prodpgo_profile(first FILE small.proftext)
prodpgo_profile(second FILE second.proftext)
prodpgo_optimize(small PROFILE first LINKED LINES)
foreach(library IN ITEMS chosen deep inside_objects inside nested objects shared through)
  file(WRITE ${CMAKE_BINARY_DIR}/${library}.cc "int ${library}() { return 1; }\n")
endforeach()
# All that follows is said after prodpgo_optimize, and some of it in other directories.
add_library(objects OBJECT ${CMAKE_BINARY_DIR}/objects.cc)
add_library(shared SHARED ${CMAKE_BINARY_DIR}/shared.cc)
add_library(chosen STATIC ${CMAKE_BINARY_DIR}/chosen.cc)
# What a shared library keeps is no part of the program; what it passes on is.
add_library(inside STATIC ${CMAKE_BINARY_DIR}/inside.cc)
add_library(inside_objects OBJECT ${CMAKE_BINARY_DIR}/inside_objects.cc)
add_library(through STATIC ${CMAKE_BINARY_DIR}/through.cc)
target_sources(shared PRIVATE $<TARGET_OBJECTS:inside_objects>)
target_link_libraries(shared PRIVATE inside PUBLIC through)
set_target_properties(inside inside_objects through PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_subdirectory(below)
target_sources(small PRIVATE $<TARGET_OBJECTS:objects>)
target_link_libraries(small PRIVATE $<$<CONFIG:Release>:Below::nested> shared chosen)
prodpgo_optimize(chosen PROFILE second PROBES PREFIX_MAP OFF)
install(TARGETS shared small through EXPORT things)
install(EXPORT things DESTINATION lib/cmake)
prodpgo_optimize(shared PROFILE ${SHARED})
if(OTHER)
  add_executable(other main.cc generated/table.cc)
  target_link_libraries(other PRIVATE scale)
  prodpgo_optimize(other PROFILE second LINKED)
endif()
EOF
mkdir -p source/below
cat > source/below/CMakeLists.txt <<'EOF'
add_library(deep STATIC ${CMAKE_BINARY_DIR}/deep.cc)
add_library(nested STATIC ${CMAKE_BINARY_DIR}/nested.cc)
add_library(Below::nested ALIAS nested)
target_link_libraries(nested INTERFACE $<LINK_ONLY:deep>)
EOF
sed 's/100/200/' source/small.proftext > source/second.proftext
of() { grep -F -- "/$1" build.made | grep -F -- ' -c ' > command; }

must_configure build -DSHARED=second
never "LINKED does not apply" build.log
build build
for unit in main.cc table.cc lib/scale.c objects.cc nested.cc deep.cc through.cc; do
  of $unit
  says "/first.proftext" command
  never " -fpseudo-probe" command
  says "-fmacro-prefix-map=" command
done
for unit in chosen.cc shared.cc; do
  of $unit
  says "/second.proftext" command
done
of chosen.cc
never "-fmacro-prefix-map=" command
says " -fpseudo-probe-for-profiling" command
of shared.cc
says " -fpseudo-probe-for-profiling" command
for unit in inside.cc inside_objects.cc; do
  of $unit
  never "-fprofile-sample-use" command
done
# Each that is linked has a note of its own.
"$pgo" show build/libshared.so > shown
says "profile second," shown
"$pgo" show build/small > shown
says "profile first," shown

# Shared libraries that are linked, and that nothing is asked of, are listed.
sed -i 's/^prodpgo_optimize(shared.*/if(SHARED)\n&\nendif()\nadd_library(unrelated SHARED lib\/scale.c)/' source/CMakeLists.txt
must_configure other
grep -xF -- "-- ProdPGO: small: LINKED does not apply to shared libraries: shared. Call prodpgo_profilable(<library>) and prodpgo_optimize(<library> ...) for each of them" other.log
must_configure other -DSHARED=first -DOTHER=ON
says "prodpgo_optimize(other ... LINKED): scale is compiled once, and with profile first, because small links it as well. \
To choose, call prodpgo_optimize(scale PROFILE <name>)." other.log

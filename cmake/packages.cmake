# `cpack` in the build tree makes an archive that runs wherever it is unpacked, and a package for Debian
# that knows what it needs. Both hold what `cmake --install` installs.
set(CPACK_GENERATOR TGZ)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_NAME prodpgo)
set(CPACK_PACKAGE_VENDOR ProdPGO)
set(CPACK_PACKAGE_CONTACT "ProdPGO <prodpgo@example.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Converts recordings of programs in production into profiles for clang, GCC and BOLT.
Comes with a CMake package that applies them.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

# Libraries are found by what the program was linked with. What it runs beside them is recommended:
# each is needed for one thing only, and pgo says so when it is missing.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bolt-22, llvm-22, qemu-user, linux-perf")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake (>= 3.25), clang-22, lld-22")
install(FILES LICENSE DESTINATION share/doc/prodpgo RENAME copyright)
# As they lie here, so that links hold; the demo and the script that measures run from there.
install(FILES README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION share/doc/prodpgo)
install(FILES converters/address/address_profile.proto
  DESTINATION share/doc/prodpgo/converters/address)
# Manual pages and completions of shells are what the program prints, so they are of exactly this build.
set(manual ${PROJECT_BINARY_DIR}/manual)
add_custom_command(TARGET pgo POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${manual}/man1
  COMMAND pgo manual --directory ${manual}/man1
  COMMAND pgo completion bash > ${manual}/pgo.bash
  COMMAND pgo completion zsh > ${manual}/pgo.zsh
  COMMAND pgo completion fish > ${manual}/pgo.fish
  VERBATIM)
install(DIRECTORY ${manual}/man1 DESTINATION share/man)
install(FILES ${manual}/pgo.bash DESTINATION share/bash-completion/completions RENAME pgo)
# Debian's zsh looks into the second one, other zshs into the first.
install(FILES ${manual}/pgo.zsh DESTINATION share/zsh/site-functions RENAME _pgo)
install(FILES ${manual}/pgo.zsh DESTINATION share/zsh/vendor-completions RENAME _pgo)
install(FILES ${manual}/pgo.fish DESTINATION share/fish/vendor_completions.d)
install(DIRECTORY docs samples DESTINATION share/doc/prodpgo USE_SOURCE_PERMISSIONS
  PATTERN __pycache__ EXCLUDE)
install(DIRECTORY bazel ci-templates DESTINATION share/prodpgo USE_SOURCE_PERMISSIONS)
include(CPack)

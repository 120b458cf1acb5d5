# What the project is built with. Each comes from the distribution; `make` installs them.
set(PRODPGO_LLVM_MAJOR 22)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libelf REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
find_package(ZLIB REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(libzstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(liblzma REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(libcrypto REQUIRED IMPORTED_TARGET libcrypto)
pkg_check_modules(libsodium REQUIRED IMPORTED_TARGET libsodium)
if(PRODPGO_NETWORK)
  pkg_check_modules(libcurl REQUIRED IMPORTED_TARGET libcurl)
  pkg_check_modules(pugixml REQUIRED IMPORTED_TARGET pugixml)
  find_package(Protobuf REQUIRED)  # messages of stores
  pkg_check_modules(libssl REQUIRED IMPORTED_TARGET libssl)  # for the servers of tests
endif()
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
# Headers only, without the library that comes with them: its flags are not used.
pkg_check_modules(tomlplusplus REQUIRED tomlplusplus)
find_package(Boost REQUIRED)  # headers only: Boost.Math

# LLVM's version file accepts only its own minor version, so the major is compared here.
find_package(LLVM CONFIG QUIET HINTS /usr/lib/llvm-${PRODPGO_LLVM_MAJOR}/lib/cmake/llvm)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "LLVM ${PRODPGO_LLVM_MAJOR} was not found: install llvm-${PRODPGO_LLVM_MAJOR}-dev, "
    "or pass -DLLVM_DIR=<prefix>/lib/cmake/llvm")
elseif(NOT LLVM_VERSION_MAJOR EQUAL PRODPGO_LLVM_MAJOR)
  message(FATAL_ERROR "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR} is not LLVM ${PRODPGO_LLVM_MAJOR}: "
    "install llvm-${PRODPGO_LLVM_MAJOR}-dev, or pass -DLLVM_DIR=<prefix>/lib/cmake/llvm")
endif()
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
list(TRANSFORM LLVM_DEFINITIONS_LIST REPLACE "^-D" "")

# All functions of the package. They keep what they know in global and target properties, so it does
# not matter in which directory each is called.
#
#   prodpgo_profile(<name> FILE <path>... [SHA256 <hex>...] [REPORT <json>...])
#   prodpgo_profile(<name> LOCK <path> [ENTRY <name>] [CONFIGURATION <word>])
#   prodpgo_optimize(<target> [PROFILE <name>] [BOLT [<name>]] [LINKED] ...)
#   prodpgo_profilable(<target> [LINES|PROBES] [BOLT] [LINKED] ...)
#   prodpgo_archive(<target> [TO <archive>] [DEBUG_FILE <file>])
include_guard(GLOBAL)

# Make every profile that is named and cannot be applied an error instead of a warning.
option(PRODPGO_REQUIRED "Fail when a profile is missing or cannot be applied" OFF)
# Fetch what a lock file pins and the cache has not, and check the signatures that it requires, when the build is
# configured.
option(PRODPGO_PULL "Run `pgo pull --locked` where a pinned profile is not in the cache, or must be signed" OFF)
# Which paths of this machine become the same everywhere: those in names and __FILE__ (MACRO), those in
# debug information too (FILE), none (OFF). Where a target does not say so itself.
set(PRODPGO_PREFIX_MAP MACRO CACHE STRING "Map source and build directory: MACRO, FILE or OFF")
# The least match rate that is enough, in percent (`pgo match`): below it there is a warning, with PRODPGO_REQUIRED
# an error. 0: nothing is compared; empty: the default of `pgo match`. Where a target does not say so itself.
set(PRODPGO_MIN_MATCH "" CACHE STRING "The minimum match rate of a profile and a build, in percent")

include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOMessages.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOProfileKind.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOProfile.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOReport.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOLock.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOTarget.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOFlags.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOCompiler.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGONote.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOSteps.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOBolt.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOCheck.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOApply.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/ProdPGOArchive.cmake)

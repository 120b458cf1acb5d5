// Finds the file with the debug information of a stripped binary, the way debuggers do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

// True when the file has DWARF of its own (.debug_info, compressed or not).
bool has_debug_info(const ElfImage& image);

// Is `debug` the very file that the .gnu_debuglink of a binary is about?
bool has_checksum(const ElfImage& debug, const ElfImage::DebugLink& link);

// With what to build a program that is to be profiled by line. Line tables alone leave out
// functions that nothing was inlined into (clang).
inline constexpr const char* kDebugOptions = "-gline-tables-only -fdebug-info-for-profiling, or -g";

// How clang makes the names of static functions of several files unique.
inline constexpr const char* kMakeNamesUnique =
    "compile with -funique-internal-linkage-names (C: with prototypes, f(void) and not f())";

// Where to look for debug files.
struct DebugPlaces {
  std::vector<std::string> files;  // named by the user
  std::vector<std::string> roots{"/usr/lib/debug"};
};

// Looks, in this order, among `places.files`, in `roots`/.build-id/ab/cdef….debug, and for the name
// in .gnu_debuglink beside the binary, in its .debug folder and below `roots`. A file with another
// build ID is no match, nor, where the binary has no id, one with another checksum than
// .gnu_debuglink says; where it has no link either, the only one of `files` without an id is taken.
// For a binary with debug information of its own, only one of `files` with its build ID. Nothing
// when there is none. Error: one of `files` that cannot be read.
Result<std::optional<std::string>> find_debug_file(const ElfImage& image,
                                                   const DebugPlaces& places);

}  // namespace pgo

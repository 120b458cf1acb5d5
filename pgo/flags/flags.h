// choose_flags(): which flags of the table a compiler needs for a build, for builds that do without
// the CMake package.
//
//   PGO_TRY(FlagsResult flags, choose_flags({.compiler = "clang++-22", .search_path = path}));
//   flags.compile      -gline-tables-only, -fdebug-info-for-profiling, ...
//   flags.unknown      those that this compiler does not know, and what is lost without them
#pragma once

#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/flags/compiler.h"

namespace pgo {

struct FlagsRequest {
  std::string compiler = {};     // a path, or a name that is looked for in `search_path`
  std::string search_path = {};  // as PATH
  std::string profile = {};      // that the build uses; empty: it will be profiled, and uses none
  bool profile_exists = true;    // false: the build makes or fetches it, and it is not read here
  bool thin_lto = false;         // a build with ThinLTO (clang)
  bool bolt = false;             // a build that llvm-bolt can work on
};

struct ChosenFlag {
  std::vector<std::string> words;  // of the command line, not quoted
  std::string loss;                // what is lost without it
};

struct FlagsResult {
  Compiler compiler;
  // In the order of the command line. `unknown` are as for the compiler.
  std::vector<ChosenFlag> compile, link, unknown;
};

// Errors: kUsage for a compiler that is not there, kUnsupported for one that is neither clang nor
// GCC and for ThinLTO with GCC, kMismatch for a profile that is not for this compiler, kIo when
// something cannot be run or read.
Result<FlagsResult> choose_flags(const FlagsRequest& request);

// The same for a compiler that is known and accepts all flags but `unknown`, given as texts of
// CompilerFlag.
FlagsResult select_flags(const std::vector<CompilerFlag>& table, const Compiler& compiler,
                         const FlagsRequest& request, const std::vector<std::string>& unknown);

}  // namespace pgo

// Which counts BOLT may choose a layout by. llvm-bolt lays code out for exactly the branches that
// it is given, and nothing that it prints shows that some of them are wrong. `pgo bolt` and
// `pgo refresh` ask here; the packages for CMake and Bazel have the same rule
// (cmake-modules/ProdPGOBolt.cmake, bazel/bolt.bzl).
#pragma once

#include <string_view>

#include "pgo/profile/quality.h"

namespace pgo {

// Were the counts inferred from samples, not recorded?
inline bool is_inferred(Evidence evidence) {
  return evidence == Evidence::kPcSamples || evidence == Evidence::kFunctionAndLine;
}

enum class BoltEvidence {
  kUsable,
  kLowQuality,     // inferred from too little
  kProfiledBuild,  // inferred, and the program was built with a compile profile
};

// What is known of the compile profile of a program. Only the note of a binary tells.
enum class CompileProfileUse { kUnknown, kUsed };

// The thresholds are kMinInferredForBolt and kBoltProfiledBuildsByInference.
BoltEvidence judge_for_bolt(Evidence evidence, Quality quality, CompileProfileUse compile_profile);

// Why kProfiledBuild is refused: what was measured, a clause for messages.
inline constexpr std::string_view kProfiledBuildMeasurement =
    "with inferred counts, BOLT increased the taken branches of two of three such programs, with "
    "any number of samples";

}  // namespace pgo

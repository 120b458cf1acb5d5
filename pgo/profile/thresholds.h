// Every threshold at which a judgement about a profile changes, with where the number comes from.
#pragma once

#include <cstdint>

namespace pgo::thresholds {

// Quality by branch records, in density. llvm-profgen asks for more samples below 50 (its
// --hot-function-density-threshold); fair, thin and weak are parts of it.
inline constexpr double kGoodDensity = 50, kFairDensity = 10, kThinDensity = 2;

// Quality by PC samples, in samples. Measured on SQLite and Lua as overlap with exact counts: ten
// times as many gain .02 above 20 000 samples, and .09 below (docs/measurements/pc-samples.md).
inline constexpr uint64_t kGoodPcSamples = 100'000, kFairPcSamples = 10'000, kThinPcSamples = 2'000;

// A profile from PC samples is of one quality less when more of its flow than this is in blocks
// without samples: that much rests on the model's priors, on which halves of the samples agree,
// too. Measured as overlap with exact counts of SQLite, Lua, queryd and LevelDB, each plain and
// hardened, from 150 to 150 000 samples (tests/bench/infer_quality.cc): .69 to .82 up to a share of
// .18, .51 to .66 from .26 on.
inline constexpr double kMaxUnsampledFlow = .25;

// A conversion that uses less of what was recorded says why.
inline constexpr double kLowYield = .1;

// Another binary with this share of the samples is named, because it may be the user's own library.
// Below, it is one of the many that every program spends a little time in.
inline constexpr double kOtherBinary = .02;

// Samples of another build: the share of PC samples where no instruction starts. In the build that
// was recorded not one in 1.3 million was, in thirteen other builds of one program 64 to 81 %; a
// small part may be of an edit that moved little code.
inline constexpr double kOtherBuildPcSamples = .05;
// The share of branch records at no instruction: .2 to 10 % in the build that was recorded (linkage
// tables are not decoded), 41 to 65 % in others.
inline constexpr double kOtherBuildBranchRecords = .25;
// Traces that perf2bolt cannot follow in the code, in percent: a few are so in the right build.
inline constexpr double kOtherBuildTracesPercent = 5;

// The share of a BOLTed binary's traces that cannot be translated to its input at all. Where both
// files have their symbols, less than .1 % is not translated in whole
// (tests/e2e/bolt/translates_recordings.sh).
inline constexpr double kLostInTranslation = .05;

// The match rate of a profile after the usual edits, in percent; below, it may be of other code. By
// probe a function that was edited loses all: with one edit in each of twelve hot functions of Lua
// 29 % were left, by line 66 %.
inline constexpr double kUsualMatchByLine = 50, kUsualMatchByProbe = 20;

// More of the profile than this in functions that a binary lacks, while others match: the profile
// may be of several binaries. Edits and inlining remove less.
inline constexpr double kMuchOfOtherBinaries = .25;

// More of the profile's samples than this in functions that have other code: the profile is of
// another build, though it does not say so. (A few are so in the right build.)
inline constexpr double kMaxStaleShare = .5;
// From here on it is worth saying what to do.
inline constexpr double kHighStaleShare = .25;
// For an earlier build's profile: at least this share of those functions' blocks must be the same
// in both builds. Blocks that are merely alike are found in any two programs; between -O1 and -O2
// of one program a tenth is the same.
inline constexpr double kMinExactBlocks = .05;

}  // namespace pgo::thresholds

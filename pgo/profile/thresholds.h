// All thresholds at which a judgement about a profile changes, and where each number comes from.
#pragma once

#include <cstdint>

#include "pgo/profile/quality.h"

namespace pgo::thresholds {

// Quality of branch records, by density. Below 50, llvm-profgen asks for more samples (its
// --profile-density-threshold); the thresholds of fair and thin are fractions of that number.
inline constexpr double kGoodDensity = 50, kFairDensity = 10, kThinDensity = 2;

// The same by the agreement of two halves, where that gives more: single steps reach no density,
// and a short recording of the processor's reaches little. SQLite
// (docs/measurements/single-steps.md): with .85, a profile of steps has 87 % of the gain of exact
// records; with .77, one of 454 samples of the processor's kind has 95 %; with .61, one of steps
// has 75 %. With fewer records than this, the halves of a hot loop may agree by having little else.
inline constexpr double kFairHalves = .85, kThinHalves = .7;
inline constexpr uint64_t kMinRecordsForHalves = 10'000;

// Counts from single steps and PC samples together have the evidence of branch records if the steps
// by themselves have at least this quality. With fewer steps, most of the branches are inferred,
// and BOLT judges the counts as those of PC samples. SQLite: steps of this quality have 83 % of the
// gain of exact records, those of the next lower one 75 %. The rule is strict: with 1 405 steps of
// queryd, whose 9 914 records are just too few, BOLT gained 84 %.
inline constexpr Quality kMinStepsForEvidence = Quality::kThin;

// Quality of PC samples, by their number. Measured on SQLite and Lua as the overlap with exact
// counts: ten times as many samples add .02 above 20 000 samples, and .09 below
// (docs/measurements/pc-samples.md).
inline constexpr uint64_t kGoodPcSamples = 100'000, kFairPcSamples = 10'000, kThinPcSamples = 2'000;

// If more than this share of the inferred flow is in blocks without samples, the quality of PC
// samples is one step lower: this part of the flow rests on the model's priors, and two halves of
// the samples agree on it whether it is right or wrong. Measured as the overlap with exact counts
// of SQLite, Lua, queryd and LevelDB, each plain and hardened, with 150 to 150 000 samples
// (tests/bench/infer_quality.cc): .69 to .82 for shares up to .18, .51 to .66 for shares from .26.
inline constexpr double kMaxUnsampledFlow = .25;

// The quality from which BOLT uses inferred counts. BOLT made a log analyser and a library slower
// by inferred branches that promised 27 and 41 % fewer taken branches (docs/guide/bolt.md).
inline constexpr Quality kMinInferredForBolt = Quality::kGood;
// Whether BOLT uses inferred counts for a program that was built with a compile profile. Its layout
// is good already, and more of the inferred directions of branches are wrong than of its own: with
// 5 000 to 72 000 samples, Lua took .3 to 5.1 % more branches after BOLT and queryd 5.0 to 13.5 %
// more (reckon 11 to 16 % fewer), so no number of samples is enough. Without a compile profile
// Lua took 16 to 19 % fewer, queryd 13 to 20 % (docs/measurements/pc-samples.md).
inline constexpr bool kBoltProfiledBuildsByInference = false;

// If a conversion uses less than this share of what was recorded, it explains why.
inline constexpr double kLowYield = .1;

// Another binary with at least this share of the samples is named, because it may be the user's own
// library. With less, it is one of the many in which every program spends a little time.
inline constexpr double kOtherBinary = .02;

// If more than this share of the PC samples is where no instruction starts, they are of another
// build. In the build that was recorded, not one of 1.3 million was; in thirteen other builds of
// one program, 64 to 81 % were. After an edit that moves little code, the share may be small.
inline constexpr double kOtherBuildPcSamples = .05;
// The same for the share of branch records that are at no instruction: .2 to 10 % in the build that
// was recorded (linkage tables are not decoded), 41 to 65 % in other builds.
inline constexpr double kOtherBuildBranchRecords = .25;
// The same for the traces that perf2bolt cannot follow in the code, in percent. There are a few in
// the right build, too.
inline constexpr double kOtherBuildTracesPercent = 5;

// If more than this share of a BOLTed binary's traces cannot be translated to llvm-bolt's input, a
// warning says so. Where both files have their symbols, less than .1 % is lost in whole or in part
// (tests/e2e/bolt/translates_recordings.sh).
inline constexpr double kLostInTranslation = .05;

// A match rate below this, in percent, means that the profile may be of other code: the usual edits
// leave more. One more `if` in each of twelve functions of Lua left 66 % by line and 29 % by probe,
// because a profile by probe loses all counts of an edited function (docs/guide/match.md).
inline constexpr double kUsualMatchByLine = 50, kUsualMatchByProbe = 20;

// If more than this share of the profile is in functions that a binary lacks, while others match,
// the profile may be of several binaries. Edits and inlining remove less.
inline constexpr double kMuchOfOtherBinaries = .25;

// If more than this share of the profile's samples is in functions whose code differs, the profile
// is of another build, although it does not say so. There are a few in the right build, too.
inline constexpr double kMaxStaleShare = .5;
// From this share on, a warning says what to do.
inline constexpr double kHighStaleShare = .25;
// With the profile of an earlier build, at least this share of the samples of those functions must
// be in blocks that are identical in both builds. Any two programs have similar blocks, but few
// identical ones: 73 % of the samples between -O1 and -O2 of a small program, with a better layout;
// 4 % between builds of queryd without and with a compile profile, with 7.3 % more taken branches
// (docs/measurements/week-two.md).
inline constexpr double kMinExactSamples = .1;

// From this overlap of two pinned profiles on, the new one changes little, or a part, of what the
// compiler does; below, most. These are words for people, not limits: the split-half overlap, which
// comes first, says what is chance.
inline constexpr double kSmallEffectOverlap = .9, kPartEffectOverlap = .5;

// What a service's new profile must reach where pgo.toml says nothing else; the last two in
// percent. A profile that shares less than half of its counts with the pinned one, or half of whose
// samples are in files that no archive has, is of other work.
inline constexpr Quality kDefaultMinQuality = Quality::kFair;
inline constexpr double kDefaultMinOverlap = 50, kDefaultMaxMissingBuilds = 50;
// A BOLT profile of a smaller share of the samples would have few counts: no build with less is
// preferred because it was made with the pinned profile, and a library whose builds together have
// less has none. With a tenth, a library has 10 000 of the samples that make a good profile of its
// service (kGoodPcSamples), the least for a fair one. A library whose profile is pinned keeps
// having one until its share is half of that, so that a share that varies around the limit does not
// change the version each week.
inline constexpr double kMinBoltShare = .1, kMinPinnedBoltShare = kMinBoltShare / 2;
// A build that no archive has is shown from this share of the samples on.
inline constexpr double kShownBuildShare = .01;

// Code without names is one row for each binary, which tells little: from this share of a side, or
// of the samples in files of no binary, a warning or a note says so.
inline constexpr double kNamelessShare = .05;
// Where the parts of both sides without function names differ by more than this, functions are not
// compared: those of one side would seem new.
inline constexpr double kNamelessDifference = .1;
// To pass in shares, the functions that certainly did not grow must have at least this part of all
// cost. The many small functions of a program, which are not tested, often have a third of it.
inline constexpr double kKnownFunctions = .5;
// A side whose branch stacks have fewer calls of a function tells nothing of it. The number of
// calls is uncertain by at least its square root: with 100 on both sides, their ratio by 14 %.
inline constexpr uint64_t kMinCountedCalls = 100;
// A function's growth can be compared with that of its cumulative cost if the latter is expected to
// grow by at least this part of it. Of main(), everything is below it, and nothing can be told.
inline constexpr double kTellableGrowth = .25;
// A part of the work after; a release that lacks so little of it has the same mix.
inline constexpr double kNegligibleStratum = .001;
// A hot function of which more than this share of the counts does not match was not optimized by
// its profile.
inline constexpr double kUnreachedShare = .5;
// A function body whose other functions lost more than this part of what one of them gained was
// only divided in another way; a function is inlined if more than this part of its cost is.
inline constexpr double kMixedLoss = .5, kMostlyInlined = .5;
// A body that has a smaller share of the inlined copies of a function exchanges little code with
// it.
inline constexpr double kMinLinkedShare = .1;

// One in so many of the instructions, calls or bytes of a program may lack debug information or
// probes without a warning: some runtime library is in nearly every program.
inline constexpr uint64_t kNegligibleOneIn = 100;

}  // namespace pgo::thresholds

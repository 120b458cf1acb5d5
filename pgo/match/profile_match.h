// ProfileMatch: how much of a profile matches a build, and why the rest does not.
//
//   ProfileMatch match = match_lines(profile, places, symbols);
//   match.match_rate()          0.987
//   match.functions.front()     the function with the most unmatched counts, and why
//
// Weight is the sum of all counts of lines (or blocks). A build may inline otherwise than the one
// that was profiled, so a count matches when any copy of its function has its line. But what was
// inlined at a call that this build does not have is unmatched, as it is for the compiler.
//
// The compiler reads a profile before it optimizes, the binary shows what was left afterwards. So a
// line without code was either edited, or merged and folded away. Profiles name all lines of what
// ran: an edit leaves lines in the function that the profile does not know, and some of them
// between the nearest lines that both have; the optimizer leaves hardly any. It is a guess: lines
// that were deleted, or moved to where others were, look as if nothing had happened.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pgo/elf/probe_table.h"
#include "pgo/match/source_places.h"

namespace pgo {

class SourceProfile;

enum class MatchOutcome : uint8_t {
  kMatched,             // the build has code of it
  kOptimizedAway,       // no code is left, but the lines around it match; counts as matched
  kOtherDiscriminator,  // the line is there, this piece of it is not
  kNoLine,              // the function is there, the line is not
  kNoLineWhenProfiled,  // the profiled build could not say which line it was
  kOtherName,           // a static function that this build gives another name
  kOtherPath,           // a static function whose unique name is of another source path
  kNoDebugInfo,         // the function is there, but nothing says which lines it has
  kNoFunction,          // no code of such a function
  kChanged,             // by probe: the function has another control flow than when profiled
  kNoProbes,            // by probe: the function is there, and was compiled without
};
constexpr size_t kMatchOutcomeCount = static_cast<size_t>(MatchOutcome::kNoProbes) + 1;

// Weight by outcome.
struct MatchWeights {
  std::array<uint64_t, kMatchOutcomeCount> by_outcome{};

  void add(MatchOutcome fit, uint64_t weight);
  uint64_t of(MatchOutcome fit) const { return by_outcome[static_cast<size_t>(fit)]; }
  uint64_t all() const;
  uint64_t unmatched() const;        // all but kMatched and kOptimizedAway
  MatchOutcome main_reason() const;  // of most of what is unmatched; the first of equals
};

struct FunctionMatch {
  std::string name;        // as the profile has it: a linkage name or a hash
  std::string other_name;  // what this build calls it, for kOtherName and kOtherPath
  MatchWeights weights;    // with what was inlined at calls that are gone
};

struct ProfileMatch {
  MatchWeights weights;
  std::vector<FunctionMatch> functions;  // most unmatched first; equal ones by name

  // The matched share of the weight, in [0, 1]; 0 for a profile without counts.
  double match_rate() const;
  // For a profile of several binaries: forgets the counts that are unmatched because the build has
  // no such function, or has none but by its symbol, which another binary's static function may
  // share; and returns them. What is left is of this build, and may be nothing.
  uint64_t leave_out_absent();
};

// What to look for when a profile is compared with a build.
WantedFunctions wanted_functions(const SourceProfile& profile);

// A profile by line. `symbols` are the names of the build's functions that have no debug
// information. O(counts * log places).
ProfileMatch match_lines(const SourceProfile& profile, const SourcePlaces& places,
                         const StaticNames& symbols);

// A profile by probe, against what the compiler knew of each function before it optimized. A
// function with the checksum of the profile matches with all its counts. `symbols` are the names
// of the build's functions that have no probes. O(counts).
ProfileMatch match_probes(const SourceProfile& profile, const ProbeFunctions& functions,
                          const StaticNames& symbols);

}  // namespace pgo

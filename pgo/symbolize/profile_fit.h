// ProfileFit: how much of a profile has a place in a build, and what became of the rest.
//
//   ProfileFit fit = fit_to_places(profile, places, symbols);
//   fit.share()                 0.987
//   fit.functions.front()       the function that lost most, and why
//
// Weight is the sum of all counts of lines (or blocks). A build may inline otherwise than the one
// that was profiled, so a count may have its place in any copy of its function; but what was
// inlined at a call that this build does not have is lost with that call, as it is to the compiler.
//
// The compiler reads a profile before it optimises, the binary tells what was left afterwards. So a
// line without code was either edited, or merged and folded away. Profiles name all lines of what
// ran: an edit leaves lines in the function that the profile does not know, and some of them
// between the nearest lines that both have; the optimiser leaves hardly any. It is a guess: lines
// that were deleted, or moved to where others were, look as if nothing had happened.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pgo/elf/probe_table.h"
#include "pgo/symbolize/source_places.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

enum class Fit : uint8_t {
  kPlace,               // it has a place
  kOptimisedAway,       // no code is left of it, but all around it is as it was profiled
  kOtherDiscriminator,  // the line is there, this piece of it is not
  kNoLine,              // the function is there, the line is not
  kNoLineWhenProfiled,  // the profiled build could not say which line it was
  kOtherName,           // a static function that this build gives another name
  kNoDebugInfo,         // the function is there, but nothing says which lines it has
  kNoFunction,          // no code of such a function
  kChanged,             // by probe: the function has another control flow than when profiled
  kNoProbes,            // by probe: the function is there, and was compiled without
};
constexpr size_t kFitCount = static_cast<size_t>(Fit::kNoProbes) + 1;

// Counts by what became of them.
struct FitWeights {
  std::array<uint64_t, kFitCount> by_fit{};

  void add(Fit fit, uint64_t weight);
  uint64_t of(Fit fit) const { return by_fit[static_cast<size_t>(fit)]; }
  uint64_t all() const;
  uint64_t lost()
      const;  // all but those that have a place, or had one before it was optimised away
  Fit main_loss() const;  // where most was lost; the first of equals
};

struct FunctionFit {
  std::string name;        // as the profile has it: a linkage name or a hash
  std::string other_name;  // what this build calls it, for kOtherName
  FitWeights weights;      // with what was inlined at calls that are gone
};

struct ProfileFit {
  FitWeights weights;
  std::vector<FunctionFit> functions;  // that lost most first; equal ones by name

  // What is not lost, in [0, 1]; 0 for a profile without counts.
  double share() const;
  // For a profile of several binaries: forgets the counts that are lost because the build has no
  // such function, or has none but by its symbol, which another binary's static function may share;
  // and returns them. What is left is of this build, and may be nothing.
  uint64_t leave_out_absent();
};

// What to look for when a profile is compared with a build.
WantedFunctions wanted_functions(const SourceProfile& profile);

// A profile by line. `symbols` are the names of the build's functions that have no debug
// information. O(counts * log places).
ProfileFit fit_to_places(const SourceProfile& profile, const SourcePlaces& places,
                         const StaticNames& symbols);

// A profile by probe, against what the compiler knew of each function before it optimised. A
// function with the checksum of the profile has a place for all its counts. `symbols` are the names
// of the build's functions that have no probes. O(counts).
ProfileFit fit_to_probes(const SourceProfile& profile, const ProbeFunctions& functions,
                         const StaticNames& symbols);

}  // namespace pgo

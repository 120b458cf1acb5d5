// match(): how much of a profile matches a build, which functions the rest is of, and why it does
// not match. Compilers read a profile of other code without a word; this finds out.
//
//   PGO_TRY(MatchResult result, match({.binary = "server", .profile = "server.prof"}));
//   result.match_rate()        0.987
//   result.is_enough()         whether that is at least the percentage that was asked for
//
// A profile by line is compared with the lines of the binary's debug information, one by probe with
// the checksums of its pseudo probe descriptors. GCC's profiles have too little to be compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/binary/debug_file.h"
#include "pgo/binary/profile_note.h"
#include "pgo/elf/staleness_statistics.h"
#include "pgo/match/profile_match.h"

namespace pgo {

struct MatchRequest {
  std::string binary = {};
  std::string profile = {};  // empty: the one that the binary's note names, if it can be found
  // A directory of files that have the SHA-256 of their contents for a name, in which that profile
  // may be, too; empty: none.
  std::string blobs = {};
  std::string shown_as = {};  // what results and errors call the profile; empty: its path
  bool of_several = false;    // the profile has functions of other binaries, which do not count
  // The least match rate that is enough, in percent; none: what the kind of profile lets expect.
  std::optional<double> min_match = {};
  DebugPlaces debug = {};  // where the debug information of a stripped binary is
  unsigned jobs = 0;       // threads; 0: all cores
};

// What a profile and a build are compared by.
enum class MatchBasis { kLine, kProbe };

struct MatchResult {
  std::string binary;               // as in the request
  std::string profile;              // its path, or what the request calls it
  std::string profile_digest;       // "sha256:..."
  bool of_several = false;          // as in the request
  std::optional<ProfileNote> note;  // what the binary says of the profile that it was built with
  MatchBasis basis = MatchBasis::kLine;
  ProfileMatch match;                           // with `of_several` without `left_out`
  uint64_t left_out = 0;                        // weight of functions that other binaries have
  std::optional<StalenessStatistics> compiler;  // what clang noted in the binary
  double min_match = 0;                         // percent
  Diagnostics diagnostics;

  // Of a profile of several binaries, which may have none for this one: a warning, and no failure.
  bool has_counts() const { return match.weights.all() != 0; }
  double match_rate() const { return match.match_rate(); }  // 0 to 1
  bool is_enough() const { return !has_counts() || 100 * match_rate() >= min_match; }
  // Whether the binary says that it was built with this profile; nothing when it says nothing.
  std::optional<bool> is_noted_profile() const;
};

// Errors: kUsage when no profile is named and none is found, kInput for a binary without what it
// takes to compare, kMismatch for a debug file of another binary, kUnsupported for a profile of
// another kind than LLVM's, kEmpty for a profile without counts.
Result<MatchResult> match(const MatchRequest& request);

}  // namespace pgo

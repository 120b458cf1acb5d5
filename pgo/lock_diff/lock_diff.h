// diff_locks(): what changed between two lock files: which profiles builds use now, and how much
// these differ from those before.
//
//   LockDiffRequest request{.before = old, .after = now, .cache = cache, .open = open};
//   const LockDiffResult result = diff_locks(request);
//
// Profiles are compared when both are in the cache of blobs, or can be fetched into it; what cannot
// be compared is no error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/lock_diff/lock_side.h"
#include "pgo/lock_diff/profile_comparison.h"
#include "pgo/versions/registry_opener.h"

namespace pgo {

struct LockDiffRequest {
  LockSide before, after;
  std::string cache;        // its directory
  bool wants_pull = false;  // fetch the profiles to compare that the cache does not have
  OpenRegistry open;        // for that
  size_t top = 10;          // functions of a comparison
};

// What is known of the effect of a changed file on what is built with it. None of these is a
// prediction of speed.
enum class ExpectedEffect : uint8_t {
  kNone,      // the same bytes
  kByChance,  // the profiles overlap as much as two halves of one of them do
  kSmall,     // 90 % or more of the counts are where they were
  kPart,      // 50 % or more
  kMost,      // less
  kUnknown,   // not compared
};

// A file of the same kind and configuration on both sides, or on one.
struct FileChange {
  std::optional<ProfileFile> before = {}, after = {};
  std::optional<ProfileComparison> comparison = {};
  bool is_missing = false;        // a profile that could be compared is not in the cache
  std::string not_compared = {};  // another reason; empty: none

  bool is_same() const { return before && after && before->digest == after->digest; }
  const ProfileFile& either() const;  // that of after, if there is one
  ExpectedEffect effect() const;
};

enum class LockChange : uint8_t {
  kAdded,
  kRemoved,
  kRepinned,    // to another version
  kSameFiles,   // to another version with the same files
  kSameVersion  // other words about the same version: its reference, what was pinned before
};

struct ProfileChange {
  std::string name;
  LockChange change = LockChange::kRepinned;
  std::optional<LockEntry> before = {}, after = {};
  std::vector<FileChange> files = {};  // by kind and configuration
};

struct LockDiffResult {
  std::string before, after;           // names of the sides
  std::vector<ProfileChange> changes;  // by name
  uint64_t unchanged = 0;
  bool was_pulled = false;  // what the cache did not have was asked for
  Diagnostics diagnostics;

  // Is there a profile that could be compared if it were in the cache?
  bool is_missing_profiles() const;
};

LockDiffResult diff_locks(const LockDiffRequest& request);

}  // namespace pgo

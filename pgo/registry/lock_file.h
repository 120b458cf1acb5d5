// LockFile: pgo.lock, which says exactly which version of each profile a build uses
// (docs/reference/lock.md has its fields). It is committed with the source: one field on a line and
// sorted, so that a change is reviewed, and merged, like any other; JSON, so that CMake and Bazel
// read it without help. What a later pgo wrote into it is not used, and is kept when it is written
// again.
//
//   PGO_TRY(LockFile lock, read_lock_file("pgo.lock"));
//   const LockEntry& entry = lock.profiles.at("server");
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/registry/profile_version.h"

namespace pgo {

struct LockEntry {
  std::string reference;  // with the tag that was pinned; without a digest
  std::string manifest;   // its digest
  std::string previous;   // of what was pinned before; empty: nothing
  // Of that one, as 'reference', 'signed_by' and 'inputs'; empty where they are not known.
  std::string previous_reference, previous_signed_by, previous_inputs;
  std::optional<TimeWindow> window;  // in which the profiles were recorded
  std::string source;                // where they were fetched from; empty: not known
  std::string tool;                  // "pgo 0.1.0", which fetched them; empty: not known
  std::string inputs;                // of ProfileVersion; empty: not known
  std::string signed_by;             // public key of who must have signed it; empty: anybody
  std::vector<ProfileFile> files;    // of locked kinds; sorted
  UnknownFields unknown = {};
  std::vector<std::string> unknown_files =
      {};  // of kinds that this pgo does not know, as JSON; sorted

  bool operator==(const LockEntry&) const = default;
};

struct LockFile {
  static constexpr uint64_t kVersion = 1;

  std::map<std::string, LockEntry> profiles;  // by name
  UnknownFields unknown = {};

  bool operator==(const LockFile&) const = default;
};

// At most 128 letters, digits, '_', '.', '-' and '+'.
bool is_profile_name(std::string_view text);

// `name` is for messages. There is a warning for each field that is not known. Errors: kInput
// for what is no lock file, also for conflict markers and for a name that is there twice, as a
// merge by hand may leave them; kUnsupported for a newer version.
Result<LockFile> parse_lock_file(std::string_view text, const std::string& name,
                                 Diagnostics& diagnostics);
std::string lock_file_text(const LockFile& lock);
// Takes over what another pgo wrote into the old entry of the same profile: the fields of the
// entry, and those of files that are the same.
void keep_unknown(const LockEntry& old_entry, LockEntry& entry);

// Error: kIo too. A file that is missing has no profiles when `missing` says so.
enum class MissingLock : uint8_t { kError, kEmpty };
Result<LockFile> read_lock_file(const std::string& path, Diagnostics& diagnostics,
                                MissingLock missing = MissingLock::kError);
// The error for a name that the lock file `path` does not have: kUsage.
Failure no_locked_profile(const LockFile& lock, const std::string& path, const std::string& name);

}  // namespace pgo

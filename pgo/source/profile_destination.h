// ProfileDestination: where profiles go to: a directory, a bucket, a store. The way back is a
// Source.
//
//   PGO_TRY(std::vector<std::string> places, destination.put(profile, diagnostics));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

struct OutgoingProfile {
  std::string shown;     // the file, for messages
  std::string key = {};  // the name in a directory or bucket; empty: profile_key()
  Labels labels;
  int64_t time = 0;  // when it was recorded, in nanoseconds since 1970
  // For destinations that keep files as they are.
  Bytes file = {};
  std::string extension = {};  // ".pb.gz", ".addr"
  // For destinations that keep stacks: normalized, with its time.
  StackProfile stacks = {};
};

// What a destination keeps.
enum class KeptForm : uint8_t {
  kFile,    // any file, as it is
  kStacks,  // pprof profiles only
  // The same, and no address of a location that has a function name: `stacks` has no names where
  // there are a build ID and an address, from which they can be found again.
  kUnnamedStacks,
};

class ProfileDestination {
 public:
  ProfileDestination() = default;
  ProfileDestination(const ProfileDestination&) = delete;
  ProfileDestination& operator=(const ProfileDestination&) = delete;
  virtual ~ProfileDestination() = default;

  // As given, without secrets.
  virtual const std::string& name() const = 0;
  virtual KeptForm form() const = 0;
  // Can profiles with these labels be put there? For asking before a long recording. Error: kUsage.
  virtual Result<void> check(const Labels&) const { return ok(); }
  // Where it is now; several places when it went there in parts. What the store loses of it is a
  // warning. Errors: kUsage for labels that are missing or cannot be; kIo; kInput for answers that
  // are none.
  virtual Result<std::vector<std::string>> put(const OutgoingProfile& profile,
                                               Diagnostics& diagnostics) = 0;
};

// Kinds of warnings.
inline constexpr const char *kLostSampleLabels = "lost-sample-labels",
                            *kProfileInParts = "profile-in-parts";

}  // namespace pgo

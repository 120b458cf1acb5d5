// The names of uploaded profiles in directories and buckets: they tell the labels, the hour and the
// contents.
//
//   service=queryd/version=1.42/hour=2026-11-26T13/host=web-1,zone=eu,0123456789ab.pb.gz
//   hour=2026-11-26T13/0123456789ab.pb.gz                        without labels
//
// Characters that file systems, shells and this form take for something else are percent-encoded,
// so labels come back as they were. The same profile has the same name: a second upload replaces it
// by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/source/profile_destination.h"
#include "pgo/source/source.h"

namespace pgo {

// A label's key or value as such names have it: a name of a file or a directory by itself, too.
std::string key_part(std::string_view text);

// Or the key that the profile has. Error: kUsage for labels that make a longer name than file
// systems take (255 bytes).
Result<std::string> profile_key(const OutgoingProfile& profile);

struct ProfileKey {
  Labels labels;
  int64_t hour = 0;    // its begin, in nanoseconds since 1970
  std::string digest;  // the first digits of the SHA-256 of the contents

  bool operator==(const ProfileKey&) const = default;
};

// What such a name tells. Nothing for other names. `path` is relative.
std::optional<ProfileKey> parse_profile_key(std::string_view path);

// `source`, whose objects with such names, in any directory, have the labels and the hour that
// these tell.
std::unique_ptr<Source> with_profile_keys(std::unique_ptr<Source> source);

}  // namespace pgo

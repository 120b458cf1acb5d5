// The names of profiles in directories and buckets: they tell the labels, the hour and the
// contents.
//
//   queryd/1.42/2026-11-26T13/web-1-0123456789ab.pb.gz      of service, version and host
//   2026-11-26T13/0123456789ab.pb.gz                        without labels
//
// `pgo fetch --path-template '{service}/{version}/{hour}/{host}-{id}'` reads them. The same profile
// has the same name, so that a second upload replaces it by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pgo/source/profile_destination.h"

namespace pgo {

std::string profile_key(const OutgoingProfile& profile);

// A label as part of such a name: without what file systems, shells and templates take for
// something else.
std::string key_part(std::string_view label);

struct ProfileKey {
  int64_t hour = 0;         // its begin, in nanoseconds since 1970
  std::string_view digest;  // the first digits of the SHA-256 of the contents
};

// What such a name tells. Nothing for other names. `path` is relative.
std::optional<ProfileKey> parse_profile_key(std::string_view path);

}  // namespace pgo

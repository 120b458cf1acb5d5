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

// The hour of such a name, in nanoseconds since 1970. Nothing for other names. `path` is relative.
std::optional<int64_t> hour_of_key(std::string_view path);

}  // namespace pgo

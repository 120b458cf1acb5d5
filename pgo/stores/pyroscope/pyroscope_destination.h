// Grafana Pyroscope as a destination: profiles are pushed as pprof (push.v1.PusherService).
//
// It removes the addresses of mappings with functions, so names stay here. By default it refuses
// profiles that are older than an hour, larger than 4 MiB or with more than 16 000 samples: the
// latter two are pushed in parts. If a part fails, the error says how many are stored, and putting
// the same profile again pushes the others only, as long as the destination lives.
#pragma once

#include <memory>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/source/profile_destination.h"
#include "pgo/store_access/store_credentials.h"

namespace pgo::pyroscope {

// Errors: kUsage. Nothing is sent.
Result<std::unique_ptr<ProfileDestination>> open_pyroscope_destination(
    std::string_view location, const store_access::Environment& environment,
    const net::HttpOptions& http);

}  // namespace pgo::pyroscope

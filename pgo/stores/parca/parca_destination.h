// Parca as a destination: profiles are pushed as pprof (ProfileStoreService/WriteRaw).
//
// It removes the addresses of locations with names, so names stay here, and the labels of samples.
#pragma once

#include <memory>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/source/profile_destination.h"
#include "pgo/store_access/store_credentials.h"

namespace pgo::parca {

// Errors: kUsage. Nothing is sent.
Result<std::unique_ptr<ProfileDestination>> open_parca_destination(
    std::string_view location, const store_access::Environment& environment,
    const net::HttpOptions& http);

}  // namespace pgo::parca

// profefe as a destination: profiles are pushed as pprof, and kept as they come.
#pragma once

#include <memory>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/source/profile_destination.h"

namespace pgo::profefe {

// Errors: kUsage. Nothing is sent.
Result<std::unique_ptr<ProfileDestination>> open_profefe_destination(std::string_view location,
                                                                     const net::HttpOptions& http);

}  // namespace pgo::profefe

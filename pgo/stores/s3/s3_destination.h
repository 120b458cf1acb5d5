// A bucket that profiles are uploaded to: each is an object, named for its labels, hour and
// contents (pgo/source/profile_key.h).
#pragma once

#include <memory>
#include <string>

#include "pgo/base/result.h"
#include "pgo/source/profile_destination.h"
#include "pgo/stores/s3/s3_source.h"

namespace pgo::s3 {

// Errors: those of open_s3_source(). Nothing is sent.
Result<std::unique_ptr<ProfileDestination>> open_s3_destination(const std::string& text,
                                                                const Environment& environment,
                                                                const net::HttpOptions& http);

}  // namespace pgo::s3

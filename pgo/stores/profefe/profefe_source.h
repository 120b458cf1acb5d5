// profefe as a Source: each profile that it keeps is an object, as it was pushed.
//
//   PGO_TRY(auto source, open_profefe("profefe+http://profefe:10100", http));
//   profefe+http://HOST[:PORT][/PATH][?type=TYPE]
//
// `type` is one of profefe's: cpu (the default), heap, block, mutex. Object names are "SERVICE/ID".
// profefe merges, too, but what it keeps has labels and times of its own.
#pragma once

#include <memory>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/source/source.h"

namespace pgo::profefe {

bool is_profefe(std::string_view location);

// Errors: kUsage. Nothing is sent.
Result<std::unique_ptr<Source>> open_profefe(std::string_view location,
                                             const net::HttpOptions& http);

}  // namespace pgo::profefe

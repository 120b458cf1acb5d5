// Grafana Pyroscope, or Grafana Cloud Profiles, as a Source.
//
//   PGO_TRY(auto source, open_pyroscope("pyroscope+https://pyroscope:4040", environment, http));
//   pyroscope+https://HOST[:PORT][/PATH][?type=TYPE&selector=MATCHERS&labels=NAME,...]
//
// Pyroscope merges the profiles of a window itself. It is asked for each hour and each set of the
// labels that stay apart (host, version, zone; store_access/kept_labels.h), which its series tell.
// Plain pprof is asked for, and not the shortened stacks that it has for Go's compiler. An hour
// that is longer than the server allows is asked for in parts. Old servers know only
// SelectMergeProfile, newer ones may have only SelectMergeStacktraces.
#pragma once

#include <memory>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/source/source.h"
#include "pgo/store_access/store_credentials.h"

namespace pgo::pyroscope {

bool is_pyroscope(std::string_view location);

// Errors: kUsage. Nothing is sent.
Result<std::unique_ptr<Source>> open_pyroscope(std::string_view location,
                                               const store_access::Environment& environment,
                                               const net::HttpOptions& http);

}  // namespace pgo::pyroscope

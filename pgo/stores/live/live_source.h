// Live hosts as a Source: each host is one object, which is recorded when it is fetched. So nothing
// of it is known before, and nothing can be reused from a cache.
//
//   PGO_TRY(auto source, live::open_live_hosts("pprof+http://web-1:6060,web-2:6060", options));
//
// Object names are "web-1:6060/debug/pprof/profile". Labels: "host" (web-1), "instance"
// (web-1:6060), and what a list of hosts gives, which wins. Behind a loopback address, where ports
// are forwarded to other hosts, "host" has the port too. A DNS name that has no address is one
// object, "dns+web:6060/debug/pprof/profile", which cannot be fetched.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_client.h"
#include "pgo/source/source.h"
#include "pgo/stores/live/live_targets.h"
#include "pgo/stores/live/live_token.h"

namespace pgo::live {

struct LiveOptions {
  // Its time-outs are for the network: the seconds that a host records for are added.
  net::HttpOptions http = {};
  LiveToken token = {};  // for hosts and for lists of them (sd+URL)
  Resolver resolver = resolve;
};

// Errors: kUsage. Hosts are discovered by list().
Result<std::unique_ptr<Source>> open_live_hosts(std::string_view location,
                                                const LiveOptions& options);

// The error of an answer that is no success: also what Go's net/http/pprof and brpc say.
Error live_error(const std::string& shown, const net::HttpResponse& response);

}  // namespace pgo::live

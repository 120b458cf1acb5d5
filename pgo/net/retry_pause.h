// How long to wait before a request is sent again: a pause that doubles, or what the server asks
// for (Retry-After, RFC 9110, section 10.2.3).
#pragma once

#include <optional>

#include "pgo/net/http.h"
#include "pgo/net/http_client.h"

namespace pgo::net {

// In seconds, before the try after the first `tries`. `jitter` is from 0 to 1: it shortens the
// pause by up to half, so that many clients do not come back at once.
double pause_after(unsigned tries, double jitter, const HttpOptions& options);

// In seconds from the time of the answer on; nothing without Retry-After, and when it is neither a
// number of seconds nor a date. A date counts from the server's own clock (Date), if it has one.
std::optional<double> asked_pause(const HttpResponse& response);

}  // namespace pgo::net

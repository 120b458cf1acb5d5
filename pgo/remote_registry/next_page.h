// The URL of the next page of a list, by its Link header (RFC 8288), as registries send it:
//
//   Link: </v2/team/server/tags/list?last=v2&n=100>; rel="next"
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http_url.h"

namespace pgo {

// Empty when `header` names none. A relative URL is relative to `page`. Error: kInput for a URL of
// another origin, which gets no credentials of this one.
Result<std::string> next_page(std::string_view header, const net::HttpUrl& page);

// `location` of an answer to a request for `page`, as a full URL: a path, a query, or a URL of any
// origin. Error: kInput for what is none.
Result<net::HttpUrl> resolve_location(std::string_view location, const net::HttpUrl& page);

}  // namespace pgo

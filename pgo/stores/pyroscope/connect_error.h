// Errors of Pyroscope: of its API (Connect: {"code": "not_found", "message": "..."}), or of a proxy
// before it, as a text or a page.
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/net/http.h"

namespace pgo::pyroscope {

struct ConnectError {
  std::string code;     // "invalid_argument"; empty: another kind of answer
  std::string message;  // without line breaks
};

ConnectError parse_connect_error(std::string_view body);

// Is the window longer than the server allows?
bool is_window_too_long(const ConnectError& error);
// Does the server not know this method? Answers of a router say so, too.
bool is_unknown_method(int status, const ConnectError& error);

// `shown`: what was asked.
Error pyroscope_error(const std::string& shown, const net::HttpResponse& response);

}  // namespace pgo::pyroscope

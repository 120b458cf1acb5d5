#include "pgo/stores/pyroscope/connect_error.h"

#include <nlohmann/json.hpp>

#include "pgo/base/json_fields.h"
#include "pgo/base/json_nesting.h"

namespace pgo::pyroscope {
namespace {

constexpr size_t kMaxDepth = 16;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

ConnectError parse_connect_error(std::string_view body) {
  if (is_json_nested_deeper(body, kMaxDepth)) return {};
  const nlohmann::json parsed = nlohmann::json::parse(body, nullptr, false);
  return {net::first_line(text_member(parsed, "code")),
          net::first_line(text_member(parsed, "message"))};
}

bool is_window_too_long(const ConnectError& error) {
  return contains(error.message, "query time range exceeds the limit");
}

bool is_unknown_method(int status, const ConnectError& error) {
  return status == 501 || error.code == "unimplemented" || (status == 404 && error.code.empty());
}

Error pyroscope_error(const std::string& shown, const net::HttpResponse& response) {
  const ConnectError said = parse_connect_error(response.body);
  Error error = net::status_error(
      shown, response, said.message.empty() && !response.is_html() ? response.body : said.message);
  if (contains(error.message, "no org id"))
    error.advice = "the server has tenants: name one with PRODPGO_PYROSCOPE_TENANT";
  else if (is_unknown_method(response.status, said))
    error.advice = "check the URL: Pyroscope 1.0 or later is expected there";
  return error;
}

}  // namespace pgo::pyroscope

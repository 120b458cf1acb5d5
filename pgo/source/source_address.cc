#include "pgo/source/source_address.h"

#include <algorithm>

namespace pgo {
namespace {

constexpr std::string_view kDirectory = "dir:", kAfterScheme = "://";

bool is_scheme(std::string_view text) {
  return !text.empty() && text[0] >= 'a' && text[0] <= 'z' &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-.") == text.npos;
}

// Where the hosts of `rest` begin: after the user and the password. A '/' in a password should be
// written %2F; what was not is recognized by a port that is no number.
size_t hosts_begin(std::string_view rest) {
  const std::string_view hosts = rest.substr(0, rest.find_first_of("/?#"));
  if (size_t at = hosts.rfind('@'); at != hosts.npos) return at + 1;
  const size_t colon = hosts.rfind(':');
  if (colon == hosts.npos || hosts.find(']', colon) != hosts.npos) return 0;
  const std::string_view port = hosts.substr(colon + 1);
  if (port.find_first_not_of("0123456789") == port.npos) return 0;
  return rest.rfind('@') + 1;  // 0 when there is none
}

// "a=...&b=..." of "a=1&b=2". A part without '=' may be a token by itself.
std::string without_values(std::string_view query) {
  std::string result;
  while (true) {
    const std::string_view part = query.substr(0, query.find('&'));
    const size_t equals = part.find('=');
    if (equals != part.npos) result += part.substr(0, equals + 1);
    if (!part.empty()) result += "...";
    if (part.size() == query.size()) return result;
    result += '&';
    query.remove_prefix(part.size() + 1);
  }
}

}  // namespace

std::optional<SourceAddress> parse_source_address(std::string_view text) {
  if (text.starts_with(kDirectory))
    return SourceAddress{"dir", std::string(text.substr(kDirectory.size())), std::string(text)};
  const size_t end = text.find(kAfterScheme);
  if (end == text.npos || !is_scheme(text.substr(0, end))) return std::nullopt;
  return SourceAddress{std::string(text.substr(0, end)),
                       std::string(text.substr(end + kAfterScheme.size())),
                       url_without_secrets(text)};
}

std::string url_without_secrets(std::string_view url) {
  const size_t end = url.find(kAfterScheme);
  if (end == url.npos || !is_scheme(url.substr(0, end))) return std::string(url);
  std::string_view rest = url.substr(end + kAfterScheme.size());
  rest.remove_prefix(hosts_begin(rest));
  rest = rest.substr(0, rest.find('#'));
  std::string result(url.substr(0, end + kAfterScheme.size()));
  const size_t question = rest.find('?');
  result += rest.substr(0, question);
  if (question != rest.npos) result += "?" + without_values(rest.substr(question + 1));
  return result;
}

}  // namespace pgo

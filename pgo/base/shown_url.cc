#include "pgo/base/shown_url.h"

#include <algorithm>

#include "pgo/base/utf8.h"

namespace pgo {
namespace {

constexpr std::string_view kAfterScheme = "://";

bool is_scheme(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '-' || c == '.';
  });
}

// Where the hosts of `rest` begin, or what may be more of a password: after the user and the
// password. A '/', '?' or '#' in a password
// should be percent-encoded; one that was not is recognized by a port that is no number, and by an
// '@' behind hosts that have no path.
size_t hosts_begin(std::string_view rest) {
  const std::string_view hosts = rest.substr(0, rest.find_first_of("/?#"));
  if (size_t at = hosts.rfind('@'); at != hosts.npos) return at + 1;
  const size_t after_any = rest.rfind('@') + 1;  // 0 when there is none
  if (hosts.size() < rest.size() && rest[hosts.size()] != '/') return after_any;
  const size_t colon = hosts.rfind(':');
  if (colon == hosts.npos || hosts.find(']', colon) != hosts.npos) return 0;
  const std::string_view port = hosts.substr(colon + 1);
  return port.find_first_not_of("0123456789") == port.npos ? 0 : after_any;
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

std::string url_without_secrets(std::string_view url) {
  const size_t end = url.find(kAfterScheme);
  const bool has_scheme = end != url.npos && is_scheme(url.substr(0, end));
  const size_t begin = has_scheme ? end + kAfterScheme.size() : 0;
  std::string_view rest = url.substr(begin);
  while (const size_t skipped = hosts_begin(rest)) rest.remove_prefix(skipped);
  rest = rest.substr(0, rest.find('#'));
  std::string shown(url.substr(0, begin));
  const size_t question = rest.find('?');
  shown += rest.substr(0, question);
  if (question != rest.npos) shown += "?" + without_values(rest.substr(question + 1));
  for (char& c : shown)
    if (static_cast<uint8_t>(c) < ' ' || c == 127) c = '?';
  return valid_utf8(shown);
}

}  // namespace pgo

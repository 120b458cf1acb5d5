#include "pgo/store_access/store_location.h"

#include <algorithm>

#include "pgo/base/shown_url.h"
#include "pgo/net/percent_encoding.h"
#include "pgo/store_access/shown_list.h"

namespace pgo::store_access {
namespace {

constexpr size_t kMaxValue = 16 << 10;

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return c >= 0 && (c < ' ' || c == 127); });
}

Result<void> add_parameter(std::string_view text, const std::string& shown,
                           const std::set<std::string, std::less<>>& known,
                           StoreLocation& location) {
  const size_t equals = std::min(text.find('='), text.size());
  const std::string name(text.substr(0, equals));
  if (!known.contains(name))
    return fail(ErrorKind::kUsage, shown + ": unknown parameter '" + name + "'",
                "this kind of store takes: " + shown_list(known));
  const std::string value = net::percent_decode(text.substr(std::min(equals + 1, text.size())));
  if (value.empty() || value.size() > kMaxValue || has_control(value))
    return fail(ErrorKind::kUsage, shown + ": the parameter '" + name + "' has no usable value");
  if (!location.parameters.emplace(name, value).second)
    return fail(ErrorKind::kUsage, shown + ": the parameter '" + name + "' is given twice");
  return ok();
}

}  // namespace

std::string StoreLocation::url(std::string_view path) const {
  return base.origin() + base.path + std::string(path);
}

const std::string& StoreLocation::parameter(std::string_view name) const {
  static const std::string kNone;
  const auto found = parameters.find(name);
  return found == parameters.end() ? kNone : found->second;
}

bool is_store_location(std::string_view text, std::string_view kind) {
  if (!text.starts_with(kind)) return false;
  text.remove_prefix(kind.size());
  return text.starts_with("+http://") || text.starts_with("+https://");
}

Result<StoreLocation> parse_store_location(std::string_view text, std::string_view kind,
                                           const std::set<std::string, std::less<>>& known) {
  const std::string shown = url_without_secrets(text);
  if (!is_store_location(text, kind))
    return fail(ErrorKind::kUsage, shown + ": does not begin with " + std::string(kind) +
                                       "+http:// or " + std::string(kind) + "+https://");
  std::string_view rest = text.substr(kind.size() + 1);
  rest = rest.substr(0, rest.find('#'));
  const size_t question = std::min(rest.find('?'), rest.size());
  const std::string_view address = rest.substr(0, question);
  if (address.find('@') != address.npos)
    return fail(ErrorKind::kUsage, shown + ": has a user or a password; put them into ~/.netrc");
  StoreLocation location;
  PGO_TRY(location.base, net::parse_http_url(address));
  while (location.base.path.ends_with('/')) location.base.path.pop_back();
  std::string_view query = rest.substr(std::min(question + 1, rest.size()));
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    if (!one.empty()) PGO_CHECK(add_parameter(one, shown, known, location));
  }
  location.shown = std::string(kind) + "+" + location.base.origin() + location.base.path;
  char separator = '?';
  for (const auto& [name, value] : location.parameters) {
    location.shown += separator + name + "=" + value;
    separator = '&';
  }
  return location;
}

}  // namespace pgo::store_access

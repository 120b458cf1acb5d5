#include "pgo/stores/live/live_token.h"

#include <algorithm>

#include "pgo/base/shown_url.h"

namespace pgo::live {
namespace {

// "web.internal" or ".internal", and nothing else.
bool is_host_pattern(std::string_view text) {
  if (text.starts_with('.')) text.remove_prefix(1);
  const std::string host(text);
  const Result<net::HttpUrl> url = net::parse_http_url("http://" + host);
  return url && url->host.size() == host.size();
}

}  // namespace

Result<LiveToken> LiveToken::parse(const std::string& text, std::string_view hosts) {
  LiveToken token;
  token.text_ = text;
  while (!hosts.empty()) {
    std::string host(hosts.substr(0, hosts.find(',')));
    hosts.remove_prefix(std::min(host.size() + 1, hosts.size()));
    if (!is_host_pattern(host))
      return fail(ErrorKind::kUsage,
                  std::string(kTokenHostsVariable) + ": '" + url_without_secrets(host) +
                      "' is not a host without a port",
                  "write web.internal for one host, .internal for all hosts below it, and commas "
                  "between them");
    for (char& letter : host)
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
    token.hosts_.push_back(std::move(host));
  }
  return token;
}

std::optional<std::string> LiveToken::refusal(const net::HttpUrl& url, NamedBy named_by) const {
  if (!is_set()) return std::nullopt;
  const std::string start = std::string(kTokenVariable) + " is not sent to ";
  if (url.scheme != "https" && !url.is_loopback())
    return start + url.origin() + ", because others could read it on the way; use https:";
  const bool is_allowed =
      std::any_of(hosts_.begin(), hosts_.end(), [&](const std::string& allowed) {
        return allowed.starts_with('.') ? url.host.ends_with(allowed) : url.host == allowed;
      });
  if (named_by == NamedBy::kUser || is_allowed) return std::nullopt;
  return start + url.origin() + ", because a list of hosts named it; allow it by " +
         kTokenHostsVariable + "=" + url.host;
}

}  // namespace pgo::live

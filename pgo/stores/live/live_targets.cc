#include "pgo/stores/live/live_targets.h"

#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "pgo/base/json_nesting.h"
#include "pgo/base/shown_url.h"
#include "pgo/net/http_url.h"

namespace pgo::live {
namespace {

using nlohmann::json;

Failure too_many_targets(const std::string& name) {
  return fail(ErrorKind::kInput,
              name + ": names more than " + std::to_string(kMaxTargets) + " hosts");
}

Failure wrong_group(const std::string& name, size_t group, const char* why) {
  return fail(ErrorKind::kInput,
              name + ": entry " + std::to_string(group + 1) + " of the list: " + why);
}

// Labels whose names begin with "__" are for Prometheus itself.
bool add_labels(const json& group, Labels& labels) {
  const auto found = group.find("labels");
  if (found == group.end() || found->is_null()) return true;
  if (!found->is_object()) return false;
  for (const auto& [key, value] : found->items()) {
    if (!value.is_string()) return false;
    if (!key.starts_with("__")) labels.emplace(key, value.get_ref<const std::string&>());
  }
  return true;
}

std::string_view next_word(std::string_view& line) {
  const size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

Result<std::string> parse_address(std::string_view text, const std::string& where) {
  Result<net::HttpUrl> url = net::parse_http_url("http://" + std::string(text));
  const bool is_address = url && url->path == "/" && url->query.empty() && !text.ends_with('/') &&
                          !text.ends_with('?') && text.find('#') == text.npos;
  const bool is_bare_ipv6 =
      std::count(text.begin(), text.end(), ':') > 1 && text.find_first_of("[@/") == text.npos;
  if (!is_address)
    return fail(ErrorKind::kUsage, where + ": '" + url_without_secrets(text) +
                                       "' is not a host with a port, such as " +
                                       (is_bare_ipv6 ? "[2001:db8::1]:6060" : "web-1:6060"));
  const size_t port = text.find(':', text.find(']') + 1);  // npos + 1 is 0
  return url->host + std::string(port == text.npos ? "" : text.substr(port));
}

Result<std::vector<LiveTarget>> parse_service_discovery(std::string_view text,
                                                        const std::string& name) {
  constexpr size_t kDepth = 8;  // which is more than such a list needs
  const json list =
      is_json_nested_deeper(text, kDepth) ? json() : json::parse(text, nullptr, false);
  if (!list.is_array())
    return fail(ErrorKind::kInput,
                name +
                    ": is not a list of hosts in Prometheus's form, a JSON list of {\"targets\": "
                    "[\"HOST:PORT\"], \"labels\": {\"KEY\": \"VALUE\"}}");
  std::vector<LiveTarget> targets;
  for (size_t i = 0; i < list.size(); i++) {
    const json& group = list[i];
    const auto found = group.is_object() ? group.find("targets") : group.end();
    if (!group.is_object() || found == group.end() || !found->is_array())
      return wrong_group(name, i, "has no list 'targets'");
    Labels labels;
    if (!add_labels(group, labels)) return wrong_group(name, i, "'labels' are not texts by name");
    for (const json& target : *found) {
      if (!target.is_string()) return wrong_group(name, i, "a target is not a text");
      if (targets.size() == kMaxTargets) return too_many_targets(name);
      Result<std::string> address = parse_address(target.get_ref<const std::string&>(), name);
      if (!address) return fail(ErrorKind::kInput, address.error().message);
      targets.push_back(
          {.address = *std::move(address), .labels = labels, .named_by = NamedBy::kDiscovery});
    }
  }
  return targets;
}

Result<std::vector<HostLine>> parse_host_lines(std::string_view text, const std::string& name) {
  std::vector<HostLine> lines;
  for (size_t number = 1; !text.empty(); number++) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    HostLine one = {.host = std::string(next_word(line))};
    if (one.host.empty() || one.host.starts_with('#')) continue;
    one.where = name + ":" + std::to_string(number);
    if (one.host.starts_with('@'))
      return fail(ErrorKind::kInput, one.where + ": a list of hosts cannot name another file");
    if (lines.size() == kMaxTargets) return too_many_targets(name);
    for (std::string_view label; !(label = next_word(line)).empty();) {
      const size_t equals = label.find('=');
      if (equals == label.npos || equals == 0)
        return fail(ErrorKind::kInput,
                    one.where + ": expected 'HOST:PORT KEY=VALUE...', a host and its labels");
      one.labels.insert_or_assign(std::string(label.substr(0, equals)),
                                  std::string(label.substr(equals + 1)));
    }
    lines.push_back(std::move(one));
  }
  return lines;
}

Result<std::vector<std::string>> resolve(const std::string& name) {
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  const int status = ::getaddrinfo(name.c_str(), nullptr, &wanted, &first);
  std::unique_ptr<addrinfo, void (*)(addrinfo*)> found(first, ::freeaddrinfo);
  if (status != 0) return fail(ErrorKind::kIo, ::gai_strerror(status));
  std::vector<std::string> addresses;
  for (const addrinfo* one = found.get(); one; one = one->ai_next) {
    char text[NI_MAXHOST] = "";
    if (::getnameinfo(one->ai_addr, one->ai_addrlen, text, sizeof text, nullptr, 0,
                      NI_NUMERICHOST) == 0)
      addresses.emplace_back(text);
  }
  return addresses;
}

Result<std::vector<LiveTarget>> look_up(const std::string& name, const Resolver& resolver) {
  const std::string shown = "dns+" + name;
  PGO_TRY(std::string address, parse_address(name, shown));
  if (address.starts_with('['))
    return fail(ErrorKind::kUsage, shown + ": is an address, not a name", "leave out dns+");
  const size_t colon = std::min(address.find(':'), address.size());
  const std::string port = address.substr(colon);
  Result<std::vector<std::string>> addresses = resolver(address.substr(0, colon));
  if (addresses && addresses->empty()) addresses = fail(ErrorKind::kIo, "it has none");
  if (!addresses) {
    Error missing = {ErrorKind::kIo, shown + ": no address was found: " + addresses.error().message,
                     "check the name"};
    return std::vector<LiveTarget>{
        {.address = shown, .name = address, .missing = std::move(missing)}};
  }
  std::vector<LiveTarget> targets;
  for (const std::string& one : *addresses) {
    const bool is_ipv6 = one.find(':') != one.npos;
    // A link-local address has the name of an interface of this machine at its end.
    const std::string host = one.substr(0, one.find('%'));
    targets.push_back({.address = (is_ipv6 ? "[" + host + "]" : host) + port, .name = address});
  }
  std::sort(targets.begin(), targets.end(),
            [](const LiveTarget& a, const LiveTarget& b) { return a.address < b.address; });
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

}  // namespace pgo::live

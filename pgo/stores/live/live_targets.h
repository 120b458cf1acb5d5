// LiveTarget: a host to fetch a profile from, and where the lists of these come from: a file of
// lines, Prometheus service discovery, DNS.
//
// A file of lines: "HOST[:PORT] [KEY=VALUE...]", where the values are labels, or "dns+NAME[:PORT]",
// "sd+URL". Lines that are empty or begin with '#' do not count. Prometheus's form
// (https://prometheus.io/docs/prometheus/latest/http_sd/), for files and for URLs:
//
//   [{"targets": ["10.0.0.1:6060"], "labels": {"zone": "a", "__meta_x": "left out"}}]
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/labels.h"
#include "pgo/base/result.h"
#include "pgo/stores/live/live_token.h"

namespace pgo::live {

struct LiveTarget {
  std::string address;    // "web-1:6060", "[::1]:6060", "web-1"
  Labels labels = {};     // that the list gives
  std::string name = {};  // the DNS name that the address comes from, "web:6060"; empty: none
  NamedBy named_by = NamedBy::kUser;
  std::optional<Error> missing = {};  // why the name has no address

  bool operator==(const LiveTarget&) const = default;
};

// Which are more than any fleet has, and fewer than fill the memory.
inline constexpr size_t kMaxTargets = 100'000;

// "web-1:6060" in lower case. Error: kUsage, in which `where` names what has it.
Result<std::string> parse_address(std::string_view text, const std::string& where);

// `name` is for messages. Errors: kInput.
Result<std::vector<LiveTarget>> parse_service_discovery(std::string_view json,
                                                        const std::string& name);

// A line of a file: what to fetch from or to discover, and the labels of that.
struct HostLine {
  std::string host;
  Labels labels = {};
  std::string where = {};  // "hosts.txt:3"

  bool operator==(const HostLine&) const = default;
};
// Errors: kInput.
Result<std::vector<HostLine>> parse_host_lines(std::string_view text, const std::string& name);

// The addresses of a DNS name, such as "10.0.0.1" and "2001:db8::1". Error: kIo, the reason.
using Resolver = std::function<Result<std::vector<std::string>>(const std::string& name)>;
// By getaddrinfo().
Result<std::vector<std::string>> resolve(const std::string& name);

// The addresses of "NAME[:PORT]", sorted; a name that has none is one target, which is missing.
// Error: kUsage.
Result<std::vector<LiveTarget>> look_up(const std::string& name, const Resolver& resolver);

}  // namespace pgo::live

#include "pgo/cli/arguments/network_options.h"

#include <charconv>
#include <iterator>

#ifdef PRODPGO_NETWORK
#include "pgo/base/deferred_termination.h"
#endif

namespace pgo {

void add_network_options(CommandLine& line, NetworkArguments& arguments) {
  constexpr const char* kGroup = "Network";
  line.option("--parallel", arguments.parallel, "Maximum number of transfers at once")
      .show_default()
      .whole_number(1, 1000)
      .group(kGroup);
  line.option("--tries", arguments.tries, "Maximum number of tries of a request")
      .default_text("5")
      .whole_number(1, 100)
      .group(kGroup);
  line.option("--connect-timeout", arguments.connect_timeout, "Seconds to wait for a connection")
      .default_text("10")
      .group(kGroup);
  line.option("--stall-timeout", arguments.stall_timeout, "Seconds to wait for the next byte")
      .default_text("30")
      .group(kGroup);
  line.option("--total-timeout", arguments.total_timeout, "Seconds that a try may take")
      .default_text("600")
      .group(kGroup);
  line.option("--longest-pause", arguments.longest_pause,
              "Maximum number of seconds between two tries, also if a server asks for more")
      .default_text("30")
      .group(kGroup);
  line.option("--ca-file", arguments.ca_file,
              "Trust the certificates in this PEM file (default: those of the system)")
      .environment("PRODPGO_CA_FILE")
      .group(kGroup);
  line.option("--client-certificate", arguments.client_certificate,
              "Identify with this certificate (PEM)")
      .group(kGroup);
  line.option("--client-key", arguments.client_key, "The key of --client-certificate (PEM)")
      .group(kGroup);
}

std::vector<std::string> network_words(const NetworkArguments& arguments) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  const auto add_seconds = [&](const char* option, const std::optional<double>& seconds) {
    if (!seconds) return;
    char digits[32];
    add(option, std::string(digits, std::to_chars(digits, std::end(digits), *seconds).ptr));
  };
  if (arguments.tries) add("--tries", std::to_string(*arguments.tries));
  add_seconds("--connect-timeout", arguments.connect_timeout);
  add_seconds("--stall-timeout", arguments.stall_timeout);
  add_seconds("--total-timeout", arguments.total_timeout);
  add_seconds("--longest-pause", arguments.longest_pause);
  add("--ca-file", arguments.ca_file);
  add("--client-certificate", arguments.client_certificate);
  add("--client-key", arguments.client_key);
  return words;
}

#ifdef PRODPGO_NETWORK
namespace {

// A command that completes its work after a request to end waits so long for servers: systemd kills
// a service 90 seconds after the request, and Kubernetes 30.
constexpr std::chrono::seconds kTimeAtEnd(20);

}  // namespace

net::HttpOptions http_options(const NetworkArguments& arguments) {
  net::HttpOptions options;
  options.parallel = arguments.parallel;
  if (arguments.tries) options.tries = static_cast<unsigned>(*arguments.tries);
  options.connect_timeout = arguments.connect_timeout.value_or(options.connect_timeout);
  options.stall_timeout = arguments.stall_timeout.value_or(options.stall_timeout);
  options.total_timeout = arguments.total_timeout.value_or(options.total_timeout);
  options.longest_pause = arguments.longest_pause.value_or(options.longest_pause);
  options.ends_at = [end = std::optional<net::SteadyTime>()]() mutable {
    if (!end && is_asked_to_end()) end = std::chrono::steady_clock::now() + kTimeAtEnd;
    return end;
  };
  options.ca_file = arguments.ca_file;
  options.client_certificate = arguments.client_certificate;
  options.client_key = arguments.client_key;
  return options;
}
#endif

}  // namespace pgo

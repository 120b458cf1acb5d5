#include "pgo/cli/arguments/network_arguments.h"

#include <charconv>
#include <iterator>

namespace pgo {
namespace {

using Arguments = NetworkArguments;

constexpr NetworkOption kNetworkOptions[] = {
    {.name = "--parallel",
     .value = &Arguments::parallel,
     .help = "Maximum number of transfers at once",
     .default_text = "16",
     .most = 1000},
    {.name = "--tries",
     .value = &Arguments::tries,
     .help = "Maximum number of tries of a request",
     .default_text = "5",
     .most = 100},
    {.name = "--connect-timeout",
     .value = &Arguments::connect_timeout,
     .help = "Seconds to wait for a connection",
     .default_text = "10"},
    {.name = "--stall-timeout",
     .value = &Arguments::stall_timeout,
     .help = "Seconds to wait for the next byte",
     .default_text = "30"},
    {.name = "--total-timeout",
     .value = &Arguments::total_timeout,
     .help = "Seconds that a try may take",
     .default_text = "600"},
    {.name = "--longest-pause",
     .value = &Arguments::longest_pause,
     .help = "Maximum number of seconds between two tries, also if a server asks for more",
     .default_text = "30"},
    {.name = "--ca-file",
     .value = &Arguments::ca_file,
     .help = "Trust the certificates in this PEM file (default: those of the system)",
     .environment = "PRODPGO_CA_FILE"},
    {.name = "--client-certificate",
     .value = &Arguments::client_certificate,
     .help = "Identify with this certificate (PEM)"},
    {.name = "--client-key",
     .value = &Arguments::client_key,
     .help = "The key of --client-certificate (PEM)"},
};

// As an option takes it; empty: it was not given.
std::string word_of(const std::string& text) { return text; }

template <typename Number>
std::string word_of(const std::optional<Number>& number) {
  if (!number) return "";
  char digits[32];
  return {digits, std::to_chars(digits, std::end(digits), *number).ptr};
}

}  // namespace

std::span<const NetworkOption> network_options() { return kNetworkOptions; }

std::vector<std::string> network_words(const NetworkArguments& arguments) {
  std::vector<std::string> words;
  for (const NetworkOption& option : kNetworkOptions) {
    const std::string word =
        std::visit([&](auto value) { return word_of(arguments.*value); }, option.value);
    if (!word.empty()) words.insert(words.end(), {option.name, word});
  }
  return words;
}

#ifdef PRODPGO_NETWORK
net::HttpOptions http_options(const NetworkArguments& arguments) {
  net::HttpOptions options;
  if (arguments.parallel) options.parallel = static_cast<unsigned>(*arguments.parallel);
  if (arguments.tries) options.tries = static_cast<unsigned>(*arguments.tries);
  options.connect_timeout = arguments.connect_timeout.value_or(options.connect_timeout);
  options.stall_timeout = arguments.stall_timeout.value_or(options.stall_timeout);
  options.total_timeout = arguments.total_timeout.value_or(options.total_timeout);
  options.longest_pause = arguments.longest_pause.value_or(options.longest_pause);
  options.ends_at = [end = arguments.end] { return end->time(); };
  options.ca_file = arguments.ca_file;
  options.client_certificate = arguments.client_certificate;
  options.client_key = arguments.client_key;
  return options;
}
#endif

}  // namespace pgo

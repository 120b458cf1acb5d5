// How a command fetches over the network, as its options say. One table has these options: for the
// command line, and for a command that pgo shows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "pgo/base/end_deadline.h"

#ifdef PRODPGO_NETWORK
#include "pgo/net/http_client.h"
#endif

namespace pgo {

// What is not given is as net::HttpOptions has it.
struct NetworkArguments {
  std::optional<uint64_t> parallel, tries;
  std::optional<double> connect_timeout, stall_timeout, total_timeout, longest_pause;  // seconds
  std::string ca_file, client_certificate, client_key;
  // When transfers are given up: one for all that the command does.
  std::shared_ptr<EndDeadline> end = std::make_shared<EndDeadline>();
};

struct NetworkOption {
  using Value =
      std::variant<std::optional<uint64_t> NetworkArguments::*,
                   std::optional<double> NetworkArguments::*, std::string NetworkArguments::*>;

  const char* name;  // "--tries"
  Value value;
  const char* help;
  const char* default_text = nullptr;  // for the help
  uint64_t most = 0;                   // a whole number is from 1 to this
  const char* environment = nullptr;   // the variable that stands in for it
};

// All of them, in the order of the help.
std::span<const NetworkOption> network_options();

// The options as they were given, for a command line.
std::vector<std::string> network_words(const NetworkArguments& arguments);

#ifdef PRODPGO_NETWORK
net::HttpOptions http_options(const NetworkArguments& arguments);
#endif

}  // namespace pgo

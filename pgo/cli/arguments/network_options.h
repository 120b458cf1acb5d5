// The options of commands that fetch over the network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/cli/arguments/command_line.h"

#ifdef PRODPGO_NETWORK
#include "pgo/net/http_client.h"
#endif

namespace pgo {

struct NetworkArguments {
  unsigned parallel = 16;
  std::optional<uint64_t> tries;  // nothing: what the command takes, mostly 5
  std::optional<double> connect_timeout, stall_timeout, total_timeout, longest_pause;  // seconds
  std::string ca_file, client_certificate, client_key;
};

void add_network_options(CommandLine& line, NetworkArguments& arguments);

// The options as they were given, for a command line.
std::vector<std::string> network_words(const NetworkArguments& arguments);

#ifdef PRODPGO_NETWORK
net::HttpOptions http_options(const NetworkArguments& arguments);
#endif

}  // namespace pgo

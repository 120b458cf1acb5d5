#include "pgo/cli/arguments/network_arguments.h"

#include <gtest/gtest.h>

#include <set>

namespace pgo::network_arguments_test {
namespace {

using Words = std::vector<std::string>;

TEST(NetworkWords, AreTheOptionsThatWereGiven) {
  EXPECT_EQ(network_words({}), Words());
  EXPECT_EQ(network_words({.parallel = 2,
                           .tries = 3,
                           .connect_timeout = .5,
                           .stall_timeout = 60,
                           .total_timeout = 1e6,
                           .longest_pause = 0,
                           .ca_file = "ca.pem",
                           .client_certificate = "my certificate.pem",
                           .client_key = "key.pem"}),
            (Words{"--parallel", "2", "--tries", "3", "--connect-timeout", "0.5", "--stall-timeout",
                   "60", "--total-timeout", "1e+06", "--longest-pause", "0", "--ca-file", "ca.pem",
                   "--client-certificate", "my certificate.pem", "--client-key", "key.pem"}));
}

TEST(NetworkOptions, EachSetsAValueOfItsOwn) {
  std::set<std::string> names;
  for (const NetworkOption& option : network_options()) {
    NetworkArguments arguments;
    std::visit(
        [&](auto value) {
          if constexpr (std::is_same_v<decltype(value), std::string NetworkArguments::*>)
            arguments.*value = "7";
          else
            arguments.*value = 7;
        },
        option.value);
    EXPECT_EQ(network_words(arguments), (Words{option.name, "7"}));
    names.insert(option.name);
  }
  EXPECT_EQ(names.size(), network_options().size());
}

}  // namespace
}  // namespace pgo::network_arguments_test

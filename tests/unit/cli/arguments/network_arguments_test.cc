#include "pgo/cli/arguments/network_arguments.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <iterator>
#include <set>

#include "pgo/base/deferred_termination.h"

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

#ifdef PRODPGO_NETWORK

// A store has several clients, and each has a copy of the options.
TEST(HttpOptions, OfACommandHaveOneDeadline) {
  const NetworkArguments arguments;
  const net::HttpOptions first = http_options(arguments), second = http_options(arguments);
  const net::HttpOptions copy = first;
  const DeferredTermination termination;
  EXPECT_EQ(first.ends_at(), std::nullopt);
  ::raise(SIGTERM);
  const std::optional<net::SteadyTime> end = first.ends_at();
  sigset_t requests;
  ::sigemptyset(&requests);
  ::sigaddset(&requests, SIGTERM);
  ::sigwaitinfo(&requests, nullptr);
  ASSERT_TRUE(end);
  EXPECT_EQ(copy.ends_at(), end);
  EXPECT_EQ(second.ends_at(), end);
  EXPECT_EQ(arguments.end->time(), end);
  EXPECT_EQ(http_options({}).ends_at(), std::nullopt);
}

TEST(HttpOptions, AreThoseThatWereGiven) {
  const net::HttpOptions options = http_options({.parallel = 2,
                                                 .tries = 3,
                                                 .connect_timeout = 4,
                                                 .stall_timeout = 5,
                                                 .total_timeout = 6,
                                                 .longest_pause = 7,
                                                 .ca_file = "ca",
                                                 .client_certificate = "certificate",
                                                 .client_key = "key"});
  EXPECT_EQ(options.parallel, 2u);
  EXPECT_EQ(options.tries, 3u);
  EXPECT_EQ(options.connect_timeout, 4);
  EXPECT_EQ(options.stall_timeout, 5);
  EXPECT_EQ(options.total_timeout, 6);
  EXPECT_EQ(options.longest_pause, 7);
  EXPECT_EQ(options.ca_file, "ca");
  EXPECT_EQ(options.client_certificate, "certificate");
  EXPECT_EQ(options.client_key, "key");
}

// The table of the options has them for the help.
TEST(HttpOptions, HaveTheDefaultsOfTheHelp) {
  const net::HttpOptions options = http_options({});
  const double defaults[] = {static_cast<double>(options.parallel),
                             static_cast<double>(options.tries),
                             options.connect_timeout,
                             options.stall_timeout,
                             options.total_timeout,
                             options.longest_pause};
  for (size_t i = 0; i < std::size(defaults); i++)
    EXPECT_EQ(std::stod(network_options()[i].default_text), defaults[i])
        << network_options()[i].name;
}

#endif

}  // namespace
}  // namespace pgo::network_arguments_test

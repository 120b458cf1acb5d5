#include "pgo/stores/pyroscope/pyroscope_destination.h"

#include <gtest/gtest.h>

#include "tests/data/http_outcomes.h"
#include "tests/data/small_stacks.h"

namespace pgo::pyroscope_destination_test {
namespace {

using test::answer;
using test::ScriptedServer;

// More samples than Pyroscope takes at once, by `service`.
OutgoingProfile large_profile(const std::string& service) {
  constexpr int kSamples = 33'000;
  std::vector<test::SmallSample> samples;
  for (int i = 0; i < kSamples; i++)
    samples.push_back({.stack = {{.function = ""}}, .count = i + 1});
  OutgoingProfile profile;
  profile.shown = "large.pb";
  profile.labels = {{"service", service}};
  profile.stacks = test::small_stacks(samples);
  profile.time = profile.stacks.time = 1'800'000'000'000'000'000;
  return profile;
}

class PyroscopeDestinationTest : public testing::Test {
 protected:
  explicit PyroscopeDestinationTest(std::vector<test::ScriptedAnswer> answers =
                                        {answer(200), answer(503), answer(200), answer(429),
                                         answer(200), answer(200), answer(200), answer(200)})
      : server_(std::move(answers)) {
    net::HttpOptions once = test::quick_http();
    once.tries = 1;
    destination_ =
        pyroscope::open_pyroscope_destination(
            "pyroscope+" + server_.url(""), [](const std::string&) { return std::string(); }, once)
            .value();
  }
  // The number of places, or the error.
  std::string put(const OutgoingProfile& profile) {
    Diagnostics diagnostics;
    const Result<std::vector<std::string>> places = destination_->put(profile, diagnostics);
    if (places) return std::to_string(places->size()) + " places";
    return server_.without_port(test::text_of(places.error()));
  }

  ScriptedServer server_;
  std::unique_ptr<ProfileDestination> destination_;
};

TEST_F(PyroscopeDestinationTest, ContinuesWithThePartThatFailed) {
  const OutgoingProfile profile = large_profile("queryd");
  EXPECT_EQ(
      put(profile),
      "large.pb: pyroscope+http://HOST: the server answered 503 (Service Unavailable); 1 of 3 "
      "parts is stored; try again later");
  EXPECT_EQ(put(profile),
            "large.pb: pyroscope+http://HOST: the server answered 429 (Too Many Requests); 2 of 3 "
            "parts are stored; send fewer requests at once, or try again later");
  EXPECT_EQ(put(profile), "3 places");
  // Parts 1 and 2, 2 and 3, and 3.
  const std::vector<test::ScriptedRequest> requests = server_.requests();
  ASSERT_EQ(requests.size(), 5u);
  EXPECT_EQ(requests[1].body, requests[2].body);
  EXPECT_EQ(requests[3].body, requests[4].body);
  EXPECT_NE(requests[2].body, requests[3].body);
  // Complete, it is another one when it comes again.
  EXPECT_EQ(put(profile), "3 places");
  EXPECT_EQ(server_.requests().size(), 8u);
}

// The parts of one are not those of another.
TEST_F(PyroscopeDestinationTest, BeginsWithTheFirstPartOfAnotherProfile) {
  put(large_profile("queryd"));
  put(large_profile("mixd"));
  const std::vector<test::ScriptedRequest> requests = server_.requests();
  ASSERT_EQ(requests.size(), 4u);
  EXPECT_NE(requests[2].body, requests[1].body);
  EXPECT_NE(requests[2].body, requests[0].body);
}

}  // namespace
}  // namespace pgo::pyroscope_destination_test

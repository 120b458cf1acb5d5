#include "pgo/net/retry_pause.h"

#include <gtest/gtest.h>

namespace pgo::retry_pause_test {
namespace {

using net::asked_pause;
using net::HttpResponse;

HttpResponse with_headers(std::string retry_after, std::string date = {}) {
  return {.status = 503, .headers = {{"retry-after", retry_after}, {"date", date}}, .body = {}};
}

TEST(RetryPause, DoublesUpToTheLongest) {
  const net::HttpOptions options = {.first_pause = .5, .longest_pause = 30};
  EXPECT_EQ(net::pause_after(1, 0, options), .5);
  EXPECT_EQ(net::pause_after(2, 0, options), 1);
  EXPECT_EQ(net::pause_after(4, 0, options), 4);
  EXPECT_EQ(net::pause_after(10, 0, options), 30);
  EXPECT_EQ(net::pause_after(4000000000, 0, options), 30);
}

TEST(RetryPause, IsShortenedByJitterByUpToHalf) {
  const net::HttpOptions options = {.first_pause = 8};
  EXPECT_EQ(net::pause_after(1, .5, options), 6);
  EXPECT_EQ(net::pause_after(1, 1, options), 4);
}

TEST(RetryPause, TakesSeconds) {
  EXPECT_EQ(asked_pause(with_headers("120")), 120);
  EXPECT_EQ(asked_pause(with_headers("0")), 0);
}

TEST(RetryPause, CountsADateFromTheClockOfTheServer) {
  const char* sent = "Wed, 21 Oct 2015 07:27:00 GMT";
  EXPECT_EQ(asked_pause(with_headers("Wed, 21 Oct 2015 07:28:30 GMT", sent)), 90);
  EXPECT_EQ(asked_pause(with_headers("Wed, 21 Oct 2015 07:20:00 GMT", sent)), 0);
}

TEST(RetryPause, CountsADateFromThisClockWithoutTheOther) {
  EXPECT_EQ(asked_pause(with_headers("Wed, 21 Oct 2015 07:28:30 GMT")), 0);
  EXPECT_GT(asked_pause(with_headers("Fri, 31 Dec 2399 23:59:59 GMT")).value_or(0), 1e9);
}

TEST(RetryPause, IsNotAskedForByOtherTexts) {
  for (const char* text : {"", "-1", "1.5", "soon", "1e3"})
    EXPECT_EQ(asked_pause(with_headers(text)), std::nullopt) << text;
  EXPECT_EQ(asked_pause(with_headers(std::string(1000, '9'))), std::nullopt);
}

}  // namespace
}  // namespace pgo::retry_pause_test

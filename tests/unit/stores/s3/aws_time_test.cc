#include "pgo/stores/s3/aws_time.h"

#include <gtest/gtest.h>

namespace pgo::aws_time_test {
namespace {

using s3::basic_time;
using s3::parse_http_date;

TEST(AwsTime, WritesBasicTimes) {
  EXPECT_EQ(basic_time(0), "19700101T000000Z");
  EXPECT_EQ(basic_time(1'369'353'600), "20130524T000000Z");
  EXPECT_EQ(basic_time(1'709'251'199), "20240229T235959Z");
  EXPECT_EQ(basic_time(-5), "19700101T000000Z");
  EXPECT_EQ(basic_time(int64_t{1} << 62), "99991231T235959Z");
}

TEST(AwsTime, ReadsHttpDates) {
  EXPECT_EQ(parse_http_date("Fri, 24 May 2013 00:00:00 GMT"), 1'369'353'600);
  EXPECT_EQ(parse_http_date("Thu, 29 Feb 2024 23:59:59 GMT"), 1'709'251'199);
}

TEST(AwsTime, RefusesWhatIsNoHttpDate) {
  for (const char* text : {"", "Fri, 24 May 2013 00:00:00", "Fri, 24 anF 2013 00:00:00 GMT",
                           "Fri, 31 Apr 2013 00:00:00 GMT", "24 May 2013 00:00:00 GMT"})
    EXPECT_EQ(parse_http_date(text), std::nullopt) << text;
}

}  // namespace
}  // namespace pgo::aws_time_test

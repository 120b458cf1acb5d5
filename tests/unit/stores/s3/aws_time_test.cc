#include "pgo/stores/s3/aws_time.h"

#include <gtest/gtest.h>

namespace pgo::aws_time_test {
namespace {

using s3::basic_time;
using s3::parse_http_date;
using s3::parse_iso_time;

TEST(AwsTime, WritesBasicTimes) {
  EXPECT_EQ(basic_time(0), "19700101T000000Z");
  EXPECT_EQ(basic_time(1'369'353'600), "20130524T000000Z");
  EXPECT_EQ(basic_time(1'709'251'199), "20240229T235959Z");
  EXPECT_EQ(basic_time(-5), "19700101T000000Z");
  EXPECT_EQ(basic_time(int64_t{1} << 62), "99991231T235959Z");
}

TEST(AwsTime, ReadsIsoTimes) {
  EXPECT_EQ(parse_iso_time("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(parse_iso_time("2013-05-24T00:00:00Z"), 1'369'353'600'000'000'000);
  EXPECT_EQ(parse_iso_time("2013-05-24T00:00:00.123Z"), 1'369'353'600'123'000'000);
  EXPECT_EQ(parse_iso_time("2013-05-24T00:00:00.1234567891Z"), 1'369'353'600'123'456'789);
  EXPECT_EQ(parse_iso_time("2024-02-29T23:59:59Z"), 1'709'251'199'000'000'000);
}

TEST(AwsTime, RefusesWhatIsNoIsoTime) {
  for (const char* text :
       {"", "2013-05-24", "2013-05-24T00:00:00", "2013-05-24T00:00:00.Z", "2013-02-30T00:00:00Z",
        "2013-13-01T00:00:00Z", "2013-05-24T24:00:00Z", "2013-05-24T00:60:00Z",
        "2013-05-24 00:00:00Z", "1969-12-31T23:59:59Z", "2262-01-01T00:00:00Z",
        "2013-05-24T00:00:00Z ", "2013-05-24T00:00:00+02:00", "-013-05-24T00:00:00Z"})
    EXPECT_EQ(parse_iso_time(text), std::nullopt) << text;
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

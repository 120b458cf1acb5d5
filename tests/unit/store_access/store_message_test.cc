#include "pgo/store_access/store_message.h"

#include <gtest/gtest.h>

#include "pgo/stores/parca/parca_messages.h"
#include "pgo/stores/pyroscope/pyroscope_messages.h"

namespace pgo::store_message_test {
namespace {

using store_access::find_exceeded;
using store_access::RepeatedField;

std::string sized(int field, const std::string& bytes) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

std::string times(size_t count, const std::string& bytes) {
  std::string all;
  for (size_t i = 0; i < count; i++) all += bytes;
  return all;
}

TEST(StoreMessage, CountsFieldsInAllMessages) {
  const RepeatedField fields[] = {{{1}, 3, "messages"}, {{1, 2}, 4, "texts"}};
  const std::string two = sized(1, sized(2, "a") + sized(2, "") + sized(3, "") + "\x08\x07");
  EXPECT_EQ(find_exceeded(two + two, fields), nullptr);
  EXPECT_EQ(find_exceeded(two + two + two, fields), &fields[1]);
  EXPECT_EQ(find_exceeded(times(3, sized(1, "")), fields), nullptr);
  EXPECT_EQ(find_exceeded(times(4, sized(1, "")), fields), &fields[0]);
  // In another field they are no such texts.
  EXPECT_EQ(find_exceeded(times(9, sized(2, sized(2, "a"))), fields), nullptr);
}

TEST(StoreMessage, LeavesDamageToTheReader) {
  const RepeatedField fields[] = {{{1}, 1, "messages"}};
  EXPECT_EQ(find_exceeded("\x0a\x7f", fields), nullptr);
  EXPECT_EQ(find_exceeded("", fields), nullptr);
}

// Two bytes each, of which libprotobuf would make objects of 40 and more.
TEST(StoreMessage, RefusesLargeNumbersBeforeParsing) {
  const std::string names = times(100'001, sized(1, ""));
  EXPECT_EQ(parca::parse_label_names(names, "p").error().message,
            "p: the server has more than 100000 names of labels");
  EXPECT_EQ(parca::parse_profile_types(names, "p").error().message,
            "p: the server has more than 100000 profile types");
  EXPECT_EQ(pyroscope::parse_label_names(names, "p").error().message,
            "p: the server has more than 100000 names of labels");
  EXPECT_EQ(pyroscope::parse_profile_types(names, "p").error().message,
            "p: the server has more than 100000 profile types");
  EXPECT_EQ(pyroscope::parse_series(times(100'001, sized(2, "")), "p").error().message,
            "p: the server has more than 100000 sets of labels");
  EXPECT_EQ(pyroscope::parse_series(times(33'334, sized(2, times(60, sized(1, "")))), "p")
                .error()
                .message,
            "p: the server has more than 2000000 labels in the window");
  const Result<std::vector<parca::ProfileSeries>> series =
      parca::parse_query_range(times(33'334, sized(1, times(60, sized(2, "")))), "p");
  EXPECT_EQ(series.error().message, "p: the server has more than 2000000 profiles in the window");
  EXPECT_EQ(series.error().advice,
            "choose less with the parameter 'selector', or a shorter window");
}

}  // namespace
}  // namespace pgo::store_message_test

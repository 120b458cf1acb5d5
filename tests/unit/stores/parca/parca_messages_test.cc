#include "pgo/stores/parca/parca_messages.h"

#include <gtest/gtest.h>

namespace pgo::parca_messages_test {
namespace {

using parca::Names;
using parca::ProfileSeries;

std::string sized(int field, const std::string& bytes) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

constexpr int64_t kSecond = 1'000'000'000;
const TimeWindow kWindow = {2 * kSecond, 5 * kSecond};
const std::string kEnd = sized(3, "\x08\x04\x10\xC0\x8F\xAE\xDC\x03");  // 4.999 s

TEST(ParcaMessages, AskForWindows) {
  EXPECT_EQ(parca::merge_request("q", kWindow, {}),
            "\x08\x02" + sized(3, sized(1, "q") + sized(2, "\x08\x02") + kEnd) + "\x28\x01");
  EXPECT_EQ(parca::merge_request("q", kWindow, {"a", "b"}),
            parca::merge_request("q", kWindow, {}) +
                sized(8, sized(1, "labels.a") + sized(1, "labels.b")));
  // Neither end is in it: from 1.999 s on.
  EXPECT_EQ(parca::query_range_request("q", kWindow, 60 * kSecond),
            sized(1, "q") + sized(2, "\x08\x01\x10\xC0\x8F\xAE\xDC\x03") + sized(3, "\x08\x05") +
                sized(5, "\x08\x3C"));
  EXPECT_EQ(parca::profile_types_request(kWindow),
            sized(1, "\x08\x02") + sized(2, "\x08\x04\x10\xC0\x8F\xAE\xDC\x03"));
  EXPECT_EQ(parca::label_names_request("t", kWindow), sized(2, "\x08\x02") + kEnd + sized(4, "t"));
  EXPECT_EQ(
      parca::write_raw_request({{"a", "b"}}, "pprof"),
      sized(2, sized(1, sized(1, sized(1, "a") + sized(2, "b"))) + sized(2, sized(1, "pprof"))));
}

TEST(ParcaMessages, HaveTypesLabelsAndPoints) {
  const std::string type =
      sized(1, "n") + sized(2, "t") + sized(3, "u") + sized(4, "pt") + sized(5, "pu");
  EXPECT_EQ(parca::parse_profile_types(sized(1, type) + sized(1, type + "\x30\x01"), "p").value(),
            (Names{"n:t:u:pt:pu", "n:t:u:pt:pu:delta"}));
  EXPECT_EQ(parca::parse_label_names(sized(1, "host"), "p").value(), (Names{"host"}));
  const std::string labels = sized(1, sized(1, sized(1, "host") + sized(2, "web-1")));
  EXPECT_EQ(parca::parse_query_range(
                sized(1, labels + sized(2, sized(1, "\x08\x07\x10\x05") + "\x10\x09")), "p")
                .value(),
            (std::vector<ProfileSeries>{{{{"host", "web-1"}}, {{7 * kSecond + 5, 9}}}}));
  EXPECT_EQ(parca::parse_query(sized(6, "pprof"), "p").value(), "pprof");
  EXPECT_EQ(parca::parse_query(sized(5, ""), "p").value(), std::nullopt);
}

TEST(ParcaMessages, AreNothingElse) {
  const std::string message = "p: the server did not answer as Parca does";
  const std::string whole = sized(1, sized(2, sized(1, "\x08\x07\x10\x05") + "\x10\x09"));
  for (size_t size = 1; size < whole.size(); size++)
    EXPECT_EQ(parca::parse_query_range(whole.substr(0, size), "p").error().message, message)
        << size;
  // No such time.
  EXPECT_EQ(parca::parse_query_range(
                sized(1, sized(2, sized(1, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f"))), "p")
                .error()
                .message,
            message);
  EXPECT_EQ(parca::parse_label_names("text", "p").error().message, message);
  EXPECT_EQ(parca::parse_query("\x32\x7f", "p").error().message, message);
}

}  // namespace
}  // namespace pgo::parca_messages_test

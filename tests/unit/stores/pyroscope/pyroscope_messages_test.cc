#include "pgo/stores/pyroscope/pyroscope_messages.h"

#include <gtest/gtest.h>

namespace pgo::pyroscope_messages_test {
namespace {

using pyroscope::Names;

std::string sized(int field, const std::string& bytes) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(bytes.size())} + bytes;
}

TEST(PyroscopeMessages, AskForWindowsInMilliseconds) {
  const TimeWindow window = {2'000'000, 5'000'000};
  EXPECT_EQ(pyroscope::profile_types_request(window), std::string("\x08\x02\x10\x04"));
  EXPECT_EQ(pyroscope::label_names_request("{}", window), sized(1, "{}") + "\x10\x02\x18\x04");
  EXPECT_EQ(pyroscope::series_request("{}", {"a", "b"}, window),
            sized(1, "{}") + sized(2, "a") + sized(2, "b") + "\x18\x02\x20\x04");
  EXPECT_EQ(pyroscope::merge_profile_request("t", "{}", window),
            sized(1, "t") + sized(2, "{}") + "\x18\x02\x20\x04");
  EXPECT_EQ(pyroscope::merge_stacktraces_request("t", "{}", window),
            sized(1, "t") + sized(2, "{}") + "\x18\x02\x20\x04\x30\x04");
  EXPECT_EQ(pyroscope::push_request({{"a", "b"}}, "pprof"),
            sized(1, sized(1, sized(1, "a") + sized(2, "b")) + sized(2, sized(1, "pprof"))));
}

TEST(PyroscopeMessages, HaveNamesAndLabels) {
  EXPECT_EQ(pyroscope::parse_profile_types(
                sized(1, sized(1, "a:b") + sized(2, "a")) + sized(1, sized(1, "c")), "p")
                .value(),
            (Names{"a:b", "c"}));
  EXPECT_EQ(pyroscope::parse_label_names(sized(1, "host") + sized(1, "\xff"), "p").value(),
            (Names{"host", "\xff"}));
  const std::string label = sized(1, sized(1, "host") + sized(2, "web-1"));
  EXPECT_EQ(pyroscope::parse_series(sized(2, label) + sized(2, label) + sized(2, ""), "p").value(),
            (std::set<Labels>{{}, {{"host", "web-1"}}}));
  EXPECT_EQ(pyroscope::parse_merged_stacktraces(sized(5, sized(1, "pprof")), "p").value(), "pprof");
  EXPECT_EQ(pyroscope::parse_merged_stacktraces(sized(5, ""), "p").value(), "");
  EXPECT_EQ(pyroscope::parse_merged_stacktraces(sized(1, ""), "p").value(), std::nullopt);
}

TEST(PyroscopeMessages, AreNothingElse) {
  const std::string message = "p: the server did not answer as Pyroscope does";
  const std::string whole = sized(2, sized(1, sized(1, "host") + sized(2, "web-1")));
  for (size_t size = 1; size < whole.size(); size++)
    EXPECT_EQ(pyroscope::parse_series(whole.substr(0, size), "p").error().message, message) << size;
  EXPECT_EQ(pyroscope::parse_label_names("{\"names\":[]}", "p").error().message, message);
  EXPECT_EQ(pyroscope::parse_profile_types("<html>", "p").error().message, message);
  EXPECT_EQ(pyroscope::parse_merged_stacktraces("\x2a\x7f", "p").error().message, message);
}

}  // namespace
}  // namespace pgo::pyroscope_messages_test

#include "pgo/profile/label_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pgo::label_limits_test {
namespace {

struct LabelledSample {
  std::string key, text;
  int64_t number = 0;
};

// Each sample counts 1, at one address.
StackProfile profile_of(const std::vector<LabelledSample>& samples) {
  StackProfile profile;
  auto text = [&](std::string_view words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}};
  const FunctionId work = profile.add_function({text("work"), {}, text("/build/src/a.cc")});
  const LocationId place = profile.add_location({kNoMapping, RuntimeAddr{1}}, {{work, 1}});
  const StackId stack = profile.add_stack({place});
  for (const LabelledSample& sample : samples)
    profile.add_sample({stack, profile.add_labels({{.key = text(sample.key),
                                                    .text = text(sample.text),
                                                    .unit = {},
                                                    .number = sample.number}})},
                       {1});
  profile.normalize();
  return profile;
}

// "key=value" of each set of labels, sorted, with the number of samples.
std::vector<std::string> sets_of(const StackProfile& profile) {
  std::vector<std::string> sets;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    std::string set;
    for (const StackLabel& label : profile.labels[static_cast<size_t>(profile.samples[i].labels)])
      set += std::string(profile.text(label.key)) + "=" + std::string(profile.text(label.text)) +
             (label.is_number() ? std::to_string(label.number) : "");
    sets.push_back(set + " " + std::to_string(profile.values_of(i)[0]));
  }
  std::sort(sets.begin(), sets.end());
  return sets;
}

TEST(IsUserLabel, LooksAtWords) {
  for (const char* key :
       {"user", "User", "user_id", "userID", "USER-ID", "client_ip", "clientIP", "remote.ip",
        "email", "customerEmail", "session", "sessionId", "auth_token", "x-api-token", "password",
        "uid", "HTTPUser", "http.request.cookie"})
    EXPECT_TRUE(is_user_label(key)) << key;
  for (const char* key :
       {"host", "zone", "endpoint", "tenant", "zip", "ship", "tokenizer", "superuserless", "recipe",
        "", "trace_id", "request", "thread", "pid", "service", "client"})
    EXPECT_FALSE(is_user_label(key)) << key;
}

TEST(DropUserLabels, OfAProfile) {
  Labels labels{{"host", "web-1"}, {"user", "eve"}, {"session_id", "7"}};
  EXPECT_EQ(drop_user_labels(labels, {"session_id"}), std::vector<std::string>{"user"});
  EXPECT_EQ(labels, (Labels{{"host", "web-1"}, {"session_id", "7"}}));
}

TEST(DropUserLabels, OfSamples) {
  StackProfile profile =
      profile_of({{"user", "eve"}, {"user", "bob"}, {"zone", "a"}, {"uid", "", 7}});
  EXPECT_EQ(drop_user_labels(profile, {"uid"}), LabelKeys{"user"});
  profile.normalize();
  EXPECT_EQ(sets_of(profile), (std::vector<std::string>{" 2", "uid=7 1", "zone=a 1"}));
  EXPECT_EQ(user_labels_text("a.pb", {"uid", "user"}),
            "a.pb: left out labels that may name users: 'uid', 'user' (\xFF{allow-label} KEY keeps "
            "one)");
}

TEST(LimitLabelValues, DropsTextsOfKeysWithManyValues) {
  std::vector<LabelledSample> samples{{"zone", "a"}, {"zone", "b"}};
  for (int i = 0; i < 4; i++) samples.push_back({"trace", "t" + std::to_string(i)});
  StackProfile profile = profile_of(samples);
  Diagnostics diagnostics;
  limit_label_values(profile, {.max_values = 3}, diagnostics);
  EXPECT_EQ(sets_of(profile), (std::vector<std::string>{" 4", "zone=a 1", "zone=b 1"}));
  ASSERT_EQ(diagnostics.entries().count(kManyLabelValues), 1u);
  EXPECT_EQ(
      diagnostics.entries().at(kManyLabelValues).messages,
      std::vector<std::string>{"the label 'trace' has more than 3 values: its texts were left "
                               "out (\xFF{allow-label} trace keeps it)"});
}

TEST(LimitLabelValues, RoundsNumbersDown) {
  StackProfile profile = profile_of({{"bytes", "", 100},
                                     {"bytes", "", 127},
                                     {"bytes", "", 128},
                                     {"bytes", "", -5},
                                     {"bytes", "", 1}});
  Diagnostics diagnostics;
  limit_label_values(profile, {.max_values = 4}, diagnostics);
  EXPECT_EQ(sets_of(profile),
            (std::vector<std::string>{"bytes=-5 1", "bytes=1 1", "bytes=128 1", "bytes=64 2"}));
  EXPECT_EQ(diagnostics.entries().at(kManyLabelValues).messages[0],
            "the label 'bytes' has more than 4 values: its numbers were rounded down to powers of "
            "two (\xFF{allow-label} bytes keeps it)");
}

TEST(LimitLabelValues, LeavesWhatIsAllowedOrSmall) {
  const StackProfile before =
      profile_of({{"a", "1"}, {"a", "2"}, {"b", "1"}, {"b", "2"}, {"b", "3"}});
  StackProfile profile = before;
  Diagnostics diagnostics;
  limit_label_values(profile, {.max_values = 2, .allowed = {"b"}}, diagnostics);
  EXPECT_EQ(profile, before);
  EXPECT_TRUE(diagnostics.entries().empty());
}

TEST(TrimSourcePaths, TakesADirectoryOff) {
  auto trimmed = [](const std::vector<std::string>& prefixes) {
    StackProfile profile = profile_of({{"a", "1"}});
    trim_source_paths(profile, prefixes);
    return std::string(profile.text(profile.functions[0].filename));
  };
  EXPECT_EQ(trimmed({"/build"}), "src/a.cc");
  EXPECT_EQ(trimmed({"/build/"}), "src/a.cc");
  EXPECT_EQ(trimmed({"/home", "/build/src", "/build"}), "a.cc");
  EXPECT_EQ(trimmed({"/buil"}), "/build/src/a.cc");
  EXPECT_EQ(trimmed({"/build/src/a.cc"}), "/build/src/a.cc");
  EXPECT_EQ(trimmed({"", "/"}), "build/src/a.cc");
  EXPECT_EQ(trimmed({}), "/build/src/a.cc");
}

}  // namespace
}  // namespace pgo::label_limits_test

#include "pgo/diff/label_choice.h"

#include <gtest/gtest.h>

namespace pgo::label_choice_test {
namespace {

struct Label {
  const char *key, *text;
  int64_t number = 0;
  const char* unit = "";
};

// A set of labels each, in this order.
StackProfile profile(const std::vector<std::vector<Label>>& sets) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  for (const std::vector<Label>& set : sets) {
    std::vector<StackLabel> labels;
    for (const Label& label : set)
      labels.push_back({text(label.key), text(label.text), text(label.unit), label.number});
    profile.add_labels(labels);
  }
  return profile;
}

// "host/hour" of each set, "-" for one that does not count.
std::string chosen(const StackProfile& profile, const std::vector<LabelConditions>& alternatives) {
  std::string text;
  for (const std::optional<MemberLabels>& member : choose_labels(profile, alternatives))
    text += (text.empty() ? "" : " ") + (member ? member->host + "/" + member->hour : "-");
  return text;
}

std::string labels_of(const StackProfile& profile, size_t set) {
  std::string text;
  for (const StackLabel& label : profile.labels[set])
    text += (text.empty() ? "" : " ") + std::string(profile.text(label.key)) + "=" +
            label_text(profile, label);
  return text;
}

const LabelCondition kVersion{"version", "1.4*"}, kWeb{"host", "web-*"};

TEST(LabelChoice, TakesMembersOffLabels) {
  StackProfile four = profile({{{"host", "web-1"}, {"hour", "08"}},
                               {{"host", "web-2"}},
                               {{"hour", "", 9}},
                               {{"tenant", "red"}}});
  EXPECT_EQ(chosen(four, {{}}), "web-1/08 web-2/ /9 /");
}

TEST(LabelChoice, NeedsAllConditionsOfOneArgument) {
  StackProfile three = profile({{{"host", "web-1"}, {"version", "1.42"}},
                                {{"host", "web-1"}, {"version", "1.39"}},
                                {{"version", "1.41"}}});
  EXPECT_EQ(chosen(three, {{kWeb, kVersion}}), "web-1/ - -");
  EXPECT_EQ(chosen(three, {{kWeb, kVersion}, {kVersion}}), "web-1/ - /");
  EXPECT_EQ(chosen(three, {{kWeb}, {kVersion}}), "web-1/ web-1/ /");
  EXPECT_EQ(chosen(three, {}), "- - -");
}

TEST(LabelChoice, NeedsOneOfSeveralValuesOfAKey) {
  EXPECT_EQ(chosen(profile({{{"version", "beta"}, {"version", "1.42"}}}), {{kVersion}}), "/");
}

TEST(LabelChoice, MatchesNumbersWithTheirUnit) {
  StackProfile sizes = profile({{{"size", "", 64, "bytes"}}, {{"size", "", 64}}});
  EXPECT_EQ(labels_of(sizes, 0), "size=64bytes");
  EXPECT_EQ(labels_of(sizes, 1), "size=64");
  EXPECT_EQ(chosen(sizes, {{{"size", "64bytes"}}}), "/ -");
  EXPECT_EQ(chosen(sizes, {{{"size", "64"}}}), "- /");
}

TEST(LabelChoice, AddsLabelsOfFilesWhereSamplesHaveNoneOfTheKey) {
  StackProfile two = profile({{{"host", "web-1"}}, {}});
  add_labels(two, {{"host", "from-path"}, {"version", "1.42"}});
  EXPECT_EQ(labels_of(two, 0), "host=web-1 version=1.42");
  EXPECT_EQ(labels_of(two, 1), "host=from-path version=1.42");
  EXPECT_EQ(chosen(two, {{kWeb}}), "web-1/ -");
}

TEST(LabelChoice, LeavesOutLabelsThatFilesContradict) {
  StackProfile three = profile({{{"host", "vm"}, {"job", "a"}}, {{"host", "web-1"}}, {}});
  Diagnostics diagnostics;
  drop_other_labels(three, {{"host", "web-1"}, {"version", "1.42"}}, diagnostics);
  EXPECT_EQ(labels_of(three, 0), "job=a");
  EXPECT_EQ(labels_of(three, 1), "host=web-1");
  EXPECT_EQ(labels_of(three, 2), "");
  ASSERT_EQ(diagnostics.entries().size(), 1u);
  EXPECT_EQ(diagnostics.entries().at(kOtherLabels).messages[0],
            "samples have another host than the path or the bundle of their file; that of the path "
            "or the bundle is used");
  StackProfile number = profile({{{"version", "", 7}}, {{"version", "", 8}}});
  Diagnostics of_numbers;
  drop_other_labels(number, {{"version", "7"}}, of_numbers);
  EXPECT_EQ(labels_of(number, 0), "version=7");
  EXPECT_EQ(labels_of(number, 1), "");
}

// A text that is empty would be a number.
TEST(LabelChoice, KnowsMembersOfFilesByTheirLabels) {
  StackProfile one = profile({{}});
  add_labels(one, {{"host", "db-1"}, {"hour", "23"}});
  EXPECT_EQ(chosen(one, {{}}), "db-1/23");
  StackProfile same = profile({{{"host", "x"}}});
  add_labels(same, {});
  EXPECT_EQ(labels_of(same, 0), "host=x");
}

}  // namespace
}  // namespace pgo::label_choice_test

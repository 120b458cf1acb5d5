#include "pgo/profile/origins.h"

#include <gtest/gtest.h>

#include <vector>

#include "pgo/profile/address_merger.h"

namespace pgo::origins_test {
namespace {

TEST(Origins, CountProfilesByLabel) {
  Origins origins = Origins::of({{"host", "web-1"}, {"zone", "a"}}, Origins::Window{10, 20});
  origins.add(Origins::of({{"host", "web-2"}}, Origins::Window{5, 15}));
  origins.add(Origins::of({{"host", "web-1"}}, std::nullopt));
  origins.add(Origins::of({}, std::nullopt));  // of which nothing is known
  EXPECT_EQ(origins.profiles, 3u);
  EXPECT_EQ(origins.window, (Origins::Window{5, 20}));
  ASSERT_EQ(origins.labels.size(), 2u);
  EXPECT_EQ(origins.labels["host"], (Origins::Values{3, {{"web-1", 2}, {"web-2", 1}}}));
  EXPECT_EQ(origins.labels["zone"], (Origins::Values{1, {{"a", 1}}}));
}

TEST(Origins, StaySmallInAnyOrder) {
  std::vector<Origins> parts;
  for (int i = 0; i < 200; i++)
    parts.push_back(Origins::of(
        {{"host", "web-" + std::to_string(1000 + i)}, {"key-" + std::to_string(100 + i), "x"}},
        std::nullopt));
  Origins forwards, backwards, halves;
  for (size_t i = 0; i < parts.size(); i++) {
    forwards.add(parts[i]);
    backwards.add(parts[parts.size() - 1 - i]);
  }
  Origins first, second;
  for (size_t i = 0; i < parts.size(); i++) (i % 3 == 0 ? first : second).add(parts[i]);
  halves.add(second);
  halves.add(first);
  EXPECT_EQ(forwards, backwards);
  EXPECT_EQ(forwards, halves);
  EXPECT_EQ(forwards.labels.size(), Origins::kMaxKeys);
  const Origins::Values& hosts = forwards.labels["host"];
  EXPECT_EQ(hosts.of.size(), Origins::kMaxValues);
  EXPECT_EQ(hosts.of.begin()->first, "web-1000");
  EXPECT_EQ(hosts.profiles, 200u);
}

TEST(Origins, CutLongTextsAtACharacter) {
  const std::string text = std::string(199, 'x') + "é";
  const Origins origins = Origins::of({{"a", text}}, std::nullopt);
  EXPECT_EQ(origins.labels.at("a").of.begin()->first, std::string(199, 'x'));
}

TEST(Origins, AreCompletedByWhatTheyDoNotSay) {
  Origins own = Origins::of({{"host", "web-1"}}, std::nullopt);
  own.add(Origins::of({{"host", "web-2"}}, std::nullopt));
  own.complete(Origins::of({{"host", "fleet"}, {"zone", "a"}}, Origins::Window{1, 2}));
  EXPECT_EQ(own.profiles, 2u);
  EXPECT_EQ(own.window, (Origins::Window{1, 2}));
  EXPECT_EQ(own.labels["host"].of.size(), 2u);
  EXPECT_EQ(own.labels["zone"], (Origins::Values{2, {{"a", 2}}}));
  Origins none;
  none.complete(own);
  EXPECT_EQ(none, own);
}

TEST(Origins, ShareLabelsThatAllProfilesHave) {
  Origins origins = Origins::of({{"service", "q"}, {"host", "web-1"}, {"zone", "a"}}, std::nullopt);
  EXPECT_EQ(origins.shared_labels(), (Labels{{"service", "q"}, {"host", "web-1"}, {"zone", "a"}}));
  origins.add(Origins::of({{"service", "q"}, {"host", "web-2"}}, std::nullopt));
  EXPECT_EQ(origins.shared_labels(), (Labels{{"service", "q"}}));
}

TEST(Origins, AddUpWhenAddressProfilesAreMerged) {
  AddressMerger merger, other;
  AddressProfile a, b;
  a.origins = Origins::of({{"host", "web-1"}}, std::nullopt);
  b.origins = Origins::of({{"host", "web-2"}}, std::nullopt);
  merger.add(a, MergeFactor::of(1, 2));
  other.add(b);
  merger.add(std::move(other));
  EXPECT_EQ(std::move(merger).finish().origins.labels["host"].of.size(), 2u);
}

}  // namespace
}  // namespace pgo::origins_test

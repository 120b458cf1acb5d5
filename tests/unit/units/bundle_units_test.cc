#include "pgo/units/bundle_units.h"

#include <gtest/gtest.h>

#include "pgo/base/number_text.h"
#include "pgo/source/bundle.h"
#include "tests/data/temporary_files.h"

namespace pgo::bundle_units_test {
namespace {

constexpr int64_t kMinute = 60'000'000'000;

class BundleUnits : public test::TemporaryFiles {
 protected:
  // Writes bundle.json alone; returns the directory.
  std::string bundle(const std::string& name, const std::vector<BundleMember>& members) const {
    write(name + "/bundle.json", bundle_text({"pgo", {}, {}, members}));
    return path(name);
  }
  static BundleMember member(const std::string& file, const std::string& host,
                             std::optional<TimeWindow> window) {
    BundleMember made;
    made.path = file;
    made.digest = "sha256:" + std::string(64, '0');
    if (!host.empty()) made.labels["host"] = host;
    made.window = window;
    made.window_evidence = window ? TimeEvidence::kStore : TimeEvidence::kNone;
    return made;
  }
  std::string members_of(const std::vector<std::string>& inputs) const {
    Result<std::vector<WindowedMember>> members = windowed_members(inputs, "--w");
    if (!members) return relative(members.error().message);
    std::string text;
    for (const WindowedMember& one : *members)
      text += one.path + "|" + one.host + "|" + std::to_string(one.window.begin / kMinute) + "-" +
              std::to_string(one.window.end / kMinute) + " ";
    return relative(text);
  }
};

TEST_F(BundleUnits, KnowWindowsOfBundles) {
  const std::string one = bundle("one", {member("a.pb.gz", "web-1", TimeWindow{0, kMinute})});
  const std::string two = bundle("two", {member("b.pb.gz", "", TimeWindow{kMinute, 3 * kMinute})});
  EXPECT_EQ(members_of({one, two + "/"}), "one/a.pb.gz|web-1|0-1 two/b.pb.gz||1-3 ");
}

TEST_F(BundleUnits, NeedAWindowOtherwise) {
  const char* otherwise = ", so it is not known when its profiles were recorded; give --w";
  write("plain/a.folded", "main 1\n");
  EXPECT_EQ(members_of({path("plain")}), std::string("plain: is not a bundle") + otherwise);
  const std::string some = bundle("some", {member("a.pb.gz", "web-1", std::nullopt)});
  EXPECT_EQ(members_of({some}), std::string("some: has no window of a.pb.gz") + otherwise);
  EXPECT_EQ(
      members_of({some + "#zone=a"}),
      "some#zone=a: has conditions, which leave out some of its profiles" + std::string(otherwise));
}

TEST_F(BundleUnits, TakeNoWindowsFromNames) {
  BundleMember named = member("a.pb.gz", "web-1", TimeWindow{0, kMinute});
  named.window_evidence = TimeEvidence::kName;
  EXPECT_EQ(members_of({bundle("named", {named})}),
            "named: knows the window of a.pb.gz from its name only, so it is not known when its "
            "profiles were recorded; give --w");
}

std::string shared_out(const std::vector<WindowedMember>& members, const SideUnits& side) {
  std::string asked;
  Result<std::vector<MemberUnits>> units = units_of_members(members, [&](const TimeWindow& window) {
    asked +=
        std::to_string(window.begin / kMinute) + "-" + std::to_string(window.end / kMinute) + " ";
    return Result<SideUnits>(side);
  });
  if (!units) return units.error().message;
  for (const MemberUnits& one : *units)
    asked += one.member + (one.stratum.empty() ? "" : "/" + one.stratum) + "=" +
             format_decimal(one.units, 0) + " ";
  return asked;
}

TEST(UnitsOfMembers, AreThoseOfTheirHostInTheirWindow) {
  const TimeWindow first = {0, kMinute}, second = {kMinute, 2 * kMinute};
  EXPECT_EQ(shared_out({{"c", "web-2", second}, {"a", "web-1", first}, {"b", "web-2", first}},
                       {0, {{"web-1", 10}, {"web-2", 20}, {"web-3", 30}}}),
            "0-1 1-2 a=10 b=20 c=20 ");
}

TEST(UnitsOfMembers, AreSharedByProfilesOfOneHostAndWindow) {
  const TimeWindow window = {0, kMinute};
  EXPECT_EQ(shared_out({{"a", "web-1", window}, {"b", "web-1", window}}, {0, {{"web-1", 10}}}),
            "0-1 a=5 b=5 ");
  EXPECT_EQ(shared_out({{"a", "web-1", window}, {"b", "", window}}, {10, {}}), "0-1 a=5 b=5 ");
  EXPECT_EQ(shared_out({{"a", "web-1", window}}, {0, {{"web-1", 10, "x"}, {"web-1", 4, "y"}}}),
            "0-1 a/x=10 a/y=4 ");
}

TEST(UnitsOfMembers, AreRefusedAsATotalOfWindowsThatOverlap) {
  const TimeWindow first = {0, 2 * kMinute}, second = {kMinute, 3 * kMinute};
  EXPECT_EQ(shared_out({{"a", "web-1", first}, {"b", "web-2", second}}, {10, {}}),
            "the query gives no hosts, and profiles have different windows that overlap");
  EXPECT_EQ(shared_out({{"a", "", {0, kMinute}}, {"b", "", {kMinute, 2 * kMinute}}}, {10, {}}),
            "0-1 1-2 a=10 b=10 ");
}

TEST(UnitsOfMembers, AreNeededForEachHost) {
  EXPECT_EQ(shared_out({{"a", "web-9", {0, kMinute}}}, {0, {{"web-1", 10}}}),
            "a: the query gives no units of work for its host 'web-9' from 1970-01-01T00:00:00Z to "
            "1970-01-01T00:01:00Z");
}

TEST(UnitsOfMembers, AreAskedForSoManyWindows) {
  std::vector<WindowedMember> members;
  for (int64_t i = 0; i < 1001; i++) members.push_back({"a", "", {i, i + kMinute}});
  EXPECT_EQ(shared_out(members, {10, {}}),
            "the profiles of a side have 1001 different windows, and units of work are asked for "
            "1000 at most");
}

TEST(UnitsOfMembers, PassErrorsOn) {
  Result<std::vector<MemberUnits>> units = units_of_members(
      {{"a", "", {0, 1}}},
      [](const TimeWindow&) -> Result<SideUnits> { return fail(ErrorKind::kIo, "refused"); });
  EXPECT_EQ(units.error().message, "refused");
}

}  // namespace
}  // namespace pgo::bundle_units_test

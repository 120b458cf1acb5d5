#include "pgo/diff/member_units.h"

#include <gtest/gtest.h>

#include "pgo/diff/label_choice.h"

namespace pgo::member_units_test {
namespace {

// Two hours of the host web-1, one of web-2, and a file without samples.
struct Members {
  std::vector<verify::Member> members{{.host = "web-1", .weight = 5},
                                      {.host = "web-1", .weight = 5},
                                      {.host = "web-2", .weight = 5},
                                      {.host = "web-3"}};
  std::vector<std::string> names{"p/a.pb", "p/b.pb", "p/c.pb", "p/d.pb"};
  Diagnostics diagnostics;

  // "1 2 3 4", or the error.
  std::string assign(const std::vector<MemberUnits>& given, double total = 0) {
    Result<void> done = assign_units(given, total, names, "before", members, diagnostics);
    if (!done) return done.error().message;
    std::string units;
    for (const verify::Member& member : members)
      units += (units.empty() ? "" : " ") + std::to_string(static_cast<int>(member.units));
    return units;
  }
};

TEST(MemberUnits, ShareATotal) { EXPECT_EQ(Members().assign({}, 30), "10 10 10 0"); }

TEST(MemberUnits, AreOfAFileOrOfAHostTogether) {
  EXPECT_EQ(Members().assign({{"web-1", 20}, {"web-2", 7}}), "10 10 7 0");
  EXPECT_EQ(Members().assign({{"web-1", 20}, {"p/a.pb", 3}, {"c.pb", 7}}), "3 20 7 0");
}

TEST(MemberUnits, NameWhatIsMissingOrTooMuch) {
  EXPECT_EQ(Members().assign({{"web-1", 20}}),
            "the units of work of the before side have no entry for p/c.pb (host web-2)");
  EXPECT_EQ(Members().assign({{"web-1", 20}, {"web-1", 21}}), "the units of work name web-1 twice");
  EXPECT_EQ(Members().assign({{"web-1", 1e300}}),
            "the units of work of web-1 are not between 1e-9 and 1e18");
  Members with_more;
  EXPECT_EQ(with_more.assign({{"web-1", 20}, {"web-2", 7}, {"web-9", 8}}), "10 10 7 0");
  EXPECT_EQ(with_more.diagnostics.entries().count("units-without-profile"), 1u);
}

// Two hosts, each with samples of two values of a label, and some without.
struct Parts {
  std::vector<verify::Member> members;
  SideStrata strata{{"checkout", "search", "checkout", "search", kNoLabel}, {0, 0, 1, 1, 1}};
  Diagnostics diagnostics;

  Parts() {
    for (const char* host : {"web-1", "web-1", "web-2", "web-2", "web-2"})
      members.push_back({.host = host, .weight = 5});
  }
  std::string assign(const std::vector<MemberUnits>& given) {
    Result<void> done = assign_stratum_units(given, "endpoint", {"a.pb", "b.pb"}, "before", members,
                                             strata, diagnostics);
    if (!done) return done.error().message;
    std::string units;
    for (const verify::Member& member : members)
      units += (units.empty() ? "" : " ") + std::to_string(static_cast<int>(member.units));
    return units;
  }
};

TEST(MemberUnits, AreOfEachValueOfALabel) {
  EXPECT_EQ(Parts().assign({{"", 30, "checkout"}, {"", 8, "search"}}), "15 4 15 4 0");
  EXPECT_EQ(Parts().assign({{"web-1", 1, "checkout"}, {"b.pb", 2, "checkout"}, {"", 8, "search"}}),
            "1 4 2 4 0");
  EXPECT_EQ(Parts().assign({{"", 30, "checkout"}}),
            "the units of work of the before side have no entry for endpoint search");
  EXPECT_EQ(Parts().assign({{"web-1", 30, "checkout"}, {"", 8, "search"}}),
            "the units of work of the before side have no entry for endpoint checkout of b.pb "
            "(host web-2)");
  EXPECT_EQ(Parts().assign({{"", 0, "checkout"}, {"", 8, "search"}}),
            "the units of work of endpoint checkout are not between 1e-9 and 1e18");
  EXPECT_EQ(Parts().assign({{"", 3, "checkout"}, {"", 8, "search"}, {"", 9, "search"}}),
            "the units of work name endpoint search twice");
  EXPECT_EQ(Parts().assign({{"", 3, "checkout"}, {"", 8, "search"}, {"web-1", 9, "search"}}),
            "the units of work name endpoint search both for single profiles and for the whole "
            "before side");
}

// Work that no sample was taken of is still work.
TEST(MemberUnits, AreKeptWithoutSamples) {
  Parts parts;
  EXPECT_EQ(parts.assign({{"", 30, "checkout"},
                          {"", 8, "search"},
                          {"web-1", 6, "login"},
                          {"", 10, "health"},
                          {"web-9", 6, "login"}}),
            "15 4 15 4 0 5 5 6");
  EXPECT_EQ(parts.strata.strata.back(), "login");
  EXPECT_EQ(parts.strata.wholes.back(), 0u);
  EXPECT_EQ(parts.members.back().host, "web-1");
  EXPECT_EQ(parts.members.back().weight, 0);
  EXPECT_EQ(parts.diagnostics.entries().at("units-without-profile").messages[0],
            "the units of work of the before side name web-9, which has no profile");
}

}  // namespace
}  // namespace pgo::member_units_test

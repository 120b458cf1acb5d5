#include "pgo/units/measured_units.h"

#include <gtest/gtest.h>

#include "pgo/base/number_text.h"

namespace pgo::measured_units_test {
namespace {

// "MEMBER|VALUE|UNITS" of each member, "total UNITS", or the error.
std::string units_of(const std::vector<MeasuredWork>& works, const std::string& label = "") {
  Result<SideUnits> units = side_units(works, label, "q");
  if (!units) return units.error().message + "; " + units.error().advice;
  std::string text = units->total > 0 ? "total " + format_decimal(units->total, 0) : "";
  for (const MemberUnits& one : units->members)
    text += one.member + "|" + one.stratum + "|" + format_decimal(one.units, 0) + " ";
  return text;
}

TEST(SideUnits, AreOfHosts) {
  EXPECT_EQ(units_of({{{{"host", "web-2"}, {"instance", "10.0.0.2:80"}}, 5},
                      {{{"instance", "web-1:9100"}}, 2},
                      {{{"instance", "[::1]:9100"}}, 3},
                      {{{"instance", "web-3"}}, 4}}),
            "[::1]||3 web-1||2 web-2||5 web-3||4 ");
}

TEST(SideUnits, AddUpTheInstancesOfAHost) {
  EXPECT_EQ(units_of({{{{"instance", "web-1:1"}}, 2}, {{{"instance", "web-1:2"}}, 3}}),
            "web-1||5 ");
}

TEST(SideUnits, AreOfTheSideWithoutAHost) {
  EXPECT_EQ(units_of({{{}, 7}}), "total 7");
  EXPECT_EQ(units_of({{{{"job", "web"}}, 7}}), "total 7");
}

TEST(SideUnits, NeedAHostForSeveralSeries) {
  EXPECT_EQ(units_of({{{{"job", "a"}}, 7}, {{{"host", "b"}}, 7}}),
            "q: gives 2 series, and some have neither the label 'host' nor 'instance'; sum them by "
            "host, or to one number");
}

TEST(SideUnits, AreOfTheValuesOfALabel) {
  EXPECT_EQ(units_of({{{{"endpoint", "/a"}}, 1}, {{{"endpoint", "/b"}}, 2}}, "endpoint"),
            "|/a|1 |/b|2 ");
  EXPECT_EQ(units_of({{{{"endpoint", "/a"}, {"host", "w"}}, 1}}, "endpoint"), "w|/a|1 ");
  EXPECT_EQ(
      units_of({{{{"host", "w"}}, 1}}, "endpoint"),
      "q: a series has no label 'endpoint', by which \xFF{standardize} compares; keep this label "
      "in the query");
  EXPECT_EQ(
      units_of({{{{"endpoint", "/a"}}, 1}, {{{"endpoint", "/a"}, {"host", "w"}}, 1}}, "endpoint"),
      "q: gives 2 series, and some have neither the label 'host' nor 'instance'; sum them by "
      "host, or to one number");
}

TEST(Window, IsTwoTimes) {
  EXPECT_EQ(parse_window("--w", "1970-01-01T00:00:01/1970-01-01T00:00:02Z").value(),
            (TimeWindow{1'000'000'000, 2'000'000'000}));
  for (const char* wrong :
       {"", "/", "1970-01-02", "1970-01-02/1970-01-01", "1970-01-02/1970-01-02", "1970-01-01/x"})
    EXPECT_EQ(parse_window("--w", wrong).error(),
              (Error{ErrorKind::kUsage,
                     std::string("--w ") + wrong +
                         ": expected FROM/TO, two times, the earlier one first, such as "
                         "2026-11-20T10:00/2026-11-20T12:00"}));
}

}  // namespace
}  // namespace pgo::measured_units_test

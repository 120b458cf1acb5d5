#include "pgo/report/owner_report.h"

#include <gtest/gtest.h>

namespace pgo::owner_report_test {
namespace {

DiffRow row(const char* name, const char* file, double before, double after,
            verify::Verdict verdict) {
  verify::RowComparison flat{.rate_a = before,
                             .rate_b = after,
                             .estimate = {{before, 10000}, {after, 10000}},
                             .verdict = verdict};
  return {{.name = name, .file = file}, flat, flat};
}

DiffResult result() {
  DiffResult result;
  result.rows = {row("scan", "scan.cc", .2, .3, verify::Verdict::kChanged),
                 row("parse", "parse.cc", .2, .21, verify::Verdict::kNoise),
                 row("get|put", "get.cc", .1, .05, verify::Verdict::kChanged),
                 row("seek", "seek.cc", .1, .15, verify::Verdict::kOnlySamplingKnown)};
  return result;
}

// Columns up to the change, and the name.
std::string without_intervals(std::string text) {
  std::string kept;
  size_t begin = 0;
  while (begin < text.size()) {
    std::string line = text.substr(begin, text.find('\n', begin) - begin);
    begin += line.size() + 1;
    if (size_t to = line.find(" % to "); to != line.npos) {
      const size_t first = line.rfind("| ", to), last = line.find(" |", to);
      line.erase(first + 2, last - first - 2);
    }
    kept += line + "\n";
  }
  return kept;
}

TEST(OwnerReport, HasASectionForEachTeam) {
  const std::vector<std::string> teams{"storage", "query", "", "query"};
  const DiffResult compared = result();
  const std::vector<size_t> changed = changed_rows(compared);
  EXPECT_EQ(changed, (std::vector<size_t>{0, 2, 3}));
  const std::string header =
      "\n\n| before | after | change | 95 % interval | verdict | function | file |\n"
      "|--:|--:|--:|--:|---|---|---|\n";
  EXPECT_EQ(without_intervals(owners_markdown(compared, teams, changed)),
            "### query" + header +
                "| 10.00 % | 15.00 % | +5.00 % |  | sampling only | `seek` | `seek.cc` |\n"
                "\n### storage" +
                header +
                "| 20.00 % | 30.00 % | +10.00 % |  | more | `scan` | `scan.cc` |\n"
                "\n### (no team)" +
                header + "| 10.00 % | 5.00 % | -5.00 % |  | less | `get\\|put` | `get.cc` |\n");
}

TEST(OwnerReport, IsEmptyWithoutRows) {
  EXPECT_EQ(owners_markdown(result(), std::vector<std::string>(4), {}), "");
}

TEST(OwnerReport, EscapesNamesOfTeams) {
  const std::vector<std::string> teams{"@org/a_b", "", "", ""};
  const size_t rows[] = {0};
  EXPECT_EQ(owners_markdown(result(), teams, rows).substr(0, 14), "### @org/a\\_b\n");
}

}  // namespace
}  // namespace pgo::owner_report_test

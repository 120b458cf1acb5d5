#include "pgo/report/cost_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::cost_report_test {
namespace {

CostResult result() {
  CostResult result;
  result.type = "cpu", result.unit = "nanoseconds";
  result.inputs = {"fleet/"};
  result.profiles = 3, result.hosts = 2, result.samples = 12345;
  result.rows = {{.key = {.name = "Engine::scan(Table const&)", .binary = "server"},
                  .team = "storage",
                  .share = .25,
                  .cumulative = .5},
                 {.key = {.name = "init", .binary = "server", .file = "a.cc"},
                  .share = .02,
                  .cumulative = .02},
                 {.key = {.name = "init", .binary = "server", .file = "b.cc"},
                  .share = .000001,
                  .cumulative = .01},
                 {.key = {.name = "main", .binary = "server"}, .share = 0, .cumulative = 1}};
  return result;
}

CostResult priced() {
  CostResult priced = result();
  priced.price = {.cores = 1200, .core_hour = .04, .currency = "USD"};
  priced.traffic = 1.5;
  priced.has_teams = true;
  return priced;
}

TEST(CostReport, AsText) {
  EXPECT_EQ(costs_text(priced(), {}),
            "  counted       cpu/nanoseconds, by function\n"
            "  profiles      3 profiles of 2 hosts, 12 345 samples: fleet/\n"
            "  total         1 200 cores: USD 421 000 a year (USD 0.04 for a core hour)\n"
            "  one percent   1 % of the CPU is 12.0 cores: USD 4 210 a year\n"
            "  traffic       1.5 times as much needs 1 800 cores, 600 more: USD 631 000 a year, if "
            "cost grows in proportion to traffic\n"
            "\n"
            "     FLAT  CUMULATIVE   CORES  USD A YEAR  TEAM     FUNCTION\n"
            "  25.00 %     50.00 %     300     105 000  storage  Engine::scan(Table const&)\n"
            "   2.00 %      2.00 %    24.0       8 420  -        init (a.cc, server)\n"
            "   0.00 %      1.00 %  < 0.01        0.42  -        init (b.cc, server)\n");
}

TEST(CostReport, WithoutCoresHasSharesOnly) {
  EXPECT_EQ(costs_text(result(), {.top = 1}),
            "  counted       cpu/nanoseconds, by function\n"
            "  profiles      3 profiles of 2 hosts, 12 345 samples: fleet/\n"
            "\n"
            "     FLAT  CUMULATIVE  FUNCTION\n"
            "  25.00 %     50.00 %  Engine::scan(Table const&)\n"
            "  ... and 2 further rows\n");
  ASSERT_EQ(costs_messages(result()).size(), 1u);
  EXPECT_EQ(costs_messages(result())[0].text.substr(0, 20), "Only shares are show");
  EXPECT_TRUE(costs_messages(priced()).empty());
}

TEST(CostReport, WithoutAPriceHasNoMoney) {
  CostResult cores = result();
  cores.price.cores = 1;
  cores.traffic = .5;
  cores.by_cumulative = true;
  std::swap(cores.rows[0], cores.rows[3]);
  EXPECT_EQ(costs_text(cores, {.top = 1}),
            "  counted       cpu/nanoseconds, by function\n"
            "  profiles      3 profiles of 2 hosts, 12 345 samples: fleet/\n"
            "  total         1.00 core\n"
            "  one percent   1 % of the CPU is 0.01 cores\n"
            "  traffic       0.5 times as much needs 0.50 cores, 0.50 less, if cost grows in "
            "proportion to traffic\n"
            "\n"
            "    FLAT  CUMULATIVE  CORES  FUNCTION, WITH WHAT IT CALLS\n"
            "  0.00 %    100.00 %   1.00  main\n"
            "  ... and 3 further rows\n");
  EXPECT_EQ(costs_messages(cores)[0].text,
            "\xFF{core-hour} PRICE, or [cost] in pgo.toml, adds money");
}

TEST(CostReport, AsMarkdown) {
  EXPECT_EQ(costs_markdown(priced(), {.top = 1}),
            "- counted: cpu/nanoseconds, by function\n"
            "- profiles: 3 profiles of 2 hosts, 12 345 samples: fleet/\n"
            "- total: 1 200 cores: USD 421 000 a year (USD 0.04 for a core hour)\n"
            "- one percent: 1 % of the CPU is 12.0 cores: USD 4 210 a year\n"
            "- traffic: 1.5 times as much needs 1 800 cores, 600 more: USD 631 000 a year, if cost "
            "grows in proportion to traffic\n"
            "\n"
            "| FLAT | CUMULATIVE | CORES | USD A YEAR | TEAM | FUNCTION |\n"
            "|--:|--:|--:|--:|---|---|\n"
            "| 25.00 % | 50.00 % | 300 | 105 000 | storage | `Engine::scan(Table const&)` |\n"
            "\n... and 2 further rows\n");
}

TEST(CostReport, OfLabelsCallsNothing) {
  CostResult by_label = result();
  by_label.by = RowsBy::kLabel;
  by_label.label = "service";
  by_label.rows = {{.key = {.name = "query|x"}, .share = 1, .cumulative = 1}};
  EXPECT_EQ(costs_markdown(by_label, {}),
            "- counted: cpu/nanoseconds, by label service\n"
            "- profiles: 3 profiles of 2 hosts, 12 345 samples: fleet/\n"
            "\n| SHARE | LABEL |\n|--:|---|\n| 100.00 % | query\\|x |\n");
}

TEST(CostReport, AsJson) {
  const CostResult costs = priced();
  const nlohmann::json json = nlohmann::json::parse(costs_json_text(costs_json(costs), costs));
  EXPECT_EQ(json["by"], "function");
  EXPECT_EQ(json["ordered_by"], "flat");
  EXPECT_EQ(json["total"]["cores"], 1200);
  EXPECT_DOUBLE_EQ(json["total"]["per_year"], 420768);
  EXPECT_DOUBLE_EQ(json["one_percent"]["cores"], 12);
  EXPECT_DOUBLE_EQ(json["traffic"]["cores"], 1800);
  ASSERT_EQ(json["rows"].size(), 4u);
  EXPECT_EQ(json["rows"][0]["team"], "storage");
  EXPECT_DOUBLE_EQ(json["rows"][0]["flat"]["cores"], 300);
  EXPECT_DOUBLE_EQ(json["rows"][0]["cumulative"]["per_year"], 210384);
  const CostResult shares = result();
  const nlohmann::json bare = nlohmann::json::parse(costs_json_text(costs_json(shares), shares));
  EXPECT_TRUE(bare["total"]["cores"].is_null());
  EXPECT_FALSE(bare.contains("one_percent"));
  EXPECT_DOUBLE_EQ(bare["rows"][0]["flat"]["share"], .25);
  EXPECT_TRUE(bare["rows"][0]["flat"]["cores"].is_null());
  EXPECT_FALSE(bare["rows"][0].contains("team"));
  CostResult empty = result();
  empty.rows.clear();
  EXPECT_TRUE(nlohmann::json::parse(costs_json_text(costs_json(empty), empty))["rows"].empty());
}

}  // namespace
}  // namespace pgo::cost_report_test

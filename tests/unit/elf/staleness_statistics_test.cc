#include "pgo/elf/staleness_statistics.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::staleness_statistics_test {
namespace {

std::optional<StalenessStatistics> parse(const std::string& section) {
  return parse_staleness_statistics(
      Bytes(reinterpret_cast<const uint8_t*>(section.data()), section.size()));
}

std::string entry(const std::string& key, const std::string& base64) {
  return static_cast<char>(key.size()) + key + static_cast<char>(base64.size()) + base64;
}

// "MzU=" is 35, "Mw==" 3, "MTIzNDU2Nzg5" 123456789.
TEST(StalenessStatistics, AddsUpModules) {
  auto statistics =
      parse(entry("NumMismatchedCallsites", "Mw==") + entry("TotalProfiledCallsites", "MzU=") +
            entry("RecoveredCallsiteSamples", "MTIzNDU2Nzg5") +
            entry("NumMismatchedCallsites", "MzU=") + entry("TotalProfiledCallsites", "MzU="));
  StalenessStatistics expected;
  expected.call_sites = 70;
  expected.lost_call_sites = 38;
  expected.recovered_call_site_samples = 123456789;
  EXPECT_EQ(statistics, expected);
}

TEST(StalenessStatistics, ReadsWhatProbesAdd) {
  auto statistics = parse(
      entry("NumCallGraphRecoveredProfiledFunc", "Mw==") +
      entry("NumCallGraphRecoveredFuncSamples", "MzU=") + entry("NumStaleProfileFunc", "Mw==") +
      entry("TotalProfiledFunc", "MzU=") + entry("MismatchedFunctionSamples", "MzU=") +
      entry("TotalFunctionSamples", "MTIzNDU2Nzg5"));
  StalenessStatistics expected;
  expected.renamed_functions = 3;
  expected.renamed_samples = 35;
  expected.changed_functions = 3;
  expected.functions = 35;
  expected.changed_samples = 35;
  expected.samples = 123456789;
  EXPECT_EQ(statistics, expected);
}

TEST(StalenessStatistics, SkipsWhatItDoesNotKnow) {
  EXPECT_EQ(parse(""), std::nullopt);
  EXPECT_EQ(parse(entry("Unheard", "Mw==")), std::nullopt);
  EXPECT_EQ(parse(entry("NumMismatchedCallsites", "?w==")), std::nullopt);
  EXPECT_EQ(parse(entry("NumMismatchedCallsites", "")), std::nullopt);
  // "LTM=" is -3, and "MzUzNTM1MzUzNTM1MzUzNTM1MzU=" more than 64 bits hold.
  EXPECT_EQ(parse(entry("NumMismatchedCallsites", "LTM=")), std::nullopt);
  EXPECT_EQ(parse(entry("NumMismatchedCallsites", "MzUzNTM1MzUzNTM1MzUzNTM1MzU=")), std::nullopt);
  EXPECT_EQ(parse(entry("Unheard", "Mw==") + entry("TotalProfiledFunc", "Mw=="))->functions, 3u);
}

TEST(StalenessStatistics, EndsWhereTheSectionEnds) {
  std::string two = entry("TotalProfiledFunc", "Mw==") + entry("TotalProfiledFunc", "MzU=");
  size_t first = entry("TotalProfiledFunc", "Mw==").size();
  for (size_t size = 0; size < two.size(); size++) {
    auto statistics = parse(two.substr(0, size));
    ASSERT_EQ(statistics.has_value(), size >= first) << size;
    if (statistics) {
      EXPECT_EQ(statistics->functions, 3u) << size;
    }
  }
}

}  // namespace
}  // namespace pgo::staleness_statistics_test

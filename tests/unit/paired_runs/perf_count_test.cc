#include "pgo/paired_runs/perf_count.h"

#include <gtest/gtest.h>

namespace pgo::perf_count_test {
namespace {

constexpr const char* kComment = "# started on Mon Nov 23 10:00:00 2026\n\n";

std::optional<PerfCount> read(const std::string& lines) {
  return read_perf_count(kComment + lines);
}

TEST(PerfCount, ReadsWhatWasCounted) {
  EXPECT_EQ(read("123456789,,instructions:u,512345,100.00,1.20,insn per cycle\n"),
            (PerfCount{123456789, 1}));
}

TEST(PerfCount, KnowsWhenPerfCountedPartOfTheTime) {
  EXPECT_EQ(read("1000,,instructions:u,512345,43.00,,\n"), (PerfCount{1000, .43}));
}

TEST(PerfCount, HasNothingWhenNothingWasCounted) {
  EXPECT_EQ(read("<not counted>,,instructions:u,0,0.00,,\n"), std::nullopt);
  EXPECT_EQ(read("<not supported>,,instructions:u,0,100.00,,\n"), std::nullopt);
  EXPECT_EQ(read(""), std::nullopt);
  EXPECT_EQ(read("5,,cycles:u,1,100.00,,\n"), std::nullopt);
  EXPECT_EQ(read("-5,,instructions:u,1,100.00,,\n"), std::nullopt);
  EXPECT_EQ(read("instructions:u"), std::nullopt);
}

TEST(PerfCount, AddsUpTwoKindsOfCores) {
  EXPECT_EQ(
      read("1000,,cpu_core/instructions/u,5,80.00,,\n200,,cpu_atom/instructions/u,5,20.00,,\n"),
      (PerfCount{1200, .2}));
  EXPECT_EQ(read("1000,,cpu_core/instructions/u,5,100.00,,\n"
                 "<not counted>,,cpu_atom/instructions/u,0,0.00,,\n"),
            (PerfCount{1000, 1}));
}

}  // namespace
}  // namespace pgo::perf_count_test

#include "pgo/profile/accounting.h"

#include <gtest/gtest.h>

#include <set>

namespace pgo::accounting_test {
namespace {

constexpr uint64_t kMax = ~uint64_t{0};

TEST(Accounting, HoldsWhenEverySampleIsUsedOrDropped) {
  Accounting samples;
  EXPECT_EQ(samples.check(), std::nullopt);
  samples.seen = 10;
  samples.used = 7;
  samples[Dropped::kKernel] = 2;
  samples[Dropped::kNotCode] = 1;
  EXPECT_EQ(samples.check(), std::nullopt);
}

TEST(Accounting, SaysWhatDoesNotAddUp) {
  Accounting samples;
  samples.seen = 10;
  samples.used = 7;
  samples[Dropped::kKernel] = 2;
  EXPECT_EQ(samples.check(), "seen 10, but used, pending and dropped add up to 9");
  samples[Dropped::kVdso] = 2;
  EXPECT_EQ(samples.check(), "seen 10, but used, pending and dropped add up to 11");
}

TEST(Accounting, WhatIsPendingIsUsedOrDropped) {
  Accounting samples;
  samples.seen = 10;
  samples.used = 2;
  samples.pending = 5;
  samples[Dropped::kWithoutStack] = 3;
  ASSERT_EQ(samples.check(), std::nullopt);
  Accounting used = samples;
  used.use_pending();
  EXPECT_EQ(used.check(), std::nullopt);
  EXPECT_EQ(used.used, 7u);
  EXPECT_EQ(used.pending, 0u);
  samples.drop_pending(Dropped::kWithoutStack);
  EXPECT_EQ(samples.check(), std::nullopt);
  EXPECT_EQ(samples.used, 2u);
  EXPECT_EQ(samples.pending, 0u);
  EXPECT_EQ(samples[Dropped::kWithoutStack], 8u);
}

TEST(Accounting, AddsReasonByReason) {
  Accounting a, b;
  a.seen = 3;
  a.used = 1;
  a[Dropped::kOtherEvent] = 2;
  b.seen = 5;
  b[Dropped::kOtherEvent] = 1;
  b[Dropped::kNotCode] = 4;
  a.add(b);
  EXPECT_EQ(a.seen, 8u);
  EXPECT_EQ(a.used, 1u);
  EXPECT_EQ(a[Dropped::kOtherEvent], 3u);
  EXPECT_EQ(a[Dropped::kNotCode], 4u);
  EXPECT_EQ(a.check(), std::nullopt);
}

TEST(Accounting, HoldsWhenSumsSaturate) {
  Accounting a, b;
  a.seen = a.used = kMax - 1;
  b.seen = 5;
  b[Dropped::kKernel] = 5;
  a.add(b);
  EXPECT_EQ(a.seen, kMax);
  EXPECT_EQ(a.check(), std::nullopt);
}

// The sentences follow a share of the samples: "0.1 % without branch records".
TEST(Accounting, TellsEmptyBranchStacksFromSamplesWithoutRecords) {
  EXPECT_EQ(dropped_sentence(Dropped::kNoBranches), "with an empty branch stack");
  EXPECT_EQ(dropped_sentence(Dropped::kWithoutStack), "without branch records");
}

TEST(Accounting, FindsReasonsByName) {
  for (size_t i = 0; i < kDroppedCount; i++)
    EXPECT_EQ(find_dropped(dropped_name(static_cast<Dropped>(i))), static_cast<Dropped>(i));
  EXPECT_EQ(find_dropped("on-the-moon"), std::nullopt);
}

TEST(Accounting, NamesEachReasonOnce) {
  std::set<std::string_view> names, sentences;
  for (size_t i = 0; i < kDroppedCount; i++) {
    names.insert(dropped_name(static_cast<Dropped>(i)));
    sentences.insert(dropped_sentence(static_cast<Dropped>(i)));
  }
  EXPECT_EQ(names.size(), kDroppedCount);
  EXPECT_EQ(sentences.size(), kDroppedCount);
  EXPECT_FALSE(names.contains(""));
  EXPECT_FALSE(sentences.contains(""));
  EXPECT_EQ(dropped_name(Dropped::kOtherEvent), "other-event");
  EXPECT_EQ(dropped_name(Dropped::kNotCode), "not-code");
}

TEST(SaturatingSums, StopAtTheLargestNumber) {
  EXPECT_EQ(saturating_add(2, 3), 5u);
  EXPECT_EQ(saturating_add(kMax, 0), kMax);
  EXPECT_EQ(saturating_add(kMax - 1, 1), kMax);
  EXPECT_EQ(saturating_add(kMax, kMax), kMax);
  EXPECT_EQ(saturating_multiply(6, 7), 42u);
  EXPECT_EQ(saturating_multiply(kMax, 0), 0u);
  EXPECT_EQ(saturating_multiply(uint64_t{1} << 32, uint64_t{1} << 32), kMax);
}

}  // namespace
}  // namespace pgo::accounting_test

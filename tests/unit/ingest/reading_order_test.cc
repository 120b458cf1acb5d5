#include "pgo/ingest/reading_order.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::reading_order_test {
namespace {

// "inputs:threads for each", step by step.
std::string plan(const std::vector<uint64_t>& sizes, unsigned jobs) {
  std::string text;
  for (const ReadingStep& step : plan_reading(sizes, jobs)) {
    for (size_t input : step.inputs) text += std::to_string(input) + ' ';
    text.back() = ':';
    text += std::to_string(step.jobs_each) + ' ';
  }
  return text;
}

TEST(ReadingOrder, EqualInputsAreReadSideBySide) {
  EXPECT_EQ(plan({5, 5, 5, 5}, 2), "0 1:1 2 3:1 ");
  EXPECT_EQ(plan({5, 6, 5, 4}, 4), "1 0 2 3:1 ");
}

TEST(ReadingOrder, AHugeInputGetsAllThreads) {
  EXPECT_EQ(plan({1, 1, 900, 1, 1}, 2), "2:2 0 1:1 3 4:1 ");
  EXPECT_EQ(plan({1, 1, 1, 900, 1, 1, 1, 1, 500}, 4), "3:4 8:4 0 1 2 4:1 5:4 6:4 7:4 ");
}

TEST(ReadingOrder, FewerInputsThanThreadsAreReadByAllOfThem) {
  EXPECT_EQ(plan({7}, 4), "0:4 ");
  EXPECT_EQ(plan({7, 7, 7}, 4), "0:4 1:4 2:4 ");
  EXPECT_EQ(plan({7, 7, 7}, 2), "0 1:1 2:2 ");
}

TEST(ReadingOrder, OneThreadReadsOneInputAtATime) {
  EXPECT_EQ(plan({3, 9, 0}, 1), "1:1 0:1 2:1 ");
  EXPECT_EQ(plan({}, 3), "");
}

// What is said of the inputs, such as the first that cannot be read, must not depend on threads.
TEST(ReadingOrder, TheOrderDoesNotDependOnThreads) {
  std::vector<uint64_t> sizes;
  for (uint64_t i = 0; i < 200; i++) sizes.push_back((i * i * 7919) % 101 * (i % 17 == 0 ? 50 : 1));
  std::vector<size_t> expected;
  for (unsigned jobs : {1u, 2u, 3u, 8u, 64u, 1000u}) {
    std::vector<size_t> order;
    for (const ReadingStep& step : plan_reading(sizes, jobs)) {
      EXPECT_LE(step.inputs.size() * step.jobs_each, jobs);
      order.insert(order.end(), step.inputs.begin(), step.inputs.end());
    }
    if (expected.empty()) expected = order;
    EXPECT_EQ(order, expected) << jobs;
  }
  EXPECT_EQ(expected.size(), sizes.size());
}

}  // namespace
}  // namespace pgo::reading_order_test

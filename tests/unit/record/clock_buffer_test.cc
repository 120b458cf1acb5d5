#include "pgo/record/step/clock_buffer.h"

#include "tests/data/shared_step_table.h"

namespace pgo::clock_buffer_test {
namespace {

class ClockBufferTest : public test::SharedStepTable {
 protected:
  void SetUp() override {
    SharedStepTable::SetUp();
    ASSERT_TRUE(begin_clock_buffer(&buffer_, {10, 11}));
  }
  void add(uint64_t count) {
    for (uint64_t i = 0; i < count; i++) add_clock_sample(&buffer_, {++last_ip_, 1});
  }
  static std::vector<uint64_t> ips(const Slot& slot) {
    std::vector<uint64_t> ips;
    for (uint32_t i = 0; i < slot.clock_count; i++) ips.push_back(slot.clock[i].ip);
    return ips;
  }

  ClockBuffer buffer_{};
  uint64_t last_ip_ = 0;
};

TEST_F(ClockBufferTest, HandsOverAFullBufferWithTheNextSample) {
  Slot* burst = take_sample_slot({10, 11}, 1);  // which leaves its count in the slot
  ASSERT_NE(burst, nullptr);
  burst->sample.count = 5;
  hand_over(burst);
  EXPECT_EQ(take().size(), 1u);
  add(kClockSamples);
  EXPECT_TRUE(take().empty());
  add(1);
  const std::vector<Slot> slots = take();
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].pid, 10u);
  EXPECT_EQ(slots[0].tid, 11u);
  EXPECT_EQ(slots[0].sample.count, 0u);
  ASSERT_EQ(slots[0].clock_count, uint32_t{kClockSamples});
  EXPECT_EQ(ips(slots[0]).front(), 1u);
  EXPECT_EQ(ips(slots[0]).back(), uint64_t{kClockSamples});
  EXPECT_EQ(buffer_.count, 1u);
  EXPECT_EQ(lost(), 0u);
}

TEST_F(ClockBufferTest, CountsEachSampleThatFindsNoSlot) {
  add(kClockSamples);
  fill();
  add(1);
  EXPECT_EQ(lost(), uint64_t{kClockSamples});
  add(2);
  hand_over_clock_samples(&buffer_, 10);
  EXPECT_EQ(lost(), kClockSamples + 3u);
  clear();
  add(1);
  hand_over_clock_samples(&buffer_, 10);
  hand_over_clock_samples(&buffer_, 10);  // empty: takes no slot
  const std::vector<Slot> slots = take();
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(ips(slots[0]), std::vector<uint64_t>{last_ip_});
  EXPECT_EQ(lost(), kClockSamples + 3u);
}

TEST_F(ClockBufferTest, LosesNothingInSilenceWhileAnotherThreadHasIt) {
  add(2);
  buffer_.taken = true;
  add(1);
  EXPECT_EQ(lost(), 1u);
  EXPECT_EQ(buffer_.count, 2u);
  hand_over_clock_samples(&buffer_, 10);
  EXPECT_TRUE(take().empty());
  Slot slot{};
  slot.clock_count = kClockSamples;  // of an earlier use
  move_clock_samples(&buffer_, &slot);
  EXPECT_EQ(slot.clock_count, 0u);
  EXPECT_FALSE(begin_clock_buffer(&buffer_, {10, 12}));
  EXPECT_EQ(buffer_.owner.tid, 11u);
  buffer_.taken = false;
  move_clock_samples(&buffer_, &slot);
  EXPECT_EQ(ips(slot), (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(buffer_.count, 0u);
  EXPECT_EQ(lost(), 1u);
}

TEST_F(ClockBufferTest, BeginsEmpty) {
  add(5);
  ASSERT_TRUE(begin_clock_buffer(&buffer_, {10, 12}));
  hand_over_clock_samples(&buffer_, 10);
  EXPECT_TRUE(take().empty());
  add(1);
  hand_over_clock_samples(&buffer_, 10);
  const std::vector<Slot> slots = take();
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].tid, 12u);
  EXPECT_EQ(ips(slots[0]), std::vector<uint64_t>{6});
}

// A child has copies of what its parent has not handed over.
TEST_F(ClockBufferTest, LeavesSamplesOfAnotherProcess) {
  add(5);
  buffer_.taken = true;  // by a thread of the parent
  release_clock_buffer(&buffer_);
  hand_over_clock_samples(&buffer_, 20);
  EXPECT_TRUE(take().empty());
  EXPECT_EQ(lost(), 0u);
  EXPECT_FALSE(buffer_.taken);
}

}  // namespace
}  // namespace pgo::clock_buffer_test

#include "pgo/record/step/table_writer.h"

#include "tests/data/shared_step_table.h"

namespace pgo::table_writer_test {
namespace {

constexpr SlotOrigin kOrigin{10, 11};

class TableWriterTest : public test::SharedStepTable {};

TEST_F(TableWriterTest, HandsOverWhatTheRecorderReads) {
  put_text(kOrigin, kSlotNote, 7, "is not recorded", 6);
  Slot* slot = take_sample_slot(kOrigin, 3);
  ASSERT_NE(slot, nullptr);
  slot->sample.count = slot->clock_count = 0;
  hand_over(slot);
  const std::vector<Slot> slots = take();
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[0].kind, uint32_t{kSlotNote});
  EXPECT_EQ(slots[0].parent, 7u);
  EXPECT_EQ(std::string(slots[0].text, slots[0].size), "is not");
  EXPECT_EQ(slots[1].kind, uint32_t{kSlotSample});
  EXPECT_EQ(slots[1].pid, 10u);
  EXPECT_EQ(slots[1].tid, 11u);
  EXPECT_EQ(lost(), 0u);
}

TEST_F(TableWriterTest, CountsSamplesWithoutASlot) {
  fill();
  EXPECT_EQ(take_sample_slot(kOrigin, 5), nullptr);
  EXPECT_EQ(lost(), 5u);
  EXPECT_EQ(take_slot(kOrigin, kSlotThread), nullptr);
  EXPECT_EQ(lost(), 6u);
  close();
  EXPECT_EQ(take_sample_slot(kOrigin, 5), nullptr);
  EXPECT_EQ(take_slot(kOrigin, kSlotThread), nullptr);
  EXPECT_EQ(lost(), 6u);  // a closed table counts no more
}

TEST_F(TableWriterTest, TakesARecorderForGoneThatFreesNoSlots) {
  fill();
  for (int i = 1; i < kMaxFailures; i++) take_sample_slot(kOrigin, 1);
  EXPECT_TRUE(has_recorder());
  for (int i = 0; i < kMaxFailures; i++) take_slot(kOrigin, kSlotMaps);  // all at once, as a rule
  EXPECT_TRUE(has_recorder());
  clear();
  EXPECT_NE(take_sample_slot(kOrigin, 1), nullptr);
  fill();
  for (int i = 1; i < kMaxFailures; i++) take_sample_slot(kOrigin, 1);
  EXPECT_TRUE(has_recorder());
  take_sample_slot(kOrigin, 1);
  EXPECT_FALSE(has_recorder());
}

TEST_F(TableWriterTest, HasNoRecorderThatHasClosedTheTable) {
  EXPECT_TRUE(has_recorder());
  close();
  EXPECT_FALSE(has_recorder());
}

}  // namespace
}  // namespace pgo::table_writer_test

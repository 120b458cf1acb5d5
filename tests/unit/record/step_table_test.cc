// The other side of the table, as the library in a process writes it, is played here.
#include "pgo/record/step_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "pgo/base/mapped_file.h"
#include "tests/data/temporary_files.h"

namespace pgo::step_table_test {
namespace {

class StepTableTest : public test::TemporaryFiles {
 protected:
  // Writes into the file, which the table maps.
  void put(uint64_t number, SlotState state, uint64_t time, uint32_t pid) {
    Slot slot{};
    slot.kind = kSlotThread;
    slot.pid = pid;
    slot.time = time;
    put_bytes(kTableSlotsAt + number * kSlotSize, &slot, sizeof slot);
    const uint64_t whole_state = state | uint64_t{pid} << 32;
    put_bytes(kTableStatesAt + number * sizeof whole_state, &whole_state, sizeof whole_state);
  }
  void put_bytes(uint64_t at, const void* bytes, size_t size) {
    std::fstream file(path("table"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  }
  TableHeader header() const {
    Result<MappedFile> file = MappedFile::open(path("table"));
    return load_le<TableHeader>(file->bytes().data());
  }
  static std::vector<uint32_t> pids(const std::vector<Slot>& slots) {
    std::vector<uint32_t> pids;
    for (const Slot& slot : slots) pids.push_back(slot.pid);
    return pids;
  }
  Result<StepTable> create() { return StepTable::create(path("table"), {1000, 64, 15, 1000, 0}); }
};

TEST_F(StepTableTest, TellsProcessesHowToStep) {
  Result<StepTable> table = create();
  ASSERT_TRUE(table);
  EXPECT_EQ(header().magic, PRODPGO_TABLE_MAGIC);
  EXPECT_EQ(header().steps_per_burst, 64u);
  EXPECT_EQ(header().share_per_mille, 15u);
  EXPECT_EQ(header().step_ticks, 1u);  // never zero: costs are compared with it
  EXPECT_EQ(header().closed, 0u);
  table->close();
  EXPECT_EQ(header().closed, 1u);
  EXPECT_EQ(create().error().message, path("table") + ": cannot create: File exists");
}

TEST_F(StepTableTest, GivesFullSlotsOnceInOrderOfTime) {
  Result<StepTable> table = create();
  ASSERT_TRUE(table);
  put(5, kSlotFull, 30, 3);
  put(9, kSlotFull, 10, 1);
  put(kSlotCount - 1, kSlotFull, 20, 2);
  put(7, kSlotFilling, 5, 9);
  EXPECT_EQ(pids(table->take_new()), (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_TRUE(table->take_new().empty());
  put(7, kSlotFull, 5, 9);
  EXPECT_EQ(pids(table->take_new()), std::vector<uint32_t>{9});
}

// What comes while the slots are looked at may come before a slot that was looked at already.
TEST_F(StepTableTest, KeepsWhatIsLaterThanTheLook) {
  Result<StepTable> table = create();
  ASSERT_TRUE(table);
  put(0, kSlotFull, UINT64_MAX - 1, 2);
  put(1, kSlotFull, 10, 1);
  EXPECT_EQ(pids(table->take_new()), std::vector<uint32_t>{1});
  put(1, kSlotFull, 20, 3);
  EXPECT_EQ(pids(table->take_rest()), (std::vector<uint32_t>{3, 2}));
}

TEST_F(StepTableTest, AddsUpWhatTheProcessesCount) {
  Result<StepTable> table = create();
  ASSERT_TRUE(table);
  TableHeader counted = header();
  counted.spent_ticks = 2'500'000;  // 1000 in a millisecond
  counted.lost_samples = 7;
  put_bytes(0, &counted, sizeof counted);
  EXPECT_EQ(table->spent_seconds(), 2.5);
  EXPECT_EQ(table->lost_samples(), 7u);
}

}  // namespace
}  // namespace pgo::step_table_test

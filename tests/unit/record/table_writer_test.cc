#include "pgo/record/step/table_writer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pgo/record/executable_mapping.h"
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
  // It was only slow.
  clear();
  int refusals = 1;
  while (!has_recorder() && refusals < 10'000) refusals++;
  EXPECT_LT(refusals, 10'000);
  EXPECT_TRUE(has_recorder());
  EXPECT_NE(take_sample_slot(kOrigin, 1), nullptr);
}

// As of a program with many libraries: each line in a slot of its own, they would not all fit
// between two looks of the recorder.
TEST_F(TableWriterTest, HandsOverManyMappings) {
  constexpr size_t kMappings = 200;
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  std::vector<void*> mapped;
  for (size_t i = 0; i < kMappings; i++)
    mapped.push_back(::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0));
  ::close(file);
  put_maps(kOrigin);
  for (void* page : mapped) ::munmap(page, 4096);
  size_t found = 0;
  const std::vector<Slot> slots = take();
  for (const Slot& slot : slots)
    for (const ExecutableMapping& mapping : parse_executable_mappings({slot.text, slot.size}))
      for (void* page : mapped) found += mapping.begin == reinterpret_cast<uintptr_t>(page);
  EXPECT_EQ(found, kMappings);
  EXPECT_LT(slots.size(), kMappings / 2);
  EXPECT_EQ(lost(), 0u);
}

TEST_F(TableWriterTest, LooksForAFreeSlotEverywhere) {
  std::vector<Slot*> slots;
  while (Slot* slot = take_slot(kOrigin, kSlotThread)) slots.push_back(slot);
  EXPECT_EQ(slots.size(), size_t{kSlotCount});
}

TEST_F(TableWriterTest, HasNoRecorderThatHasClosedTheTable) {
  EXPECT_TRUE(has_recorder());
  close();
  EXPECT_FALSE(has_recorder());
}

}  // namespace
}  // namespace pgo::table_writer_test

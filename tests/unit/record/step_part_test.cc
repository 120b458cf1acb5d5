#include "pgo/record/step_part.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <cstring>

#include "converters/perf_data/recording.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/perf_data_layout.h"
#include "pgo/profile/quality.h"
#include "pgo/record/part_assembly.h"
#include "tests/data/temporary_files.h"

namespace pgo::step_part_test {
namespace {

Slot make_slot(uint32_t kind, uint64_t time, uint32_t pid, uint32_t tid, uint32_t parent = 0,
               std::string_view text = "") {
  Slot slot{};
  slot.kind = kind;
  slot.time = time;
  slot.pid = pid;
  slot.tid = tid;
  slot.parent = parent;
  slot.size = static_cast<uint32_t>(text.size());
  std::memcpy(slot.text, text.data(), text.size());
  return slot;
}

Slot make_sample(uint64_t time, uint32_t pid, uint32_t tid, uint32_t count) {
  Slot slot = make_slot(kSlotSample, time, pid, tid);
  slot.sample.timer_ip = 0x401000;
  slot.sample.periods = 2;
  slot.sample.count = count;
  for (uint32_t i = 0; i < std::min<uint32_t>(count, kStackDepth); i++)
    slot.sample.branches[i] = {0x401010 + i, 0x401100 + i};
  return slot;
}

class StepPartTest : public test::TemporaryFiles {
 protected:
  // The recording that `slots` give.
  RecordingTotals assemble(const std::vector<std::vector<Slot>>& batches) {
    Result<StepPart> part = StepPart::begin(path("part"), 10'000'000);
    EXPECT_TRUE(part);
    for (const std::vector<Slot>& slots : batches) part->add(slots);
    part->end();
    notes_ = part->notes();
    blocked_threads_ = part->blocked_threads();
    clock_samples_ = part->clock_samples();
    Result<MappedFile> file = MappedFile::open(path("part"));
    std::vector<Bytes> parts{file->bytes()};
    Result<RecordingTotals> totals =
        assemble_parts(parts, {{"./server"}, std::string(kSteppedEvent)}, [&](Bytes bytes) {
          recording_.insert(recording_.end(), bytes.begin(), bytes.end());
          return ok();
        });
    EXPECT_TRUE(totals);
    return totals ? *totals : RecordingTotals{};
  }

  std::vector<uint8_t> recording_;
  std::vector<std::string> notes_;
  uint64_t blocked_threads_ = 0, clock_samples_ = 0;
};

constexpr std::string_view kCode = "401000-402000 r-xp 00001000 fe:00 0  [code]\n";

TEST_F(StepPartTest, WritesProcessesThreadsAndSamples) {
  RecordingTotals totals = assemble(
      {{make_slot(kSlotProgram, 100, 7, 7, 1, "server"), make_slot(kSlotMaps, 110, 7, 7, 0, kCode),
        make_sample(200, 7, 7, 3), make_slot(kSlotThread, 210, 7, 8, 7)},
       {make_sample(190, 7, 8, 1), make_slot(kSlotFork, 300, 9, 9, 7), make_sample(310, 9, 9, 2),
        make_slot(kSlotProgram, 400, 9, 9, 7, "other"),
        make_slot(kSlotProgram, 500, 11, 11, 7, "spawned")}});
  EXPECT_EQ(totals, (RecordingTotals{.samples = 3,
                                     .processes = 3,
                                     .threads = 4,
                                     .taken_branches = 6,
                                     .notes = {},
                                     .further_notes = 0}));
  Result<perf_data::Recording> scanned = perf_data::scan_recording(recording_, "server.data", {});
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(scanned->sample_records, 3u);
  ASSERT_EQ(scanned->events.size(), 1u);
  EXPECT_EQ(scanned->events[0].name, kSteppedEvent);
  EXPECT_TRUE(scanned->events[0].has_branch_stacks());
  EXPECT_TRUE(notes_.empty());
}

// PC samples have no branches, and weigh as many periods as the timer missed.
TEST_F(StepPartTest, WritesClockSamplesInFrontOfTheBurst) {
  Slot burst = make_sample(200, 7, 7, 2), clock = make_sample(300, 7, 7, 0);
  burst.clock_count = 2;
  burst.clock[0] = {0x401020, 1};
  burst.clock[1] = {0x401030, 3};
  clock.clock_count = UINT32_MAX;  // no more is believed than fits
  for (ClockSample& one : clock.clock) one = {0x401040, 1};
  const RecordingTotals totals =
      assemble({{make_slot(kSlotProgram, 100, 7, 7, 1, "server"),
                 make_slot(kSlotMaps, 110, 7, 7, 0, kCode), burst, clock}});
  EXPECT_EQ(totals.samples, 3u + kClockSamples);
  EXPECT_EQ(totals.taken_branches, 2u);
  EXPECT_EQ(clock_samples_, 2u + kClockSamples);
  Result<perf_data::Recording> scanned = perf_data::scan_recording(recording_, "server.data", {});
  ASSERT_TRUE(scanned) << scanned.error().message;
  std::vector<std::pair<uint64_t, uint64_t>> samples;  // weight, and branches
  for (const Bytes block : scanned->blocks)
    for (size_t at = 0; at < block.size();) {
      const perf_data::RecordHeader header = perf_data::load_header(block.data() + at);
      const Bytes record = block.subspan(at, header.size);
      at += header.size;
      if (header.type != PERF_RECORD_SAMPLE) continue;
      const auto sample = scanned->layouts[0].parse(record);
      ASSERT_TRUE(sample);
      samples.emplace_back(weight_of(*sample, scanned->events[0]), sample->branch_count);
    }
  ASSERT_EQ(samples.size(), 3u + kClockSamples);
  EXPECT_EQ(samples[0], std::pair(uint64_t{10'000'000}, uint64_t{0}));
  EXPECT_EQ(samples[1], std::pair(uint64_t{30'000'000}, uint64_t{0}));
  EXPECT_EQ(samples[2], std::pair(uint64_t{20'000'000}, uint64_t{2}));
}

TEST_F(StepPartTest, BelievesNoMoreThanAStack) {
  RecordingTotals totals = assemble(
      {{make_slot(kSlotProgram, 100, 7, 7, 1, "server"), make_sample(200, 7, 7, UINT32_MAX),
        make_sample(201, 7, 7, 0), make_slot(99, 202, 7, 7)}});
  EXPECT_EQ(totals.samples, 1u);
  EXPECT_EQ(totals.taken_branches, uint64_t{kStackDepth});
}

// What is not in the mappings that the program began with is looked for in the process.
TEST_F(StepPartTest, FindsCodeThatWasLoadedLater) {
  const auto self = static_cast<uint32_t>(::getpid());
  Slot sample = make_sample(1'000'000'000, self, self, 1);
  sample.sample.timer_ip = reinterpret_cast<uint64_t>(&make_sample);
  assemble({{make_slot(kSlotProgram, 100, self, self, 1, "test"), sample}});
  const std::string text(recording_.begin(), recording_.end());
  EXPECT_NE(text.find("pgo_core_test"), text.npos);
}

TEST_F(StepPartTest, SaysOnceWhyAProgramIsNotRecorded) {
  std::vector<Slot> slots{make_slot(kSlotProgram, 100, 7, 7, 1, "server"),
                          make_slot(kSlotNote, 110, 7, 7, 0, "is not recorded: a reason"),
                          make_slot(kSlotProgram, 120, 8, 8, 1, "server"),
                          make_slot(kSlotNote, 130, 8, 8, 0, "is not recorded: a reason")};
  assemble({slots});
  EXPECT_EQ(notes_, std::vector<std::string>{"process 7 (server) is not recorded: a reason"});
  EXPECT_EQ(blocked_threads_, 0u);
}

// The children 8 and 10 begin with signals blocked; so does the program that 8 executes, but not
// that of 10.
TEST_F(StepPartTest, CountsThreadsThatBeganWithSignalsBlocked) {
  const RecordingTotals totals =
      assemble({{make_slot(kSlotProgram, 100, 7, 7, 1, "server"), make_sample(110, 7, 7, 1),
                 make_slot(kSlotThread, 120, 7, 9, 7), make_slot(kSlotBlocked, 130, 7, 9),
                 make_slot(kSlotFork, 140, 8, 8, 7), make_slot(kSlotBlocked, 150, 8, 8),
                 make_slot(kSlotProgram, 160, 8, 8, 7, "other"), make_slot(kSlotBlocked, 170, 8, 8),
                 make_slot(kSlotFork, 180, 10, 10, 7), make_slot(kSlotBlocked, 190, 10, 10),
                 make_slot(kSlotProgram, 200, 10, 10, 7, "other")}});
  EXPECT_EQ(blocked_threads_, 2u);
  EXPECT_EQ(totals.threads, 4u);
}

}  // namespace
}  // namespace pgo::step_part_test

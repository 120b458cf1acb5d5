#include "converters/perf_data/sample_layout.h"

#include <gtest/gtest.h>

#include "tests/data/perf_data_builder.h"
#include "tests/data/sample_fields.h"

namespace pgo::test::sample_layout_test {
namespace {

using perf_data::EventAttr;
using perf_data::SampleId;
using perf_data::SampleLayout;

constexpr uint64_t kAllBeforeStack = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                                     PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
                                     PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
                                     PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW;

EventAttr attr_of(const Event& event) {
  EventAttr attr;
  attr.sample_type = event.sample_type;
  attr.read_format = event.read_format;
  attr.flags = event.flags;
  attr.branch_sample_type = event.branch_sample_type;
  return attr;
}

ByteVector record_of(const Event& event, const Sample& sample, uint64_t id = 0) {
  ByteVector body = sample_body(event, sample, id);
  ByteVector record = words({(8 + body.size()) << 48 | PERF_RECORD_SAMPLE});
  put_bytes(record, body);
  return record;
}

Sample full_sample() {
  return {.pid = 11,
          .tid = 12,
          .time = 13,
          .ip = 14,
          .branches = {{0x1000, 0x2000, kMispredicted}, {0x3000, 0x4000}},
          .callchain = {0x51, 0x52, 0x53},
          .addr = 15,
          .stream_id = 16,
          .period = 17,
          .cpu = 18,
          .read = {{1, 2, 3}, {4, 5, 6}},
          .time_enabled = 19,
          .time_running = 20,
          .raw = "raw bytes",
          .branch_counters = {7, 8},
          .regs_user = {21, 22},
          .stack_user = "stack",
          .aux = "auxiliary"};
}

void expect_full_sample(const Event& event, const std::string& what) {
  ByteVector record = record_of(event, full_sample(), 99);
  auto sample = SampleLayout(attr_of(event)).parse(record);
  ASSERT_TRUE(sample) << what;
  auto has = [&](uint64_t bit) { return (event.sample_type & bit) != 0; };
  EXPECT_EQ(sample->ip.value, has(PERF_SAMPLE_IP) ? 14u : 0u) << what;
  EXPECT_EQ(sample->pid, has(PERF_SAMPLE_TID) ? 11u : 0u) << what;
  EXPECT_EQ(sample->tid, has(PERF_SAMPLE_TID) ? 12u : 0u) << what;
  EXPECT_EQ(sample->time, has(PERF_SAMPLE_TIME) ? 13u : 0u) << what;
  EXPECT_EQ(sample->period, has(PERF_SAMPLE_PERIOD) ? 17u : 0u) << what;
  ASSERT_EQ(sample->frame_count, has(PERF_SAMPLE_CALLCHAIN) ? 3u : 0u) << what;
  for (uint64_t i = 0; i < sample->frame_count; i++)
    EXPECT_EQ(load_le<uint64_t>(sample->frames + 8 * i), 0x51 + i) << what;
  ASSERT_EQ(sample->branch_count, 2u) << what;
  EXPECT_EQ(load_le<uint64_t>(sample->branches), 0x1000u) << what;
  EXPECT_EQ(load_le<uint64_t>(sample->branches + 24), 0x3000u) << what;
  EXPECT_EQ(load_le<uint64_t>(sample->branches + 32), 0x4000u) << what;
}

// Each field before the branch stack, absent or present, moves it.
TEST(SampleLayout, FindsTheStackBehindAnyFields) {
  for (uint64_t left_out = 0; left_out < 1u << 17; left_out = left_out == 0 ? 1 : 2 * left_out) {
    if (left_out != 0 && (kAllBeforeStack & left_out) == 0) continue;
    Event event{.sample_type = (kAllBeforeStack & ~left_out) | PERF_SAMPLE_BRANCH_STACK};
    expect_full_sample(event, "without " + std::to_string(left_out));
    event.sample_type = (kAllBeforeStack & left_out) | PERF_SAMPLE_BRANCH_STACK;
    expect_full_sample(event, "only " + std::to_string(left_out));
  }
}

TEST(SampleLayout, StepsOverEveryReadFormat) {
  for (uint64_t format = 0; format < 32; format++)
    expect_full_sample(
        {.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_BRANCH_STACK, .read_format = format},
        "read format " + std::to_string(format));
}

TEST(SampleLayout, KnowsWhatStandsAroundTheStack) {
  for (uint64_t branches : {uint64_t{PERF_SAMPLE_BRANCH_HW_INDEX}, kBranchCounters,
                            PERF_SAMPLE_BRANCH_HW_INDEX | kBranchCounters})
    for (uint64_t behind :
         {uint64_t{0}, uint64_t{PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_AUX |
                                PERF_SAMPLE_WEIGHT | PERF_SAMPLE_CODE_PAGE_SIZE}})
      expect_full_sample({.sample_type = kAllBeforeStack | PERF_SAMPLE_BRANCH_STACK | behind,
                          .branch_sample_type = branches},
                         std::to_string(branches) + " behind " + std::to_string(behind));
}

// The index is there or not: the kernel leaves it out where it has no stack to write.
TEST(SampleLayout, ReadsEmptyStacks) {
  Event event{.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK,
              .branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX};
  ByteVector record = record_of(event, {.ip = 5});
  for (size_t cut : {0u, 8u}) {
    auto sample = SampleLayout(attr_of(event)).parse(Bytes(record).first(record.size() - cut));
    ASSERT_TRUE(sample) << cut;
    EXPECT_EQ(sample->branch_count, 0u);
    EXPECT_EQ(sample->ip.value, 5u);
  }
}

TEST(SampleLayout, RefusesRecordsCutAnywhere) {
  Event event{.sample_type = kAllBeforeStack | PERF_SAMPLE_BRANCH_STACK,
              .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID,
              .branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX};
  ByteVector record = record_of(event, full_sample());
  SampleLayout layout(attr_of(event));
  ASSERT_TRUE(layout.parse(record));
  for (size_t size = 8; size < record.size(); size++)
    EXPECT_FALSE(layout.parse(Bytes(record).first(size))) << size;
}

// Counts that would overflow any sum they enter.
TEST(SampleLayout, RefusesHugeCounts) {
  for (uint64_t huge : {~0ull, ~0ull / 8, ~0ull / 24, 1ull << 61, 1ull << 32, 4ull}) {
    for (Event event : {Event{.sample_type = PERF_SAMPLE_BRANCH_STACK},
                        Event{.sample_type = PERF_SAMPLE_BRANCH_STACK,
                              .branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX},
                        Event{.sample_type = PERF_SAMPLE_CALLCHAIN},
                        Event{.sample_type = PERF_SAMPLE_READ, .read_format = PERF_FORMAT_GROUP},
                        Event{.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN,
                              .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID},
                        Event{.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_RAW,
                              .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID}}) {
      ByteVector record = words({0, huge, 1, 2});
      EXPECT_FALSE(SampleLayout(attr_of(event)).parse(record)) << huge << ' ' << event.sample_type;
    }
  }
  ByteVector raw = words({0, 0xffffffff, 1, 2});
  EXPECT_FALSE(SampleLayout(attr_of({.sample_type = PERF_SAMPLE_RAW})).parse(raw));
}

// The trailer of other records is read from their ends.
TEST(SampleLayout, ReadsTrailersFromTheEnd) {
  constexpr uint64_t kTrailer = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
                                PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
  // pid and tid 12 and 11, time 13, id 14, stream 15, cpu 16, identifier 17
  const uint64_t values[] = {11ull << 32 | 12, 13, 14, 15, 16, 17};
  const uint64_t bits[] = {PERF_SAMPLE_TID,       PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
                           PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,  PERF_SAMPLE_IDENTIFIER};
  for (uint64_t subset = 0; subset < 64; subset++) {
    uint64_t type = PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK;
    ByteVector record = words({0, 0xdead});
    for (size_t i = 0; i < 6; i++) {
      if ((subset >> i & 1) == 0) continue;
      type |= bits[i];
      put64(record, values[i]);
    }
    SampleLayout layout(attr_of({.sample_type = type, .flags = kFlagSampleIdAll}));
    EXPECT_EQ(layout.trailer_size(), record.size() - 16);
    std::optional<SampleId> id = layout.parse_trailer(record);
    if ((type & kTrailer) == 0) {
      EXPECT_FALSE(id);
      continue;
    }
    ASSERT_TRUE(id);
    EXPECT_EQ(id->pid, (type & PERF_SAMPLE_TID) != 0 ? 12u : 0u);
    EXPECT_EQ(id->tid, (type & PERF_SAMPLE_TID) != 0 ? 11u : 0u);
    EXPECT_EQ(id->time, (type & PERF_SAMPLE_TIME) != 0 ? 13u : 0u);
    uint64_t wanted = (type & PERF_SAMPLE_IDENTIFIER) != 0 ? 17
                      : (type & PERF_SAMPLE_ID) != 0       ? 14
                                                           : 0;
    ASSERT_EQ(layout.trailer_id_offset().has_value(), wanted != 0);
    if (wanted != 0) {
      EXPECT_EQ(load_le<uint64_t>(record.data() + record.size() - *layout.trailer_id_offset()),
                wanted);
    }
    EXPECT_FALSE(layout.parse_trailer(Bytes(record).first(7 + layout.trailer_size())));
  }
}

TEST(SampleLayout, HasNoTrailerWithoutSampleIdAll) {
  SampleLayout layout(attr_of({.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_IDENTIFIER}));
  EXPECT_EQ(layout.trailer_size(), 0u);
  EXPECT_FALSE(layout.trailer_id_offset());
  EXPECT_FALSE(layout.parse_trailer(words({1, 2, 3, 4})));
}

TEST(SampleLayout, FindsTheIdOfASample) {
  constexpr uint64_t kSome = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR;
  for (uint64_t id_bit : {uint64_t{PERF_SAMPLE_ID}, uint64_t{PERF_SAMPLE_IDENTIFIER},
                          uint64_t{PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER}}) {
    Event event{.sample_type = kSome | id_bit};
    SampleLayout layout(attr_of(event));
    ByteVector record = record_of(event, {}, 99);
    ASSERT_TRUE(layout.id_offset());
    EXPECT_EQ(load_le<uint64_t>(record.data() + *layout.id_offset()), 99u);
  }
  EXPECT_FALSE(SampleLayout(attr_of({.sample_type = kSome})).id_offset());
}

}  // namespace
}  // namespace pgo::test::sample_layout_test

// The header of perf.data, its attributes of events, and where its data and features end.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/data/scanned_recording.h"

namespace pgo::test::recording_header_test {
namespace {

using perf_data::Recording;

TEST(RecordingHeader, ReadsAttributesOfEverySize) {
  for (uint32_t size : {64u, 72u, 80u, 96u, 104u, 112u, 120u, 128u, 136u}) {
    Event event = branch_event();
    event.size = size;
    PerfDataBuilder perf;
    perf.event(event);
    for (const ByteVector& bytes : {perf.file(), perf.pipe()}) {
      Recording recording = scan(bytes);
      ASSERT_EQ(recording.events.size(), 1u);
      EXPECT_EQ(recording.events[0].sample_type, event.sample_type);
      EXPECT_EQ(recording.events[0].ids, event.ids);
      EXPECT_EQ(recording.events[0].branch_sample_type, size >= 80 ? event.branch_sample_type : 0);
    }
  }
}

TEST(RecordingHeader, RefusesMoreEventsThanPerfHas) {
  PerfDataBuilder perf;
  for (size_t i = 0; i < perf_data::kMaxEvents; i++) perf.event(branch_event());
  EXPECT_EQ(error_of(perf.file()), "none");
  EXPECT_EQ(error_of(perf.pipe()), "none");
  perf.event(branch_event());
  const char* error = "perf.data: describes more than 16384 events: is it damaged?";
  EXPECT_EQ(error_of(perf.file()), error);
  EXPECT_EQ(error_of(perf.pipe()), error);
}

TEST(RecordingHeader, RefusesWhatItDoesNotRead) {
  ByteVector bytes = two_event_recording().file();
  auto with = [&](size_t offset, std::string_view replacement) {
    ByteVector changed = bytes;
    std::copy(replacement.begin(), replacement.end(),
              changed.begin() + static_cast<ptrdiff_t>(offset));
    return error_of(changed);
  };
  EXPECT_EQ(error_of({}), "perf.data: not a perf.data file");
  EXPECT_EQ(with(0,
                 "\x7f"
                 "ELF"),
            "perf.data: not a perf.data file");
  EXPECT_EQ(with(0, "2ELIFREP"),
            "perf.data: was recorded on a big-endian machine; only little-endian recordings are "
            "supported");
  EXPECT_EQ(with(0, "PERFFILE"),
            "perf.data: is of perf.data version 1 (before Linux 2.6.38), which is not supported");
  EXPECT_EQ(with(8, "\x48"),
            "perf.data: the header claims 72 bytes; 104 (a file) or 16 (a pipe) "
            "expected");
  EXPECT_EQ(with(72 + 3, "\x01"),  // bit 24
            "perf.data: is part of a recording in directory format (perf record --threads), which "
            "is not supported; record without --threads");
  EXPECT_EQ(with(16, std::string_view("\x40\0", 2)),
            "perf.data: the size of an event attribute is 64, expected 80 to 4096");
  EXPECT_EQ(with(16, std::string_view("\x01\x10", 2)),
            "perf.data: the size of an event attribute is 4097, expected 80 to 4096");
  EXPECT_EQ(with(31, "\xff"), "perf.data: the event attributes lie outside the file");
  EXPECT_EQ(with(39, "\xff"), "perf.data: the event attributes lie outside the file");
  EXPECT_EQ(with(32, std::string_view("\0\0", 2)),
            "perf.data: describes no event: was it cut short while perf wrote its header?");
  EXPECT_EQ(with(43, "\xff"), "perf.data: the data starts at byte " +
                                  std::to_string(0xff000000u + load_le<uint32_t>(&bytes[40])) +
                                  ", past the end of the file");
  size_t attrs = load_le<uint32_t>(&bytes[24]);
  EXPECT_EQ(with(attrs + 4, "\x3f"), "perf.data: an event attribute has an impossible size");
  EXPECT_EQ(with(attrs + 4, "\xff"), "perf.data: an event attribute has an impossible size");
  EXPECT_EQ(with(attrs + 128 + 3, "\x01"), "perf.data: the ids of an event lie outside the file");
  EXPECT_EQ(error_of(PerfDataBuilder().pipe()),
            "perf.data: describes no event: was it cut short while perf wrote its header?");
}

// Attributes that all claim the whole file as their ids would take its size squared in memory.
TEST(RecordingHeader, RefusesSharedIds) {
  PerfDataBuilder perf;
  Event event = branch_event();
  for (int i = 0; i < 30; i++) perf.event(event);
  ByteVector bytes = perf.file();
  size_t attrs = load_le<uint32_t>(&bytes[24]);
  for (size_t i = 0; i < 30; i++) {
    bytes[attrs + i * 144 + 128 + 0] = 0;
    bytes[attrs + i * 144 + 128 + 8] = 0x00;
    bytes[attrs + i * 144 + 128 + 9] = 0x08;
  }
  EXPECT_EQ(error_of(bytes), "perf.data: its events share their ids: the header is damaged");
}

TEST(RecordingHeader, SaysThatTheHeaderIsCutShort) {
  ByteVector bytes = two_event_recording().file();
  bytes.resize(103);
  EXPECT_EQ(error_of(bytes), "perf.data: the header is cut short: 104 bytes expected, found 103");
  bytes.resize(10);
  EXPECT_EQ(error_of(bytes), "perf.data: the header is cut short: 16 bytes expected, found 10");
}

// perf writes the size of the data at the end; a crash leaves zero there.
TEST(RecordingHeader, ReadsUnfinishedRecordings) {
  ByteVector bytes = two_event_recording().file(DataSize::kZero);
  size_t data = load_le<uint32_t>(&bytes[40]);
  PerfDataBuilder same = two_event_recording();
  ByteVector whole = same.file();
  size_t size = load_le<uint32_t>(&whole[48]);
  bytes.resize(data + size);
  EXPECT_FALSE(scan(whole).is_truncated);
  Recording recording = scan(bytes);
  EXPECT_EQ(recording.sample_records, 2u);
  EXPECT_TRUE(recording.is_truncated);
  EXPECT_EQ(diagnostics_of(bytes),
            "truncated-recording 1: perf.data: perf did not finish this recording; its records are "
            "used, but build IDs and names are missing\n");
  bytes.resize(data);
  EXPECT_EQ(diagnostics_of(bytes),
            "truncated-recording 1: perf.data: perf did not finish this recording; its records are "
            "used, but build IDs and names are missing\n");
}

TEST(RecordingHeader, SaysThatFeaturesAreMissing) {
  ByteVector bytes = two_event_recording().file();
  bytes.resize(bytes.size() - 1);
  EXPECT_EQ(diagnostics_of(bytes),
            "truncated-recording 1: perf.data: ends before its features; some build IDs and names "
            "are missing\n");
}

}  // namespace
}  // namespace pgo::test::recording_header_test

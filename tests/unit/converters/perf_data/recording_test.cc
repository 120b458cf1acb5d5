#include "converters/perf_data/recording.h"

#include <gtest/gtest.h>

#include "tests/data/scanned_recording.h"

namespace pgo::test::recording_test {
namespace {

using perf_data::EventAttr;
using perf_data::for_each_record;
using perf_data::Recording;
using perf_data::scan_recording;

TEST(Recording, ReadsEventsOfAFile) {
  ByteVector bytes = two_event_recording().file();
  Recording recording = scan(bytes);
  ASSERT_EQ(recording.events.size(), 2u);
  const EventAttr& cycles = recording.events[0];
  EXPECT_EQ(cycles.name, "cycles:u");
  EXPECT_EQ(cycles.period_or_frequency, 1000u);
  EXPECT_FALSE(cycles.is_frequency());
  EXPECT_TRUE(cycles.has_branch_stacks());
  EXPECT_EQ(cycles.ids, (std::vector<uint64_t>{71, 72}));
  EXPECT_EQ(recording.events[1].name, "cache-misses:u");
  EXPECT_FALSE(recording.events[1].has_branch_stacks());
  EXPECT_EQ(recording.sample_records, 2u);
  EXPECT_EQ(recording.process_events.size(), 2u);
  EXPECT_EQ(recording.build_ids.at("/bin/tiny").hex(), "0102030405060708090a0b0c0d0e0f1011121314");
  EXPECT_TRUE(recording.ordered_by_time);
  EXPECT_FALSE(recording.compressed);
  EXPECT_TRUE(recording.diagnostics.entries().empty());
}

TEST(Recording, ReadsThePipeAsTheFile) {
  ByteVector file_bytes = two_event_recording().file(), pipe_bytes = two_event_recording().pipe();
  Recording file = scan(file_bytes), pipe = scan(pipe_bytes);
  ASSERT_EQ(pipe.events.size(), 2u);
  for (size_t i = 0; i < 2; i++) {
    EXPECT_EQ(pipe.events[i].name, file.events[i].name);
    EXPECT_EQ(pipe.events[i].ids, file.events[i].ids);
    EXPECT_EQ(pipe.events[i].sample_type, file.events[i].sample_type);
  }
  EXPECT_EQ(pipe.build_ids, file.build_ids);
  EXPECT_EQ(pipe.sample_records, 2u);
  EXPECT_EQ(pipe.process_events.size(), 2u);
}

TEST(Recording, MakesUpNames) {
  for (auto [type, config, name] :
       {std::tuple<uint32_t, uint64_t, std::string>{0, 0, "cycles"},
        {0, 9, "ref-cycles"},
        {0, uint64_t{10} << 32, "cycles"},  // of one kind of core
        {0, 10, "event-type-0-config-0xa"},
        {1, 1, "stepped-branches:u"},  // no clock of the kernel has them
        {1, 2, "page-faults"},
        {4, 0x20c4, "r20c4"},
        {8, 1, "event-type-8-config-0x1"}}) {
    Event event = branch_event();
    event.type = type;
    event.config = config;
    EXPECT_EQ(scan(PerfDataBuilder().event(event).file()).events[0].name, name);
  }
  Event clock = branch_event();
  clock.type = 1;
  clock.config = 0;
  clock.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  EXPECT_EQ(scan(PerfDataBuilder().event(clock).file()).events[0].name, "cpu-clock");
}

TEST(Recording, TakesNamesFromEventUpdates) {
  Event event = branch_event();
  event.name = "my-event";
  PerfDataBuilder perf;
  perf.event(event).event_update(0);
  EXPECT_EQ(scan(perf.pipe()).events[0].name, "my-event");
}

// perf inject may write features before it has seen an attribute.
TEST(Recording, TakesNamesThatComeBeforeTheirEvents) {
  Event event = branch_event();
  event.name = "my-event";
  Event other = branch_event();
  other.name = "other";
  other.ids = {78};
  PerfDataBuilder perf;
  perf.event(event).event(other).event_desc();
  ByteVector bytes = perf.pipe();
  size_t features = 16;
  for (int attr = 0; attr < 2; attr++)
    features += perf_data::load_header(bytes.data() + features).size;
  std::rotate(bytes.begin() + 16, bytes.begin() + static_cast<std::ptrdiff_t>(features),
              bytes.end());
  Recording recording = scan(bytes);
  EXPECT_EQ(recording.events[0].name, "my-event");
  EXPECT_EQ(recording.events[1].name, "other");
}

TEST(Recording, TellsEventsOfSamplesApart) {
  ByteVector bytes = two_event_recording().file();
  Recording recording = scan(bytes);
  std::vector<size_t> events;
  for (Bytes block : recording.blocks)
    for_each_record(block, [&](perf_data::RecordHeader header, Bytes record, size_t) {
      if (header.type == perf_data::kSample)
        events.push_back(recording.event_of_sample(record).value());
    });
  EXPECT_EQ(events, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(recording.event_samples, (std::vector<uint64_t>{1, 1}));
}

TEST(Recording, KnowsNoEventForForeignIds) {
  Event first = branch_event(), second = branch_event();
  second.ids = {78};
  auto event_of = [&](uint64_t id) {
    PerfDataBuilder perf;
    perf.event(first).event(second).sample({.id = id});
    ByteVector bytes = perf.file();
    Recording recording = scan(bytes);
    return recording.event_of_sample(recording.data);
  };
  EXPECT_EQ(event_of(77), 0u);
  EXPECT_EQ(event_of(78), 1u);
  EXPECT_EQ(event_of(79), std::nullopt);
  EXPECT_EQ(event_of(0), 0u);  // perf's own records have no id
}

TEST(Recording, CountsLostSamples) {
  PerfDataBuilder perf;
  perf.event(branch_event())
      .lost({.lost = 5, .id = 77})
      .lost({.lost = 2})
      .lost_samples({.lost = 4});
  EXPECT_EQ(scan(perf.file()).lost, 11u);
  perf.lost({.lost = 140011258982979});
  Recording damaged = scan(perf.file());
  EXPECT_EQ(damaged.lost, 11u);
  EXPECT_EQ(damaged.diagnostics.entries().at("malformed-record").messages[0],
            damaged.path + ": a record of 140011258982979 lost samples is damaged and is ignored");
}

TEST(Recording, NotesAuxData) {
  PerfDataBuilder perf;
  perf.event(branch_event()).auxtrace("trace");
  EXPECT_TRUE(scan(perf.file()).has_aux_data);
}

TEST(Recording, ReadsBuildIdsOfAnySize) {
  const std::string id = "0102030405060708090a0b0c0d0e0f1011121314";
  for (size_t size : {8u, 16u, 20u}) {
    for (uint16_t misc : {kMiscBuildIdSize, uint16_t{0}}) {
      PerfDataBuilder perf;
      perf.event(branch_event()).finished_round();
      perf.build_id({.id = id.substr(0, 2 * size), .path = "/bin/a b", .misc = misc});
      perf.build_id({.id = "ff", .path = "/bin/short"});
      EXPECT_EQ(scan(perf.file()).build_ids.at("/bin/a b").hex(), id.substr(0, 2 * size));
      EXPECT_EQ(scan(perf.pipe()).build_ids.at("/bin/a b").hex(), id.substr(0, 2 * size));
    }
  }
}

// Only what pads an id of a usual size is no part of it.
TEST(Recording, KeepsZerosAtTheEndOfABuildId) {
  for (std::string id :
       {"0102030405060708090a0b0c0d0e0f1011121300", "0102030405060708090a0b0c0d0e0f1000000000",
        "0102030405060708090a0b0c0d0e0f00", "0102030405060000"}) {
    PerfDataBuilder perf;
    perf.event(branch_event()).finished_round();
    perf.build_id({.id = id, .path = "/bin/a", .misc = 0});
    bool is_padding = id.ends_with("00000000") && id.size() == 40;
    EXPECT_EQ(scan(perf.file()).build_ids.at("/bin/a").hex(), is_padding ? id.substr(0, 32) : id);
  }
}

// Neither is right for all mappings of the path; a mapping's own build ID is.
TEST(Recording, TakesNoBuildIdFromTheFeatureWhereAPathHasSeveral) {
  PerfDataBuilder perf = two_event_recording();
  perf.build_id({.id = "2222222222222222222222222222222222222222", .path = "/srv/a"});
  perf.build_id({.id = "2222222222222222222222222222222222222222", .path = "/srv/a"});
  EXPECT_EQ(diagnostics_of(perf.file()), "");
  perf.build_id({.id = "3333333333333333333333333333333333333333", .path = "/srv/a"});
  perf.build_id({.id = "2222222222222222222222222222222222222222", .path = "/srv/a"});
  perf.mmap2({.pid = 10,
              .time = 5,
              .addr = 0x900000,
              .len = 0x1000,
              .path = "/srv/a",
              .build_id = "3333333333333333333333333333333333333333"});
  EXPECT_EQ(diagnostics_of(perf.file()), "") << "no mapping needs the table";
  for (uint64_t time : {6u, 7u})
    perf.mmap2({.pid = 10, .time = time, .addr = 0xa00000, .len = 0x1000, .path = "/srv/a"});
  for (const ByteVector& bytes : {perf.file(), perf.pipe()}) {
    Recording recording = scan(bytes);
    perf_data::ProcessEvent map;
    map.name = "/srv/a";
    EXPECT_EQ(recording.build_id_of(map).hex(), "");
    std::vector<uint8_t> own(20, 0x33);
    map.build_id = BuildId(own);
    EXPECT_EQ(recording.build_id_of(map).hex(), "3333333333333333333333333333333333333333");
    map = {};
    map.name = "/bin/tiny";
    EXPECT_EQ(recording.build_id_of(map).hex(), "0102030405060708090a0b0c0d0e0f1011121314");
    EXPECT_EQ(diagnostics_of(bytes),
              "build-ids-of-one-path 1: perf.data: has build IDs of several files for /srv/a, so "
              "they are ignored for its mappings; perf record --buildid-mmap tells them apart\n");
  }
}

// A few kilobytes of zstd hold a million equal records.
TEST(Recording, RefusesToInflateWithoutBounds) {
  auto maps = [](int count) {
    const std::string path(3000, 'x');
    PerfDataBuilder perf;
    perf.event(branch_event()).start_compressed();
    for (int i = 0; i < count; i++) perf.mmap2({.pid = 1, .time = 1, .path = path});
    return perf.end_compressed().file();
  };
  EXPECT_EQ(error_of(maps(2'000)), "none");
  std::string error = error_of(maps(8'000));
  size_t from = error.find("its ") + 4, to = error.find(" bytes");
  ASSERT_NE(to, std::string::npos) << error;
  EXPECT_LT(std::stoul(error.substr(from, to - from)), 50'000u);
  EXPECT_EQ(error.substr(0, from) + error.substr(to),
            "perf.data: its  bytes of records inflate to more process events and build IDs than "
            "any recording has; is it damaged?");
}

// All events could share one.
TEST(Recording, CutsLongNamesOfEvents) {
  Event event = branch_event();
  event.ids = {1};
  event.name = std::string(5000, 'n');
  PerfDataBuilder perf;
  perf.event(event).event_update(0).event_desc();
  EXPECT_EQ(scan(perf.file()).events[0].name, std::string(1024, 'n'));
  EXPECT_EQ(scan(perf.pipe()).events[0].name, std::string(1024, 'n'));
}

TEST(Recording, CountsMalformedRecords) {
  PerfDataBuilder perf;
  perf.event(branch_event()).record(PERF_RECORD_MMAP2, 0, words({1, 2, 3, 4, 5}));
  EXPECT_EQ(diagnostics_of(perf.file()),
            "malformed-record 1: perf.data: a record of type 10 is too short for its fields\n");
  ByteVector pipe = PerfDataBuilder().record(PERF_RECORD_COMM, 0, words({1, 2})).pipe();
  ByteVector rest = PerfDataBuilder().event(branch_event()).pipe();
  pipe.insert(pipe.end(), rest.begin() + 16, rest.end());
  EXPECT_EQ(diagnostics_of(pipe),
            "malformed-record 1: perf.data: a record of type 3 comes before any event\n");
  pipe = PerfDataBuilder().event(branch_event()).record(kRecordHeaderAttr, 0, words({1})).pipe();
  EXPECT_EQ(diagnostics_of(pipe), "bad-attribute 1: perf.data: an event attribute is malformed\n");
}

// If not all records carry a time, those that do cannot be put among the others by it.
TEST(Recording, KeepsTheOrderOfTheFileWhereTimesAreMissing) {
  Event timed = branch_event(), timeless = branch_event();
  timeless.sample_type &= ~uint64_t{PERF_SAMPLE_TIME};
  timeless.ids = {78};
  PerfDataBuilder perf;
  perf.event(timed).event(timeless);
  perf.comm({.pid = 1, .time = 9, .name = "a"}).comm({.pid = 1, .name = "b", .event = 1});
  perf.comm({.pid = 1, .time = 5, .name = "c"});
  ByteVector bytes = perf.file();
  Recording recording = scan(bytes);
  EXPECT_FALSE(recording.ordered_by_time);
  std::string order;
  for (const auto& event : recording.process_events) order += event.name;
  EXPECT_EQ(order, "abc");
}

// The index of the event does not matter to how it is found; many events must not take forever.
TEST(Recording, ReadsManyEventsOfAPipe) {
  PerfDataBuilder perf;
  for (uint32_t i = 0; i < 5000; i++) {
    Event event = branch_event();
    event.size = 64;
    event.ids = {1000 + i};
    perf.event(event);
  }
  for (uint32_t i = 0; i < 5000; i++) perf.event_update(i);
  ByteVector bytes = perf.pipe();
  Recording recording = scan(bytes);
  EXPECT_EQ(recording.events.size(), 5000u);
  EXPECT_EQ(recording.events[4999].name, "cycles:u");
}

// Whatever is cut off a recording, it is noticed, or nothing that counts is missing.
TEST(Recording, NoticesEveryCut) {
  PerfDataBuilder perf = two_event_recording(), compressed = two_event_recording();
  compressed.start_compressed().comm({.pid = 10, .time = 5, .name = "x"}).end_compressed();
  for (const ByteVector& bytes : {perf.file(), compressed.file()}) {
    ASSERT_EQ(diagnostics_of(bytes), "");
    for (size_t size = 0; size < bytes.size(); size++) {
      ByteVector cut(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size));
      Result<Recording> recording = scan_recording(cut, "perf.data", {});
      EXPECT_TRUE(!recording || !recording->diagnostics.entries().empty()) << size;
    }
  }
  // A pipe may end after any record.
  ByteVector bytes = perf.pipe();
  size_t seam = 16, silent = 0;
  for (size_t size = 0; size < bytes.size(); size++) {
    if (size == seam) seam += load_le<uint16_t>(&bytes[size + 6]);
    ByteVector cut(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size));
    Result<Recording> recording = scan_recording(cut, "perf.data", {});
    bool noticed = !recording || !recording->diagnostics.entries().empty();
    if (!noticed) silent++;
    EXPECT_TRUE(noticed || seam - load_le<uint16_t>(&bytes[size + 6]) == size) << size;
  }
  EXPECT_EQ(silent, 7u);  // behind each record but the last
}

}  // namespace
}  // namespace pgo::test::recording_test

#include "converters/perf_data/recording.h"

#include <gtest/gtest.h>

#include "tests/data/tiny_program.h"

namespace pgo::test {
namespace {

using perf_data::EventAttr;
using perf_data::for_each_record;
using perf_data::Recording;
using perf_data::scan_recording;

// One of most things: two events, maps, a process, samples, build IDs, names.
PerfDataBuilder small_recording() {
  TinyProgram tiny;
  Event cycles = branch_event(), misses = branch_event();
  cycles.ids = {71, 72};
  misses.ids = {73};
  misses.config = PERF_COUNT_HW_CACHE_MISSES;
  misses.name = "cache-misses:u";
  misses.branch_sample_type = 0;
  misses.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  PerfDataBuilder perf;
  perf.event(cycles).event(misses);
  perf.mmap2(tiny.map(10, 0x400000, 1)).comm({.pid = 10, .time = 2, .name = "tiny"});
  perf.sample({.pid = 10, .time = 3, .branches = {{at(0x400000, 0x1230), at(0x400000, 0x1200)}}});
  perf.sample({.pid = 10, .time = 4, .ip = at(0x400000, 0x1204), .event = 1});
  perf.build_id({.id = "0102030405060708090a0b0c0d0e0f1011121314", .path = "/bin/tiny"});
  perf.event_desc();
  return perf;
}

std::string error_of(const ByteVector& bytes) {
  Result<Recording> recording = scan_recording(bytes, "perf.data", {});
  return recording ? "none" : recording.error().message;
}

Recording scan(const ByteVector& bytes) {
  Result<Recording> recording = scan_recording(bytes, "perf.data", {});
  EXPECT_TRUE(recording) << recording.error().message;
  return recording ? std::move(*recording) : Recording();
}

std::string diagnostics_of(const ByteVector& bytes) {
  Recording recording = scan(bytes);
  std::string text;
  for (const auto& [kind, entry] : recording.diagnostics.entries())
    text += kind + ' ' + std::to_string(entry.count) + ": " + entry.messages[0] + '\n';
  return text;
}

TEST(Recording, ReadsEventsOfAFile) {
  ByteVector bytes = small_recording().file();
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
  ByteVector file_bytes = small_recording().file(), pipe_bytes = small_recording().pipe();
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

TEST(Recording, ReadsAttributesOfEverySize) {
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

TEST(Recording, MakesUpNames) {
  for (auto [type, config, name] : {std::tuple<uint32_t, uint64_t, std::string>{0, 0, "cycles"},
                                    {0, 9, "ref-cycles"},
                                    {0, uint64_t{10} << 32, "cycles"},  // of one kind of core
                                    {0, 10, "event-type-0-config-0xa"},
                                    {1, 0, "cpu-clock"},
                                    {4, 0x20c4, "r20c4"},
                                    {8, 1, "event-type-8-config-0x1"}}) {
    Event event = branch_event();
    event.type = type;
    event.config = config;
    EXPECT_EQ(scan(PerfDataBuilder().event(event).file()).events[0].name, name);
  }
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
  ByteVector bytes = small_recording().file();
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
  PerfDataBuilder perf = small_recording();
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

TEST(Recording, RefusesMoreEventsThanPerfHas) {
  PerfDataBuilder perf;
  for (size_t i = 0; i < perf_data::kMaxEvents; i++) perf.event(branch_event());
  EXPECT_EQ(error_of(perf.file()), "none");
  EXPECT_EQ(error_of(perf.pipe()), "none");
  perf.event(branch_event());
  const char* error = "perf.data: describes more than 16384 events: is it damaged?";
  EXPECT_EQ(error_of(perf.file()), error);
  EXPECT_EQ(error_of(perf.pipe()), error);
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

TEST(Recording, RefusesWhatItDoesNotRead) {
  ByteVector bytes = small_recording().file();
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
TEST(Recording, RefusesSharedIds) {
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

TEST(Recording, SaysThatTheHeaderIsCutShort) {
  ByteVector bytes = small_recording().file();
  bytes.resize(103);
  EXPECT_EQ(error_of(bytes), "perf.data: the header is cut short: 104 bytes expected, found 103");
  bytes.resize(10);
  EXPECT_EQ(error_of(bytes), "perf.data: the header is cut short: 16 bytes expected, found 10");
}

// perf writes the size of the data at the end; a crash leaves zero there.
TEST(Recording, ReadsUnfinishedRecordings) {
  ByteVector bytes = small_recording().file(DataSize::kZero);
  size_t data = load_le<uint32_t>(&bytes[40]);
  PerfDataBuilder same = small_recording();
  ByteVector whole = same.file();
  size_t size = load_le<uint32_t>(&whole[48]);
  bytes.resize(data + size);
  Recording recording = scan(bytes);
  EXPECT_EQ(recording.sample_records, 2u);
  EXPECT_EQ(diagnostics_of(bytes),
            "truncated-recording 1: perf.data: perf did not finish this recording; its records are "
            "used, but build IDs and names are missing\n");
  bytes.resize(data);
  EXPECT_EQ(diagnostics_of(bytes),
            "truncated-recording 1: perf.data: perf did not finish this recording; its records are "
            "used, but build IDs and names are missing\n");
}

TEST(Recording, SaysThatFeaturesAreMissing) {
  ByteVector bytes = small_recording().file();
  bytes.resize(bytes.size() - 1);
  EXPECT_EQ(diagnostics_of(bytes),
            "truncated-recording 1: perf.data: ends before its features; some build IDs and names "
            "are missing\n");
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
  PerfDataBuilder perf = small_recording(), compressed = small_recording();
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

// A string as features have it: its length with padding, then NULs behind it.
ByteVector feature_text(const std::string& text, uint32_t length) {
  ByteVector feature;
  put32(feature, length);
  put_bytes(feature, text);
  feature.resize(4 + std::max<size_t>(length, text.size()));
  return feature;
}

TEST(Recording, ReadsWhereItWasRecorded) {
  PerfDataBuilder perf;
  perf.event(branch_event()).finished_round();
  perf.feature(perf_data::kFeatureHostname, feature_text("web-17", 64));
  perf.feature(perf_data::kFeatureCpuDescription, feature_text("AMD EPYC 9B45", 64));
  ByteVector clock;
  for (uint32_t value : {1u, 1u}) put32(clock, value);
  for (uint64_t value : {1795419288283753000u, 1332618450061u}) put64(clock, value);
  perf.feature(perf_data::kFeatureClockData, clock);
  for (const ByteVector& bytes : {perf.file(), perf.pipe()}) {
    Recording recording = scan(bytes);
    EXPECT_EQ(recording.hostname, "web-17");
    EXPECT_EQ(recording.cpu_model, "AMD EPYC 9B45");
    ASSERT_TRUE(recording.clock);
    EXPECT_EQ(recording.clock->wall_time, 1795419288283753000u);
    EXPECT_EQ(recording.clock->record_time, 1332618450061u);
  }
}

TEST(Recording, BoundsDescriptions) {
  auto scan_with = [](const ByteVector& hostname, const ByteVector& clock) {
    PerfDataBuilder perf;
    perf.event(branch_event()).finished_round();
    perf.feature(perf_data::kFeatureHostname, hostname);
    perf.feature(perf_data::kFeatureClockData, clock);
    ByteVector bytes = perf.file();
    Recording recording = scan(bytes);
    return std::pair(recording.hostname, recording.clock.has_value());
  };
  const ByteVector unknown_version = words({2, 3, 4});
  EXPECT_EQ(scan_with(feature_text(std::string(1000, 'a'), 1000), words({1, 2})),
            std::pair(std::string(Recording::kMaxDescription, 'a'), false));
  EXPECT_EQ(scan_with(feature_text("short", 64), unknown_version),
            std::pair(std::string("short"), false));
  ByteVector cut = feature_text("short", 64);
  cut.resize(20);
  EXPECT_EQ(scan_with(cut, {}), std::pair(std::string(), false));
}

TEST(Recording, KnowsTheKernelByItsBuildId) {
  const std::string kernel = "1111111111111111111111111111111111111111",
                    module = "2222222222222222222222222222222222222222";
  for (const char* path : {"[kernel.kallsyms]", "/usr/lib/debug/boot/vmlinux-6.1.0"}) {
    PerfDataBuilder perf;
    perf.event(branch_event()).finished_round();
    perf.build_id({.id = "3333333333333333", .path = "/bin/server"});
    constexpr uint16_t kInKernel = kMiscBuildIdSize | PERF_RECORD_MISC_KERNEL;
    for (const char* other : {"[ext4]", "/lib/modules/6.1.0/kernel/fs/ext4.ko.xz"})
      perf.build_id({.id = module, .path = other, .misc = kInKernel});
    perf.build_id({.id = kernel, .path = path, .misc = kInKernel});
    ByteVector bytes = perf.file();
    EXPECT_EQ(scan(bytes).kernel_build_id.hex(), kernel) << path;
  }
}

}  // namespace
}  // namespace pgo::test

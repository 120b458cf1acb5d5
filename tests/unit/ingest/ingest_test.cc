// ingest() on a small ELF file and recordings of it, all written here.
#include "pgo/ingest/ingest.h"

#include <elf.h>
#include <gtest/gtest.h>

#include "pgo/ingest/low_yield.h"
#include "tests/data/elf_builder.h"
#include "tests/data/perf_data_builder.h"
#include "tests/data/temporary_files.h"

namespace pgo::test::ingest_test {
namespace {

constexpr const char* kBuildId = "3132333435363738";

class IngestTest : public TemporaryFiles {
 protected:
  // hot() at 0x1200 loops from 0x121e; the loader maps it at 0x401200.
  void SetUp() override {
    std::string text(0x80, '\x90');
    text.replace(0x1e, 2, "\xeb\xe0");
    text[0x7f] = '\xc3';
    ElfBuilder elf;
    elf.header.e_machine = EM_X86_64;
    elf.add_code(0x1200, text);
    elf.add_build_id("12345678");
    elf.add_symbol("hot", STT_FUNC, 1, 0x1200, 0x80);
    write("server", elf.finish());
  }

  static Event branches() {
    return {.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                           PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK,
            .flags = kFlagSampleIdAll,
            .branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY,
            .ids = {1},
            .name = "cycles:u"};
  }
  static Event plain(uint64_t config, uint64_t id, const std::string& name) {
    Event event = branches();
    event.config = config;
    event.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
    event.branch_sample_type = 0;
    event.ids = {id};
    event.name = name;
    return event;
  }

  // Three samples of each event in the loop of the program.
  void record(const std::string& name, const std::vector<Event>& events,
              const std::string& build_id = kBuildId) const {
    PerfDataBuilder perf;
    for (const Event& event : events) perf.event(event);
    perf.event_desc().mmap2(
        {.pid = 10, .addr = 0x401000, .len = 0x1000, .path = path("server"), .build_id = build_id});
    for (uint64_t time = 1; time <= 3; time++)
      for (size_t event = 0; event < events.size(); event++)
        perf.sample({.pid = 10,
                     .time = time,
                     .ip = 0x401204,
                     .branches = {{0x40121e, 0x401200}, {0x40121e, 0x401200}},
                     .event = event});
    write(name, perf.file());
  }
  void record_plain_events(const std::string& name) const {
    record(name, {plain(PERF_COUNT_HW_CPU_CYCLES, 1, "cycles:u"),
                  plain(PERF_COUNT_HW_CACHE_MISSES, 2, "cache-misses:u")});
  }

  Result<IngestResult> read(const std::vector<std::string>& names,
                            const std::vector<std::string>& events = {}) const {
    std::vector<InputFile> files;
    for (const std::string& name : names) files.push_back({path(name), false});
    perf_data::ReadOptions options;
    options.events = events;
    options.jobs = 1;
    return ingest({files, options, {}}, binaries());
  }
  BinarySet binaries() const { return BinarySet::open({path("server")}, {}).value(); }

  std::string unused_of(const IngestResult& result) const {
    std::string text;
    for (const UnusedInput& input : result.unused)
      text += relative(input.path) + ": " + input.reason + "\n";
    return text;
  }
};

// No event of theirs has to be chosen, whatever the order.
TEST_F(IngestTest, LeavesOutPlainRecordingsWithSeveralEventsBesideBranchStacks) {
  record("b.perf", {branches()});
  for (const char* name : {"a.perf", "c.perf"}) record_plain_events(name);
  Result<IngestResult> result = read({"a.perf", "b.perf", "c.perf"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(unused_of(*result),
            "a.perf: none of its events has branch records\n"
            "c.perf: none of its events has branch records\n");
  EXPECT_EQ(result->profile.samples.seen, 15u);
  EXPECT_EQ(result->profile.samples.used, 3u);
  EXPECT_EQ(result->profile.samples[Dropped::kOtherEvent], 12u);
  EXPECT_EQ(result->profile.branches.used, 6u);
  EXPECT_EQ(result->profile.check(), std::nullopt);

  // An event that only the recording with branch stacks has.
  Event misses = branches();
  misses.config = PERF_COUNT_HW_BRANCH_MISSES;
  misses.name = "branch-misses:u";
  misses.ids = {2};
  record("b.perf", {branches(), misses});
  result = read({"a.perf", "b.perf"}, {"branch-misses"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(unused_of(*result), "a.perf: none of its events has branch records\n");
  EXPECT_EQ(result->profile.samples.used, 3u);
}

TEST_F(IngestTest, AsksForAnEventWhereNoInputHasBranchStacks) {
  for (const char* name : {"a.perf", "c.perf"}) record_plain_events(name);
  record("b.perf", {plain(PERF_COUNT_HW_CPU_CYCLES, 1, "cycles:u")});
  Result<IngestResult> result = read({"a.perf", "b.perf", "c.perf"});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(relative(result.error().message),
            "a.perf: none of its events has branch records (perf record -b); name those to count "
            "with \xFF{event}:\n  cycles:u\n  cache-misses:u");
  result = read({"a.perf", "b.perf", "c.perf"}, {"cycles"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->profile.samples.pending, 9u);
}

// The same with branch stacks of events that count different things: which of them is unclear, and
// they would be used.
TEST_F(IngestTest, AsksForAnEventOfARecordingWithBranchStacks) {
  Event misses = branches();
  misses.config = PERF_COUNT_HW_BRANCH_MISSES;
  misses.name = "branch-misses:u";
  misses.ids = {2};
  record("a.perf", {branches(), misses});
  record("b.perf", {branches()});
  Result<IngestResult> result = read({"a.perf", "b.perf"});
  ASSERT_FALSE(result);
  EXPECT_EQ(relative(result.error().message),
            "a.perf: has events that count different things; name one or more with \xFF{event}:\n"
            "  cycles:u  (branch records)\n"
            "  branch-misses:u  (branch records)");
}

TEST_F(IngestTest, AddsUpPcSamplesOfAHybridProcessorWithoutAWarning) {
  record("a.perf", {plain(uint64_t{4} << 32, 1, "cpu_core/cycles/u"),
                    plain(uint64_t{10} << 32, 2, "cpu_atom/cycles/u")});
  Result<IngestResult> result = read({"a.perf"});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->profile.samples.pending, 6u);
  EXPECT_TRUE(keep_pc_samples(result->profile));
  EXPECT_TRUE(result->profile.diagnostics.entries().empty());
  EXPECT_TRUE(counts_cpu_time(result->profile));
}

// Recordings by single steps use those of a clock, too; those of a processor do not.
TEST_F(IngestTest, UsesPcSamplesBesideSingleSteps) {
  Event steps = branches();
  steps.name = std::string(kSteppedEvent);
  Event clock = plain(PERF_COUNT_SW_CPU_CLOCK, 1, "cpu-clock");
  clock.type = PERF_TYPE_SOFTWARE;
  record("a.perf", {steps});
  record("b.perf", {clock});
  record("c.perf", {branches()});
  Result<IngestResult> together = read({"a.perf", "b.perf"});
  ASSERT_TRUE(together) << together.error().message;
  EXPECT_TRUE(together->unused.empty());
  EXPECT_EQ(together->profile.samples.used, 3u);
  EXPECT_EQ(together->profile.samples.pending, 3u);
  Result<IngestResult> apart = read({"a.perf", "b.perf", "c.perf"});
  ASSERT_TRUE(apart) << apart.error().message;
  ASSERT_EQ(apart->unused.size(), 1u);
  EXPECT_EQ(relative(apart->unused[0].path), "b.perf");

  // Cycles without branch records, too, and page faults not.
  record("d.perf", {plain(PERF_COUNT_HW_CPU_CYCLES, 1, "cycles:u")});
  Event faults = plain(PERF_COUNT_SW_PAGE_FAULTS, 1, "page-faults:u");
  faults.type = PERF_TYPE_SOFTWARE;
  record("e.perf", {faults});
  const Result<IngestResult> with_cycles = read({"a.perf", "d.perf"});
  ASSERT_TRUE(with_cycles) << with_cycles.error().message;
  EXPECT_TRUE(with_cycles->unused.empty());
  EXPECT_EQ(with_cycles->evidence_of_branches(), Evidence::kSoftwareBranchRecords);
  Result<IngestResult> with_faults = read({"a.perf", "e.perf"});
  ASSERT_TRUE(with_faults) << with_faults.error().message;
  EXPECT_EQ(unused_of(*with_faults), "e.perf: 3 samples have no branch records\n");
  EXPECT_EQ(with_faults->evidence_of_branches(), Evidence::kSoftwareBranchRecords);
}

TEST_F(IngestTest, AccountsForPreaggregatedSamplesOutsideTheBinary) {
  const std::string text = "S 1204 9\nS 0 3\nS X:7f00 2\n";
  write("samples", {text.begin(), text.end()});
  Result<IngestResult> result = read({"samples"});
  ASSERT_TRUE(result) << result.error().message;
  const Accounting& samples = result->profile.samples;
  EXPECT_EQ(samples.seen, 14u);
  EXPECT_EQ(samples.pending, 9u);
  EXPECT_EQ(samples[Dropped::kOtherBinary], 5u);
  EXPECT_EQ(result->profile.check(), std::nullopt);
}

TEST_F(IngestTest, KnowsWhetherBuildIdsProveTheBuild) {
  const BuildId id = binaries().binaries()[0].image->build_id();
  record("a.perf", {branches()});
  record("b.perf", {branches()}, "");
  EXPECT_TRUE(read({"a.perf"})->proves_build(id));
  EXPECT_FALSE(read({"b.perf"})->proves_build(id));
  EXPECT_FALSE(read({"a.perf", "b.perf"})->proves_build(id));
}

// Samples where no instruction starts, in the build that ran: that is nobody's mistake.
TEST_F(IngestTest, AsksForNoOtherBuildWhereTheBuildIdMatches) {
  for (const char* build_id : {kBuildId, ""}) {
    PerfDataBuilder perf;
    perf.event(branches())
        .mmap2({.pid = 10,
                .addr = 0x401000,
                .len = 0x1000,
                .path = path("server"),
                .build_id = build_id});
    perf.sample({.pid = 10, .time = 1, .ip = 0x401204, .branches = {{0x401290, 0x401290}}});
    write("a.perf", perf.file());
    Result<IngestResult> result = read({"a.perf"});
    ASSERT_TRUE(result) << result.error().message;
    BinarySet set = binaries();
    std::optional<Error> error = diagnose_empty({result->profile, set, result->images});
    ASSERT_TRUE(error);
    const std::string start =
        "nothing in these recordings can be used: 100.0 % of the branch records are in the binary, "
        "but not at an instruction (PLT, data); ";
    EXPECT_EQ(
        error->message,
        start +
            (*build_id
                 ? "its build ID was recorded, so this is the file that ran, and "
                   "the addresses are in linkage tables or in code that changed "
                   "while it ran"
                 : "the addresses are not at its instructions: is it exactly the file that ran?"));
  }
}

// Of what ran instead, what was sampled most comes first.
TEST_F(IngestTest, ListsSampledImagesFirst) {
  PerfDataBuilder perf;
  perf.event(branches());
  auto map = [&](uint64_t begin, const std::string& name) {
    perf.mmap2({.pid = 10, .addr = begin, .len = 0x1000, .path = name});
  };
  for (uint64_t i = 0; i < 5; i++) map(0x1000000 + 0x1000 * i, "/lib/often-mapped");
  map(0x2000000, "/bin/other");
  map(0x3000000, "/bin/sampled");
  for (uint64_t time = 1; time <= 3; time++) {
    uint64_t at = time == 1 ? 0x2000100 : 0x3000100;
    perf.sample({.pid = 10, .time = time, .ip = at, .branches = {{at, at}}});
  }
  write("a.perf", perf.file());
  EXPECT_EQ(read({"a.perf"})->images.list(),
            "\n  /bin/sampled  no build ID"
            "\n  /bin/other  no build ID"
            "\n  /lib/often-mapped  no build ID");
}

}  // namespace
}  // namespace pgo::test::ingest_test

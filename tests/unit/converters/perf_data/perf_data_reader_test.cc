#include "converters/perf_data/perf_data_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "pgo/profile/address_merger.h"
#include "tests/data/tiny_program.h"

namespace pgo::test {
namespace {

using perf_data::Compatibility;
using perf_data::ReadOptions;

constexpr uint64_t kMap = 0x400000;
constexpr uint64_t c(uint64_t elf) { return at(kMap, elf); }

const TinyProgram& program() {
  static const TinyProgram tiny;
  return tiny;
}

// Options of which `set` changes some.
template <typename Set>
ReadOptions with(const Set& set) {
  ReadOptions options;
  set(options);
  return options;
}

const std::vector<Branch> kLoop = {{c(0x1230), c(0x1200)}, {c(0x1230), c(0x1200)}};

// One process of two threads, and its child; 3 samples and one in the kernel.
PerfDataBuilder small_recording() {
  PerfDataBuilder perf;
  perf.event(branch_event());
  perf.mmap2(program().map(10, kMap, 100));
  perf.comm({.pid = 10, .time = 110, .name = "main"});
  perf.fork({.pid = 10, .parent = 10, .tid = 12, .parent_tid = 10, .time = 120});
  perf.comm({.pid = 10, .tid = 12, .time = 130, .name = "worker"});
  perf.fork({.pid = 20, .parent = 10, .time = 140});
  perf.sample({.pid = 10, .time = 200, .branches = kLoop});
  perf.sample({.pid = 10, .tid = 12, .time = 300, .branches = {{c(0x1220), c(0x1228)}}});
  perf.sample({.pid = 20, .time = 400, .branches = {{c(0x1210), c(0x1218)}}});
  perf.sample({.pid = 10, .time = 500, .branches = {{~0ull - 99, ~0ull - 9}}});
  return perf;
}

std::string counts(const PerfDataBuilder& perf, const ReadOptions& options = {}) {
  return read_counts(perf.file(), {&program()}, options);
}

TEST(PerfDataReader, CountsASmallRecording) {
  std::string expected =
      "event cycles period 1000 samples 4\n"
      "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
      "  trace 1210 1218 - 1\n"
      "  trace 1220 1228 - 1\n"
      "  trace 1230 1200 1230 1\n"
      "  trace 1230 1200 - 1\n"
      "samples seen 4 used 3 kernel 1\n"
      "branches seen 5 used 4 kernel 1\n";
  PerfDataBuilder perf = small_recording();
  EXPECT_EQ(read_dump(perf.file(), {&program()}), expected);
  EXPECT_EQ(read_dump(perf.pipe(), {&program()}), expected);
}

TEST(PerfDataReader, ChoosesProcesses) {
  EXPECT_EQ(counts(small_recording(), with([](ReadOptions& o) { o.pids = {20}; })),
            "  trace 1210 1218 - 1\n"
            "samples seen 4 used 1 filtered 3\n"
            "branches seen 1 used 1\n");
}

TEST(PerfDataReader, ChoosesThreadsByName) {
  EXPECT_EQ(counts(small_recording(), with([](ReadOptions& o) { o.comm = "worker"; })),
            "  trace 1220 1228 - 1\n"
            "samples seen 4 used 1 filtered 3\n"
            "branches seen 1 used 1\n");
  // The child has its parent's name.
  EXPECT_EQ(counts(small_recording(), with([](ReadOptions& o) { o.comm = "main"; })),
            "  trace 1210 1218 - 1\n"
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 4 used 2 filtered 1 kernel 1\n"
            "branches seen 4 used 3 kernel 1\n");
}

TEST(PerfDataReader, ChoosesByTheNameAtTheTime) {
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(program().map(10, kMap, 1));
  perf.comm({.pid = 10, .time = 100, .name = "before"});
  perf.comm({.pid = 10, .time = 200, .name = "after"});
  perf.sample({.pid = 10, .time = 50, .branches = kLoop});
  perf.sample({.pid = 10, .time = 199, .branches = {{c(0x1220), c(0x1228)}}});
  perf.sample({.pid = 10, .time = 200, .branches = kLoop});
  EXPECT_EQ(counts(perf, with([](ReadOptions& o) { o.comm = "before"; })),
            "  trace 1220 1228 - 1\n"
            "samples seen 3 used 1 filtered 2\n"
            "branches seen 1 used 1\n");
}

TEST(PerfDataReader, ChoosesTimesInclusively) {
  EXPECT_EQ(counts(small_recording(),
                   with([](ReadOptions& o) { o.time = std::pair<uint64_t, uint64_t>(300, 400); })),
            "  trace 1210 1218 - 1\n"
            "  trace 1220 1228 - 1\n"
            "samples seen 4 used 2 filtered 2\n"
            "branches seen 2 used 2\n");
}

// The order of the file is another than that of time: the map comes last.
TEST(PerfDataReader, PutsRecordsInTheOrderOfTime) {
  PerfDataBuilder perf;
  perf.event(branch_event());
  perf.sample({.pid = 10, .time = 300, .branches = kLoop});
  perf.sample({.pid = 10, .time = 50, .branches = kLoop});
  perf.mmap2(program().map(10, kMap, 100));
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 2 used 1 unmapped 1\n"
            "branches seen 4 used 2 unmapped 2\n");
}

TEST(PerfDataReader, KeepsTheOrderOfTheFileWithoutTimes) {
  for (uint64_t flags : {uint64_t{0}, kFlagSampleIdAll}) {
    Event event = branch_event();
    event.flags = flags;
    if (flags != 0) event.sample_type &= ~uint64_t{PERF_SAMPLE_TIME};
    PerfDataBuilder perf;
    perf.event(event).sample({.pid = 10, .time = 300, .branches = kLoop});
    perf.mmap2(program().map(10, kMap, 900)).sample({.pid = 10, .time = 50, .branches = kLoop});
    EXPECT_EQ(counts(perf),
              "  trace 1230 1200 1230 1\n"
              "  trace 1230 1200 - 1\n"
              "samples seen 2 used 1 unmapped 1\n"
              "branches seen 4 used 2 unmapped 2\n");
  }
}

// Where one event carries no times, no record can be put in their order.
TEST(PerfDataReader, KeepsTheOrderOfTheFileWhereSomeTimesAreMissing) {
  Event timeless = branch_event();
  timeless.sample_type &= ~uint64_t{PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK};
  timeless.ids = {78};
  PerfDataBuilder perf;
  perf.event(branch_event()).event(timeless).mmap2(program().map(10, kMap, 900));
  perf.sample({.pid = 10, .time = 50, .branches = kLoop});
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 2 used 2\n");
}

// Plain samples count their period; those of an event that was not chosen, nothing.
TEST(PerfDataReader, KeepsPlainSamplesWeightedByPeriod) {
  Event plain = branch_event();
  plain.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  plain.ids = {78};
  plain.name = "instructions:u";
  PerfDataBuilder perf;
  perf.event(branch_event()).event(plain).event_desc().mmap2(program().map(10, kMap, 1));
  perf.sample({.pid = 10, .time = 2, .branches = kLoop});
  perf.sample({.pid = 10, .time = 3, .ip = c(0x1204), .event = 1, .period = 500});
  perf.sample({.pid = 10, .time = 4, .ip = c(0x1204), .event = 1, .period = 700});
  perf.sample({.pid = 10, .time = 5, .ip = 0x10, .event = 1, .period = 700});
  perf.sample({.pid = 10, .time = 6, .ip = kMap, .event = 1});
  EXPECT_EQ(read_dump(perf.file(), {&program()},
                      with([](ReadOptions& o) { o.events = {"instructions"}; })),
            "event instructions:u period 1000 samples 4\n"
            "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
            "  pc 1204 samples 2 weight 1200\n"
            "samples seen 5 used 0 pending 2 other-event 1 unmapped 1 not-code 1\n"
            "branches seen 0 used 0\n");
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 5 used 1 other-event 4\n"
            "branches seen 2 used 2\n");
}

TEST(PerfDataReader, WeighsPlainSamplesWithoutAPeriodByTheEvents) {
  for (auto [flags, weight] : {std::pair<uint64_t, const char*>{kFlagSampleIdAll, "250"},
                               {kFlagSampleIdAll | kFlagFrequency, "1"}}) {
    PerfDataBuilder perf;
    perf.event({.sample_period = 250,
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
                .flags = flags});
    perf.mmap2(program().map(10, kMap)).sample({.pid = 10, .time = 1, .ip = c(0x1204)});
    EXPECT_EQ(counts(perf), std::string("  pc 1204 samples 1 weight ") + weight +
                                "\nsamples seen 1 used 0 pending 1\nbranches seen 0 used 0\n");
  }
}

// Two events of a hybrid processor are one event of the program.
TEST(PerfDataReader, AddsUpEventsOfAHybridProcessor) {
  Event core = branch_event(), atom = branch_event();
  core.config |= uint64_t{4} << 32;
  core.name = "cpu_core/cycles/u";
  atom.config |= uint64_t{10} << 32;
  atom.name = "cpu_atom/cycles/u";
  atom.ids = {78};
  PerfDataBuilder perf;
  perf.event(core).event(atom).event_desc().mmap2(program().map(10, kMap, 1));
  perf.sample({.pid = 10, .time = 2, .branches = kLoop});
  perf.sample({.pid = 10, .time = 3, .branches = kLoop, .event = 1});
  EXPECT_EQ(read_dump(perf.file(), {&program()}),
            "event cpu_atom/cycles/u period 1000 samples 1\n"
            "event cpu_core/cycles/u period 1000 samples 1\n"
            "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
            "  trace 1230 1200 1230 2\n"
            "  trace 1230 1200 - 2\n"
            "samples seen 2 used 2\n"
            "branches seen 4 used 4\n");
  EXPECT_EQ(counts(perf, with([](ReadOptions& o) { o.events = {"cpu_atom/cycles/u"}; })),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 2 used 1 other-event 1\n"
            "branches seen 2 used 2\n");
}

// Calls that have not returned are no branches; where the samples are is true all the same.
TEST(PerfDataReader, TakesPcSamplesFromLbrCallStacks) {
  Event event = branch_event();
  event.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
  PerfDataBuilder perf;
  perf.event(event).event_desc().mmap2(program().map(10, kMap, 1));
  perf.sample({.pid = 10, .time = 2, .ip = c(0x1204), .branches = {{c(0x1250), c(0x1200)}}});
  EXPECT_EQ(
      counts(perf),
      "  pc 1204 samples 1 weight 1\n"
      "samples seen 1 used 0 pending 1\n"
      "branches seen 0 used 0\n"
      "lbr-call-stacks 1: perf.data: event 'cycles:u' has LBR call stacks (perf record "
      "--call-graph lbr), which are not branch stacks; its samples are used as PC samples. perf "
      "record -b records branch stacks\n");
}

// Costs of instructions are known for samples that name the instruction behind.
TEST(PerfDataReader, SaysThatSamplesArePrecise) {
  auto diagnostics = [](uint32_t type, uint64_t precise_ip, const std::string& name,
                        size_t samples = 2, uint64_t sample_type = 0) {
    Event event{.type = type,
                .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | sample_type,
                .flags = kFlagSampleIdAll | precise_ip << 15,
                .branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
                .ids = {77},
                .name = name};
    PerfDataBuilder perf;
    perf.event(event).event_desc().mmap2(program().map(10, kMap));
    for (size_t i = 0; i < samples; i++)
      perf.sample({.pid = 10, .time = 1 + i, .ip = c(0x1204), .branches = kLoop});
    std::string text = counts(perf);
    size_t at = text.find("precise-event");
    return at == std::string::npos ? "" : text.substr(at);
  };
  auto said = [](const std::string& name) {
    return "precise-event 1: samples of " + name +
           " name the instruction that took the time; inference expects the instruction after it, "
           "which samples of a timer name (perf record -e cpu-clock:u). How much this loses was "
           "not measured\n";
  };
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 3, "cycles:ppp"), said("cycles:ppp"));
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 2, "cycles:pp"), said("cycles:pp"));
  EXPECT_EQ(diagnostics(11, 0, "ibs_op//"), said("ibs_op//"));
  // One behind, at a constant distance; and what perf falls back to where there are no counters.
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 1, "cycles:p"), "");
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 0, "cycles:P"), "");
  EXPECT_EQ(diagnostics(PERF_TYPE_SOFTWARE, 3, "cpu-clock:ppp"), "");
  // Nothing is inferred of branch stacks, nor of nothing.
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 3, "cycles:ppp", 2, PERF_SAMPLE_BRANCH_STACK), "");
  EXPECT_EQ(diagnostics(PERF_TYPE_HARDWARE, 3, "cycles:ppp", 0), "");
}

// perf follows frame pointers, and what has not set up its own, as short functions hardly have, is
// taken for its caller: what calls reach would be wrong.
TEST(PerfDataReader, TakesNoCallsFromCallChains) {
  PerfDataBuilder perf;
  perf.event(
      {.sample_period = 250,
       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN});
  perf.mmap2(program().map(10, kMap));
  perf.sample({.pid = 10,
               .time = 1,
               .ip = c(0x1204),
               .callchain = {~0ull - 511, c(0x1204), c(0x1210), c(0x1220)}});
  EXPECT_EQ(counts(perf),
            "  pc 1204 samples 1 weight 250\n"
            "samples seen 1 used 0 pending 1\n"
            "branches seen 0 used 0\n");
}

TEST(PerfDataReader, CountsWhatIsMalformed) {
  PerfDataBuilder perf;
  Event second = branch_event();
  second.ids = {78};
  perf.event(branch_event()).event(second).mmap2(program().map(10, kMap));
  perf.record(PERF_RECORD_SAMPLE, 0, words({77, 1, 2, 3, 4, 1000}));  // 1000 branches
  perf.record(PERF_RECORD_SAMPLE, 0, words({77, 1}));
  perf.record(PERF_RECORD_SAMPLE, 0, {});
  perf.sample({.pid = 10, .branches = kLoop, .id = 1234});
  EXPECT_EQ(counts(perf), "samples seen 4 used 0 malformed 4\nbranches seen 0 used 0\n");
  perf = PerfDataBuilder();
  second.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  perf.event(branch_event()).event(second).mmap2(program().map(10, kMap));
  perf.record(PERF_RECORD_SAMPLE, 0, words({77, 1, 2, 3, 4, 1000}));
  perf.record(PERF_RECORD_SAMPLE, 0, words({77, 1}));
  perf.record(PERF_RECORD_SAMPLE, 0, {});
  perf.sample({.pid = 10, .branches = kLoop, .id = 1234});
  EXPECT_EQ(counts(perf), "samples seen 4 used 0 malformed 4\nbranches seen 0 used 0\n");
}

TEST(PerfDataReader, SaysWhenItMatchedByName) {
  Mmap2 map = program().map(10, kMap);
  map.build_id = "";
  map.path = "/srv/tiny";
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(map).sample({.pid = 10, .time = 1, .branches = kLoop});
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 2 used 2\n"
            "matched-by-name 1: perf.data: has no build id for /bin/tiny, which was matched by its "
            "file name\n");

  TinyProgram without_id("/bin/tiny", "");
  PerfDataBuilder with_id;
  with_id.event(branch_event()).mmap2(program().map(10, kMap));
  with_id.sample({.pid = 10, .time = 1, .branches = {{c(0x1230), c(0x1200)}}});
  EXPECT_EQ(read_counts(with_id.file(), {&without_id}),
            "  trace 1230 1200 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 1 used 1\n"
            "matched-by-name 1: perf.data: /bin/tiny has no build id and was matched by its file "
            "name; link it with -Wl,--build-id\n");
}

TEST(PerfDataReader, ReportsLostSamples) {
  PerfDataBuilder perf = small_recording();
  perf.lost({.lost = 7, .time = 600});
  EXPECT_NE(counts(perf).find("lost 7\n"), std::string::npos);
}

// Call stacks before the branch stack: the line profile needs only the latter.
TEST(PerfDataReader, ReadsBranchStacksBehindCallStacks) {
  Event event = branch_event();
  event.sample_type |= PERF_SAMPLE_CALLCHAIN;
  PerfDataBuilder perf;
  perf.event(event).mmap2(program().map(10, kMap));
  perf.sample({.pid = 10,
               .time = 1,
               .branches = kLoop,
               .callchain = {~0ull - 127, 0xffffffff81000000, ~0ull - 511, c(0x1204)}});
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 1 used 1\n"
            "branches seen 2 used 2\n");
  EXPECT_EQ(
      counts(perf, with([](ReadOptions& o) { o.compatibility = Compatibility::kLlvmProfgen; })),
      "error: perf.data: has call stacks, from which llvm-profgen makes a context-sensitive "
      "profile, which is not supported. Without {compat} its branch stacks give the line "
      "profile\n");
}

// With the reason for which llvm-profgen stops, or should.
TEST(PerfDataReader, RefusesCallStacksWithoutBranchStacksAsLlvmProfgenDoes) {
  auto refusal = [](uint64_t more, uint64_t branch_sample_type) {
    Event event = branch_event();
    event.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
    event.sample_type |= PERF_SAMPLE_CALLCHAIN | more;
    event.branch_sample_type = branch_sample_type;
    PerfDataBuilder perf;
    perf.event(event).event_desc().mmap2(program().map(10, kMap));
    perf.sample({.pid = 10, .time = 1, .ip = c(0x1204), .callchain = {~0ull - 511, c(0x1204)}});
    return counts(perf,
                  with([](ReadOptions& o) { o.compatibility = Compatibility::kLlvmProfgen; }));
  };
  EXPECT_EQ(refusal(0, 0),
            "error: perf.data: event 'cycles:u' has no branch stacks, so llvm-profgen stops with "
            "\"Invalid perf script input!\"; choose an event that has branch stacks with {event}, "
            "or convert "
            "without {compat}\n");
  EXPECT_EQ(refusal(PERF_SAMPLE_BRANCH_STACK, PERF_SAMPLE_BRANCH_CALL_STACK),
            "error: perf.data: event 'cycles:u' has LBR call stacks (perf record --call-graph "
            "lbr), which llvm-profgen takes for branch stacks; convert without {compat}\n");
}

// Where the kernel has no addresses of its own, what perf says of the processor tells.
TEST(PerfDataReader, KnowsKernelSamplesOf32BitMachines) {
  std::vector<Branch> in_kernel = {{0xc1000100, 0xc1000000}};
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(program().map(10, kMap));
  perf.sample({.pid = 10, .time = 1, .branches = in_kernel, .misc = PERF_RECORD_MISC_KERNEL});
  perf.sample({.pid = 10, .time = 2, .branches = in_kernel, .misc = PERF_RECORD_MISC_USER});
  EXPECT_NE(counts(perf).find("samples seen 2 used 0 kernel 1 unmapped 1\n"), std::string::npos)
      << counts(perf);
  Event plain = branch_event();
  plain.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  PerfDataBuilder plain_perf;
  plain_perf.event(plain).mmap2(program().map(10, kMap));
  plain_perf.sample({.pid = 10, .time = 1, .ip = 0xc1000000, .misc = PERF_RECORD_MISC_KERNEL});
  plain_perf.sample({.pid = 10, .time = 2, .ip = 0xc1000000, .misc = PERF_RECORD_MISC_USER});
  EXPECT_NE(counts(plain_perf).find("samples seen 2 used 0 kernel 1 unmapped 1\n"),
            std::string::npos)
      << counts(plain_perf);
}

TEST(PerfDataReader, LosesWhatLlvmProfgenLoses) {
  // The child has no map of its own, so llvm-profgen does not ask perf for its samples.
  EXPECT_EQ(counts(small_recording(),
                   with([](ReadOptions& o) { o.compatibility = Compatibility::kLlvmProfgen; })),
            "  trace 1220 1228 - 1\n"
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 4 used 2 kernel 1 unmapped 1\n"
            "branches seen 5 used 3 kernel 1 unmapped 1\n");
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(program().map(10, kMap, 1));
  perf.sample({.pid = 10, .time = 2}).sample({.pid = 10, .time = 3, .branches = kLoop});
  EXPECT_EQ(
      counts(perf, with([](ReadOptions& o) { o.compatibility = Compatibility::kLlvmProfgen; })),
      "error: perf.data: llvm-profgen takes this recording for one with call stacks, because "
      "a sample with an empty branch stack comes first, and reads nothing; convert without "
      "--compat=llvm-profgen\n");
  EXPECT_EQ(counts(perf),
            "  trace 1230 1200 1230 1\n"
            "  trace 1230 1200 - 1\n"
            "samples seen 2 used 1 no-branches 1\n"
            "branches seen 2 used 2\n");
}

// Many processes whose maps come and go, over several blocks, in any order of the samples; as a
// file and compressed, with one thread and with many: always the same.
TEST(PerfDataReader, GivesOneAnswerWhateverTheOrderAndTheThreads) {
  auto fill = [](PerfDataBuilder& perf, unsigned seed) {
    std::mt19937 values(5);
    std::vector<Sample> samples;
    for (uint32_t pid = 1; pid <= 20; pid++)
      for (uint64_t round = 0; round < 5; round++)
        perf.mmap2(program().map(pid, kMap + 0x10000 * (values() % 8), 1000 * round + pid));
    for (uint64_t i = 0; i < 5400; i++) {
      Sample sample{.pid = 1 + static_cast<uint32_t>(values() % 22), .time = values() % 6000};
      for (int entry = 0; entry < 32; entry++) {
        uint64_t map = kMap + 0x10000 * (values() % 8);
        sample.branches.push_back(
            {at(map, 0x1210 + 0x20 * (values() % 8)),
             values() % 10 == 0 ? ~0ull : at(map, 0x1210 + 0x20 * (values() % 8)),
             1 + values() % 2});
      }
      samples.push_back(std::move(sample));
    }
    std::shuffle(samples.begin(), samples.end(), std::mt19937(seed));
    for (const Sample& sample : samples) perf.sample(sample);
  };
  PerfDataBuilder ordered, shuffled, compressed;
  ordered.event(branch_event());
  fill(ordered, 1);
  shuffled.event(branch_event());
  fill(shuffled, 2);
  compressed.event(branch_event()).start_compressed();
  fill(compressed, 3);
  compressed.end_compressed();
  std::string expected =
      read_dump(ordered.file(), {&program()}, with([](ReadOptions& o) { o.jobs = 1; }));
  EXPECT_GT(expected.size(), 10000u);
  EXPECT_EQ(expected.find("error"), std::string::npos);
  for (const ByteVector& bytes : {ordered.file(), shuffled.file(), compressed.file()})
    EXPECT_TRUE(read_dump(bytes, {&program()}, with([](ReadOptions& o) { o.jobs = 4; })) ==
                expected);
}

// However it is cut, and whichever thread gets which piece.
TEST(PerfDataReader, CountsTheSameInBlocksOfAnySize) {
  PerfDataBuilder plain, compressed;
  compressed.event(branch_event()).start_compressed();
  for (PerfDataBuilder* perf : {&plain.event(branch_event()), &compressed}) {
    perf->mmap2(program().map(10, kMap, 100));
    for (uint64_t i = 0; i < 50; i++)
      perf->sample(
          {.pid = 10, .time = 200 + i, .branches = {{c(0x1210 + 4 * (i % 8)), c(0x1200)}}});
    perf->mmap2(program().map(10, 2 * kMap, 230));
  }
  compressed.end_compressed({.plain = 100, .compressed = 33});
  for (const PerfDataBuilder* perf : {&plain, &compressed}) {
    ByteVector bytes = perf->file();
    auto whole = perf_data::scan_recording(bytes, "f", {});
    auto expected = perf_data::read_samples(*whole, {program().target()}, {});
    ASSERT_TRUE(expected);
    EXPECT_EQ(expected->samples.used, 50u);
    for (size_t block_size : {1u, 100u, 1000u}) {
      auto recording = perf_data::scan_recording(bytes, "f", {}, block_size);
      ASSERT_TRUE(recording);
      if (!recording->compressed) {
        EXPECT_GT(recording->blocks.size(), 3u);
      }
      for (unsigned jobs : {1u, 4u})
        EXPECT_EQ(*perf_data::read_samples(*recording, {program().target()},
                                           with([&](ReadOptions& o) { o.jobs = jobs; })),
                  *expected)
            << block_size << ' ' << jobs;
    }
  }
}

// Several recordings add up to the same in whatever order they come.
TEST(PerfDataReader, AddsRecordingsUpInAnyOrder) {
  std::vector<AddressProfile> profiles;
  for (uint64_t i = 0; i < 3; i++) {
    Event event = branch_event();
    event.sample_period = 1000 * (i + 1);
    PerfDataBuilder perf;
    perf.event(event).mmap2(program().map(10, kMap)).lost({.lost = i});
    for (uint64_t n = 0; n <= i; n++)
      perf.sample({.pid = 10, .time = 1, .branches = {{c(0x1210 + 4 * n), c(0x1200)}}});
    ByteVector bytes = perf.file();
    auto recording = perf_data::scan_recording(bytes, "host" + std::to_string(i), {});
    profiles.push_back(perf_data::read_samples(*recording, {program().target()}, {}).value());
  }
  std::vector<size_t> order{0, 1, 2};
  std::optional<AddressProfile> first;
  do {
    AddressMerger merger;
    for (size_t i : order) merger.add(profiles[i]);
    AddressProfile sum = std::move(merger).finish();
    EXPECT_EQ(sum.check(), std::nullopt);
    if (!first) first = sum;
    EXPECT_EQ(sum, *first);
  } while (std::next_permutation(order.begin(), order.end()));
  std::ostringstream dump;
  first->dump(dump);
  EXPECT_EQ(dump.str(),
            "event cycles period 1000 samples 1\n"
            "event cycles period 2000 samples 2\n"
            "event cycles period 3000 samples 3\n"
            "binary 0102030405060708090a0b0c0d0e0f1011121314 /bin/tiny\n"
            "  trace 1210 1200 - 3\n"
            "  trace 1214 1200 - 2\n"
            "  trace 1218 1200 - 1\n"
            "samples seen 6 used 6\n"
            "branches seen 6 used 6\n"
            "lost 3\n");
}

// By the sample's own address, also where branches of its stack are in a binary that counts.
TEST(PerfDataReader, CountsSamplesInOtherFiles) {
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(program().map(10, kMap));
  perf.mmap2(
      {.pid = 10, .addr = 0x700000, .len = 0x1000, .path = "/lib/other.so", .build_id = "aabb"});
  perf.mmap2({.pid = 10, .addr = 0x800000, .len = 0x1000, .path = "/lib/idle.so"});
  perf.mmap2({.pid = 10, .addr = 0x900000, .len = 0x1000, .path = "//anon"});
  perf.sample({.pid = 10, .time = 1, .ip = 0x700010, .branches = kLoop});
  perf.sample({.pid = 10, .time = 1, .ip = 0x700020, .branches = {{0x700020, 0x700010}}});
  perf.sample({.pid = 10, .time = 1, .ip = c(0x1200), .branches = kLoop});
  perf.sample({.pid = 10, .time = 1, .ip = 0x900010, .branches = kLoop});
  perf.sample({.pid = 10, .time = 1, .ip = 0xffffffff81000000, .branches = kLoop});
  ByteVector bytes = perf.file();
  auto recording = perf_data::scan_recording(bytes, "f", {});
  std::vector<perf_data::OtherFile> others;
  ASSERT_TRUE(perf_data::read_samples(*recording, {program().target()}, {}, others));
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].file.path, "/lib/other.so");
  EXPECT_EQ(others[0].file.id.hex(), "aabb");
  EXPECT_EQ(others[0].samples, 2u);
}

TEST(PerfDataReader, TellsProgress) {
  uint64_t last = 0;
  PerfDataBuilder perf = small_recording();
  ByteVector bytes = perf.file();
  auto recording = perf_data::scan_recording(bytes, "f", [&](uint64_t done) { last = done; });
  ASSERT_TRUE(recording);
  EXPECT_EQ(last, recording->data.size());
  last = 0;
  ReadOptions options;
  options.progress = [&](uint64_t done) { last = done; };
  ASSERT_TRUE(perf_data::read_samples(*recording, {program().target()}, options));
  EXPECT_EQ(last, recording->data.size());
}

// A recording cut at any byte: never a crash, never a profile that does not add up, and what is
// counted grows with what is there.
TEST(PerfDataReader, SurvivesEveryCut) {
  PerfDataBuilder perf = small_recording(), compressed;
  compressed.event(branch_event()).start_compressed();
  compressed.mmap2(program().map(10, kMap, 100));
  for (uint64_t i = 0; i < 4; i++) compressed.sample({.pid = 10, .time = 200, .branches = kLoop});
  compressed.end_compressed({.plain = 64});
  for (const ByteVector& bytes : {perf.file(), perf.pipe(), compressed.file(), compressed.pipe()}) {
    uint64_t seen_before = 0;
    for (size_t size = 0; size <= bytes.size(); size++) {
      auto recording = perf_data::scan_recording(Bytes(bytes).first(size), "cut", {});
      if (!recording) continue;
      auto profile = perf_data::read_samples(*recording, {program().target()},
                                             with([](ReadOptions& o) { o.jobs = 1; }));
      ASSERT_TRUE(profile) << size << ": " << profile.error().message;
      EXPECT_EQ(profile->check(), std::nullopt) << size;
      EXPECT_EQ(profile->samples.seen, recording->sample_records) << size;
      EXPECT_GE(profile->samples.seen, seen_before) << size;
      seen_before = profile->samples.seen;
    }
    EXPECT_EQ(seen_before, 4u);
  }
}

}  // namespace
}  // namespace pgo::test

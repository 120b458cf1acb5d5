#include "converters/perf_data/stacks/stack_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "tests/data/stack_recording.h"

namespace pgo::test::stack_reader_test {
namespace {

using perf_data::read_stacks;
using perf_data::RecordedStacks;
using perf_data::Recording;
using perf_data::StackOptions;

TEST(StackReader, CountsStacksOfProcessAndKernel) {
  PerfDataBuilder perf = recording_of({clock_event()});
  perf.sample({.pid = 10,
               .time = 10,
               .ip = 0x7f0204,
               .callchain = {kUser, 0x7f0204, 0x401234},
               .period = 500});
  perf.sample({.pid = 10,
               .time = 11,
               .ip = 0x7f0204,
               .callchain = {kUser, 0x7f0204, 0x401234},
               .period = 700});
  perf.sample({.pid = 10,
               .time = 12,
               .ip = kKernelText + 0x10,
               .callchain = {kKernel, kKernelText + 0x10, kKernelText + 0x20, kUser, 0x7f0300},
               .period = 100,
               .misc = PERF_RECORD_MISC_KERNEL});
  EXPECT_EQ(text_of(perf),
            "server: [kernel.kallsyms]_text+ffffffff81000010 [kernel.kallsyms]_text+"
            "ffffffff81000020 libc.so+300 = 1 100\n"
            "server: libc.so+204 server+1234 = 2 1200\n"
            "seen 3 used 3\n");
}

TEST(StackReader, SaysWhatItCounts) {
  PerfDataBuilder perf = recording_of({clock_event()});
  perf.build_id({.id = "1111111111111111111111111111111111111111",
                 .path = "[kernel.kallsyms]",
                 .misc = kMiscBuildIdSize | PERF_RECORD_MISC_KERNEL});
  perf.build_id({.id = "2222222222222222", .path = "/lib/libc.so"});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401234, .callchain = {kUser, 0x401234, 0x7f0010}});
  perf.sample({.pid = 10, .time = 12, .ip = kKernelText, .misc = PERF_RECORD_MISC_KERNEL});
  std::ostringstream dump;
  read(perf.file())->profile.dump(dump);
  EXPECT_EQ(dump.str(),
            "types samples/count cpu-clock/nanoseconds\n"
            "period 1000 cpu-clock/nanoseconds\n"
            "time 0 duration 2\n"
            "mapping 401000 403000 1000 /bin/server 0102030405060708090a0b0c0d0e0f1011121314\n"
            "mapping 7f0000 7f1000 0 /lib/libc.so 2222222222222222\n"
            "mapping ffffffff81000000 ffffffff82000000 ffffffff81000000 [kernel.kallsyms]_text "
            "1111111111111111111111111111111111111111\n"
            "sample 1 1 comm=\"server\"\n"
            "    401234 in /bin/server\n"
            "    7f0010 in /lib/libc.so\n"
            "sample 1 1 comm=\"server\"\n"
            "    ffffffff81000000 in [kernel.kallsyms]_text\n");
}

TEST(StackReader, KnowsTheSameCodeInTwoProcesses) {
  PerfDataBuilder perf = recording_of({clock_event()});
  perf.mmap2(server(11, 0x301000, 4)).comm({.pid = 11, .time = 5, .name = "server"});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401234, .callchain = {kUser, 0x401234, 0x401300}});
  perf.sample({.pid = 11, .time = 11, .ip = 0x301234, .callchain = {kUser, 0x301234, 0x301300}});
  EXPECT_EQ(text_of(perf), "server: server+1234 server+1300 = 2 2\nseen 2 used 2\n");
  StackProfile profile = read(perf.file())->profile;
  EXPECT_EQ(profile.locations.size(), 2u);
  ASSERT_EQ(profile.mappings.size(), 1u);
  EXPECT_EQ(profile.mappings[0].begin.value, 0x301000u);
}

TEST(StackReader, FollowsForkExecAndLoading) {
  PerfDataBuilder perf = recording_of({clock_event()});
  auto sample = [&](uint32_t pid, uint64_t time, uint64_t ip) {
    perf.sample({.pid = pid, .time = time, .ip = ip});
  };
  sample(10, 10, 0x900010);  // before it is loaded
  perf.mmap2({.pid = 10, .time = 20, .addr = 0x900000, .len = 0x1000, .path = "/lib/plugin.so"});
  sample(10, 30, 0x900010);
  perf.fork({.pid = 11, .parent = 10, .time = 40});
  sample(11, 50, 0x900010);
  sample(11, 51, 0x401234);
  perf.comm({.pid = 11, .time = 60, .name = "sh", .misc = PERF_RECORD_MISC_COMM_EXEC});
  sample(11, 61, 0x401234);
  perf.mmap2({.pid = 11, .time = 62, .addr = 0x401000, .len = 0x1000, .path = "/bin/sh"});
  sample(11, 63, 0x401234);
  sample(10, 70, 0x401234);
  EXPECT_EQ(text_of(perf),
            "server: 900010 = 1 1\n"
            "server: plugin.so+10 = 2 2\n"
            "server: server+1234 = 2 2\n"
            "sh: 401234 = 1 1\n"
            "sh: sh+234 = 1 1\n"
            "seen 7 used 7\n");
}

TEST(StackReader, KeepsAddressesWithoutAFile) {
  PerfDataBuilder perf = recording_of({clock_event()});
  perf.mmap2({.pid = 10, .time = 4, .addr = 0xa00000, .len = 0x1000, .path = "//anon"});
  perf.mmap2({.pid = 10, .time = 5, .addr = 0xb00000, .len = 0x2000, .path = "[vdso]"});
  perf.sample({.pid = 10,
               .time = 10,
               .ip = 0xa00010,
               .callchain = {kUser, 0xa00010, 0xb00020, 0x1234567, 0x401234}});
  // A guest's addresses are none of the host's.
  perf.sample({.pid = 10, .time = 11, .ip = 0x401234, .misc = PERF_RECORD_MISC_GUEST_USER});
  EXPECT_EQ(text_of(perf),
            "server: 401234 = 1 1\n"
            "server: anon+a00010 [vdso]+20 1234567 server+1234 = 1 1\n"
            "seen 2 used 2\n");
}

TEST(StackReader, TakesLbrCallStacks) {
  Event event = clock_event();
  event.type = PERF_TYPE_HARDWARE;
  event.config = PERF_COUNT_HW_CPU_CYCLES;
  event.name = "cycles:u";
  event.sample_type |= PERF_SAMPLE_BRANCH_STACK;
  event.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
  PerfDataBuilder perf = recording_of({event});
  perf.sample({.pid = 10,
               .time = 10,
               .ip = 0x7f0204,
               .branches = {{0x401230, 0x7f0200}, {0x401300, 0x401200}}});
  EXPECT_EQ(text_of(perf), "server: libc.so+204 server+1231 server+1301 = 1 1\nseen 1 used 1\n");
}

// The program in whose stacks most weight is: not the library that most of it is spent in, and not
// what a shell ran before.
TEST(StackReader, PutsTheMainProgramFirst) {
  PerfDataBuilder perf = recording_of({clock_event()});
  perf.mmap2({.pid = 11, .time = 4, .addr = 0x101000, .len = 0x1000, .path = "/bin/sh"});
  perf.mmap2(library(11, 0x7f0000, 5));
  perf.sample({.pid = 11, .time = 9, .ip = 0x101010, .period = 5});
  perf.sample({.pid = 10,
               .time = 10,
               .ip = 0x7f0010,
               .callchain = {kUser, 0x7f0010, 0x401234},
               .period = 6});
  perf.sample({.pid = 11, .time = 11, .ip = 0x7f0010, .period = 100});
  StackProfile profile = read(perf.file())->profile;
  ASSERT_EQ(profile.mappings.size(), 3u);
  EXPECT_EQ(profile.text(profile.mappings[0].filename), "/bin/server");
}

TEST(StackReader, TellsTheTimeOfDayWhereItCan) {
  auto times = [](uint64_t version, uint64_t record_time, uint64_t wall_time) {
    PerfDataBuilder perf = recording_of({clock_event()});
    perf.feature(29, words({version, wall_time, record_time}));
    perf.sample({.pid = 10, .time = 5'000'000'100, .ip = 0x401234});
    perf.sample({.pid = 10, .time = 5'000'000'300, .ip = 0x401234});
    StackProfile profile = read(perf.file())->profile;
    EXPECT_EQ(profile.duration, 200);
    return profile.time;
  };
  constexpr uint64_t kWall = 1'795'419'288'000'000'000;
  EXPECT_EQ(times(1, 5'000'000'000, kWall), 1'795'419'288'000'000'100);
  EXPECT_EQ(times(1, 6'000'000'000, kWall), 1'795'419'287'000'000'100);  // began later
  EXPECT_EQ(times(1, 0, ~0ull), 0);
  EXPECT_EQ(times(1, ~0ull, 7), 0);
  EXPECT_EQ(times(2, 5'000'000'000, kWall), 0);
}

TEST(StackReader, AccountsForWhatItCannotRead) {
  PerfDataBuilder perf = recording_of({clock_event()});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401234});
  perf.sample({.pid = 10, .time = 11, .ip = 0});
  perf.record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, words({77, 0x401234}));
  // A chain of more addresses than the record has room for.
  for (uint64_t frames : {2ull, 1ull << 61, ~0ull})
    perf.record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
                words({77, 0x401234, 10, 12, 1, frames, 0x401234}));
  perf.lost({.lost = 5, .time = 13});
  Result<RecordedStacks> stacks = read(perf.file());
  ASSERT_TRUE(stacks);
  EXPECT_EQ(samples_of(stacks->profile), "server: server+1234 = 1 1\n");
  EXPECT_EQ(accounting_of(*stacks).substr(0, accounting_of(*stacks).find("byte")),
            "seen 6 used 1 malformed 4 no-address 1\n"
            "malformed-sample 4: perf.data: the sample record at ");
  EXPECT_EQ(stacks->lost, 5u);
}

TEST(StackReader, ReadsWhatIsThereOfACutRecording) {
  PerfDataBuilder perf = recording_of({clock_event()});
  for (uint64_t i = 0; i < 3; i++)
    perf.sample({.pid = 10, .time = 10 + i, .ip = 0x401234, .callchain = {kUser, 0x401234}});
  const ByteVector whole = perf.file(DataSize::kZero);
  size_t best = 0;
  for (size_t size = 0; size <= whole.size(); size++) {
    Result<RecordedStacks> stacks =
        read({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    if (!stacks) {
      EXPECT_FALSE(stacks.error().message.empty());
      continue;
    }
    EXPECT_TRUE(stacks->diagnostics.entries().contains(Recording::kTruncated));
    EXPECT_GE(stacks->samples.used, best);
    best = stacks->samples.used;
  }
  EXPECT_EQ(best, 3u);
}

TEST(StackReader, IsEmptyWithoutSamples) {
  EXPECT_EQ(text_of(recording_of({clock_event()})), "seen 0 used 0\n");
  StackProfile profile = read(recording_of({clock_event()}).file())->profile;
  EXPECT_EQ(profile.sample_types.size(), 2u);
  EXPECT_EQ(profile.duration, 0);
}

TEST(StackReader, WarnsOfCallersThatAreElsewhere) {
  Event copies = clock_event();
  copies.sample_type |= PERF_SAMPLE_STACK_USER;
  PerfDataBuilder dwarf = recording_of({copies});
  dwarf.sample({.pid = 10, .time = 10, .ip = 0x401234, .stack_user = "12345678"});
  EXPECT_EQ(text_of(dwarf),
            "server: server+1234 = 1 1\n"
            "seen 1 used 1\n"
            "stack-copies 1: perf.data: event 'cpu-clock' has copies of stacks (perf record "
            "--call-graph dwarf), which are not unwound: callers in processes are missing. "
            "--call-graph fp or lbr records them\n");
  PerfDataBuilder deferred = recording_of({clock_event()});
  deferred.sample({.pid = 10,
                   .time = 10,
                   .ip = kKernelText,
                   .callchain = {kKernel, kKernelText, ~uint64_t{640} + 1, 4711},
                   .misc = PERF_RECORD_MISC_KERNEL});
  EXPECT_EQ(text_of(deferred),
            "server: [kernel.kallsyms]_text+ffffffff81000000 = 1 1\n"
            "seen 1 used 1\n"
            "deferred-callers 1: perf.data: callers in processes are missing where perf recorded "
            "them later than their samples (perf record --call-graph fp,defer); record without "
            "defer\n");
}

TEST(StackReader, StopsAtTheLargestWeight) {
  PerfDataBuilder perf = recording_of({clock_event()});
  for (uint64_t i = 0; i < 3; i++)
    perf.sample({.pid = 10, .time = 10 + i, .ip = 0x401234, .period = ~0ull - 5});
  EXPECT_EQ(text_of(perf), "server: server+1234 = 3 9223372036854775807\nseen 3 used 3\n");
}

// Many processes with the program at other addresses, samples in any order, in blocks of any size;
// as a file and compressed, with one thread and with four: always the same.
TEST(StackReader, GivesOneProfileWhateverTheOrderAndTheThreads) {
  auto fill = [](PerfDataBuilder& perf, unsigned seed) {
    std::mt19937 values(5), order(seed);
    std::vector<uint32_t> pids(20);
    for (uint32_t i = 0; i < pids.size(); i++) pids[i] = i + 1;
    std::shuffle(pids.begin(), pids.end(), order);
    for (uint32_t pid : pids) {
      perf.mmap2(server(pid, 0x401000 + 0x10000 * uint64_t{pid % 7}, pid));
      perf.mmap2(library(pid, 0x7f0000 + 0x1000 * uint64_t{pid % 5}, 100 + pid));
      perf.comm({.pid = pid, .time = 200 + pid, .name = pid % 2 == 0 ? "even" : "odd"});
    }
    std::vector<Sample> samples;
    for (uint64_t i = 0; i < 3000; i++) {
      Sample sample{.pid = 1 + static_cast<uint32_t>(values() % 22), .time = 1000 + i};
      uint64_t program = 0x401000 + 0x10000 * uint64_t{sample.pid % 7};
      sample.callchain = {kUser};
      for (uint64_t depth = 1 + values() % 5; depth > 0; depth--)
        sample.callchain.push_back(values() % 3 == 0 ? 0x7f0000 + values() % 0x8000
                                                     : program + values() % 8);
      sample.ip = sample.callchain[1];
      sample.period = 1 + values() % 100;
      samples.push_back(std::move(sample));
    }
    std::shuffle(samples.begin(), samples.end(), order);
    for (const Sample& sample : samples) perf.sample(sample);
  };
  PerfDataBuilder ordered, shuffled, compressed;
  fill(ordered.event(clock_event()).mmap2(kernel()), 1);
  fill(shuffled.event(clock_event()).mmap2(kernel()), 2);
  fill(compressed.event(clock_event()).mmap2(kernel()).start_compressed(), 3);
  compressed.end_compressed();
  StackProfile expected = read(ordered.file(), with([](StackOptions& o) { o.jobs = 1; }))->profile;
  EXPECT_GT(expected.stacks.size(), 1000u);
  for (const ByteVector& bytes : {ordered.file(), shuffled.file(), compressed.file()})
    for (size_t block_size : {1u, 1000u, 1u << 22})
      for (unsigned jobs : {1u, 4u, 5u}) {
        Recording recording = perf_data::scan_recording(bytes, "perf.data", {}, block_size).value();
        StackProfile profile =
            read_stacks(recording, with([&](StackOptions& o) { o.jobs = jobs; }))->profile;
        EXPECT_TRUE(profile == expected) << block_size << ' ' << jobs;
      }
}

TEST(StackReader, ReportsProgress) {
  PerfDataBuilder perf = recording_of({clock_event()});
  for (uint64_t i = 0; i < 10; i++) perf.sample({.pid = 10, .time = 10 + i, .ip = 0x401234});
  ByteVector bytes = perf.file();
  Recording recording = perf_data::scan_recording(bytes, "perf.data", {}, 100).value();
  uint64_t last = 0;
  StackOptions options;
  options.progress = [&](uint64_t done) { last = std::max(last, done); };
  ASSERT_TRUE(read_stacks(recording, options));
  EXPECT_EQ(last, recording.data.size());
}

}  // namespace
}  // namespace pgo::test::stack_reader_test

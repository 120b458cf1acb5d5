#include "converters/perf_data/stacks/stack_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "converters/perf_data/address_space.h"
#include "tests/data/perf_data_builder.h"

namespace pgo::test {
namespace {

using perf_data::read_stacks;
using perf_data::RecordedStacks;
using perf_data::Recording;
using perf_data::StackOptions;

constexpr uint64_t kKernel = PERF_CONTEXT_KERNEL, kUser = PERF_CONTEXT_USER;
constexpr uint64_t kKernelText = 0xffffffff81000000;
constexpr const char* kBuildId = "0102030405060708090a0b0c0d0e0f1011121314";

// What perf record -e cpu-clock -g asks for.
Event clock_event() {
  return {.type = PERF_TYPE_SOFTWARE,
          .config = PERF_COUNT_SW_CPU_CLOCK,
          .sample_period = 1000,
          .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
                         PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_IDENTIFIER,
          .flags = kFlagSampleIdAll,
          .ids = {77},
          .name = "cpu-clock"};
}

// The program's code, which begins at offset 0x1000 of the file.
Mmap2 server(uint32_t pid, uint64_t addr, uint64_t time) {
  return {.pid = pid,
          .time = time,
          .addr = addr,
          .len = 0x2000,
          .pgoff = 0x1000,
          .path = "/bin/server",
          .build_id = kBuildId};
}

Mmap2 library(uint32_t pid, uint64_t addr, uint64_t time) {
  return {.pid = pid, .time = time, .addr = addr, .len = 0x1000, .path = "/lib/libc.so"};
}

Mmap2 kernel() {
  return {.pid = perf_data::kKernelPid,
          .addr = kKernelText,
          .len = 0x1000000,
          .pgoff = kKernelText,
          .path = "[kernel.kallsyms]_text",
          .misc = PERF_RECORD_MISC_KERNEL};
}

// A process with a program and a library, and the kernel.
PerfDataBuilder recording_of(const std::vector<Event>& events) {
  PerfDataBuilder perf;
  for (const Event& event : events) perf.event(event);
  perf.event_desc().mmap2(kernel()).comm({.pid = 10, .time = 1, .name = "server"});
  return std::move(perf.mmap2(server(10, 0x401000, 2)).mmap2(library(10, 0x7f0000, 3)));
}

std::string frame_text(const StackProfile& profile, LocationId id) {
  const StackLocation& location = profile.locations[static_cast<size_t>(id)];
  std::ostringstream text;
  text << std::hex;
  if (location.mapping == kNoMapping) {
    text << location.address.value;
    return text.str();
  }
  const StackMapping& mapping = profile.mappings[static_cast<size_t>(location.mapping)];
  EXPECT_TRUE(mapping.holds(location.address));
  std::string_view path = profile.text(mapping.filename);
  text << path.substr(path.rfind('/') + 1) << '+'
       << location.address - mapping.begin + mapping.file_offset.value;
  return text.str();
}

// Each sample as "COMM: FRAMES VALUES", frames leaf first as FILE+OFFSET; sorted.
std::string samples_of(const StackProfile& profile) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    std::ostringstream line;
    for (const StackLabel& label : profile.labels[static_cast<size_t>(profile.samples[i].labels)])
      line << profile.text(label.text);
    line << ':';
    for (LocationId id : profile.stacks[static_cast<size_t>(profile.samples[i].stack)])
      line << ' ' << frame_text(profile, id);
    line << " =";
    for (int64_t value : profile.values_of(i)) line << ' ' << value;
    lines.push_back(line.str() + '\n');
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

std::string accounting_of(const RecordedStacks& stacks) {
  std::ostringstream text;
  text << "seen " << stacks.samples.seen << " used " << stacks.samples.used;
  for (size_t i = 0; i < kDroppedCount; i++)
    if (stacks.samples.dropped[i] != 0)
      text << ' ' << dropped_name(static_cast<Dropped>(i)) << ' ' << stacks.samples.dropped[i];
  for (const auto& [kind, entry] : stacks.diagnostics.entries())
    text << '\n' << kind << ' ' << entry.count << ": " << entry.messages[0];
  return text.str() + '\n';
}

Result<RecordedStacks> read(const ByteVector& bytes, const StackOptions& options = {}) {
  Result<Recording> recording = perf_data::scan_recording(bytes, "perf.data", {});
  if (!recording) return Failure(recording.error());
  Result<RecordedStacks> stacks = read_stacks(*recording, options);
  if (stacks) {
    EXPECT_EQ(stacks->profile.check(), std::nullopt);
    EXPECT_EQ(stacks->samples.check(), std::nullopt);
  }
  return stacks;
}

// Samples, accounting and warnings, or the error.
std::string text_of(const PerfDataBuilder& perf, const StackOptions& options = {}) {
  Result<RecordedStacks> stacks = read(perf.file(), options);
  if (!stacks) return "error: " + stacks.error().message;
  return samples_of(stacks->profile) + accounting_of(*stacks);
}

template <typename Set>
StackOptions with(const Set& set) {
  StackOptions options;
  set(options);
  return options;
}

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

TEST(StackReader, NamesUnitsAndPeriodsOfEvents) {
  struct Case {
    uint32_t type;
    uint64_t config, period, flags;
    const char *name, *expected;
  };
  constexpr uint64_t kFrequency = kFlagSampleIdAll | kFlagFrequency;
  for (const Case& one :
       {Case{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 4000, kFrequency, "task-clock:u",
             "types samples/count task-clock:u/nanoseconds\n"
             "period 250000 task-clock:u/nanoseconds\n"},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 4000, kFrequency, "cycles:P",
         "types samples/count cycles:P/count\nperiod 0 cycles:P/count\n"},
        {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 99, kFlagSampleIdAll, "cpu_core/cycles/u",
         "types samples/count cycles:u/count\nperiod 99 cycles:u/count\n"}}) {
    Event event = clock_event();
    event.type = one.type;
    event.config = one.config;
    event.sample_period = one.period;
    event.flags = one.flags;
    event.name = one.name;
    std::ostringstream dump;
    read(recording_of({event}).file())->profile.dump(dump);
    EXPECT_TRUE(dump.str().starts_with(one.expected)) << dump.str();
  }
}

TEST(StackReader, WeighsSamplesWithoutAPeriodByTheEvents) {
  Event event = clock_event();
  event.sample_type &= ~uint64_t{PERF_SAMPLE_PERIOD};
  event.sample_period = 250;
  PerfDataBuilder perf = recording_of({event});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401234});
  EXPECT_EQ(text_of(perf), "server: server+1234 = 1 250\nseen 1 used 1\n");
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

TEST(StackReader, LabelsByTheNameAtTheTime) {
  PerfDataBuilder perf;
  perf.event(clock_event()).mmap2(server(10, 0x401000, 1));
  auto sample = [&](uint32_t tid, uint64_t time) {
    perf.sample({.pid = tid == 0 ? 0u : 10, .tid = tid, .time = time, .ip = 0x401234});
  };
  sample(10, 2);
  perf.comm({.pid = 10, .time = 5, .name = "main"});
  sample(10, 6);
  perf.fork({.pid = 10, .parent = 10, .tid = 12, .parent_tid = 10, .time = 7});
  sample(12, 8);
  perf.comm({.pid = 10, .tid = 12, .time = 9, .name = "worker"});
  sample(12, 10);
  sample(0, 11);  // nothing to do
  EXPECT_EQ(text_of(perf),
            ": server+1234 = 1 1\n"
            "main: server+1234 = 2 2\n"
            "swapper: 401234 = 1 1\n"
            "worker: server+1234 = 1 1\n"
            "seen 5 used 5\n");
  EXPECT_EQ(text_of(perf, with([](StackOptions& o) { o.comm = "swapper"; })),
            "swapper: 401234 = 1 1\nseen 5 used 1 filtered 4\n");
}

TEST(StackReader, ChoosesSamples) {
  PerfDataBuilder perf = recording_of({clock_event()});
  perf.mmap2(server(11, 0x401000, 4)).comm({.pid = 11, .time = 5, .name = "other"});
  perf.sample({.pid = 10, .time = 10, .ip = 0x401010});
  perf.sample({.pid = 10, .time = 20, .ip = 0x401020});
  perf.sample({.pid = 11, .time = 30, .ip = 0x401030});
  EXPECT_EQ(text_of(perf, with([](StackOptions& o) { o.pids = {11}; })),
            "other: server+1030 = 1 1\nseen 3 used 1 filtered 2\n");
  EXPECT_EQ(text_of(perf, with([](StackOptions& o) { o.comm = "server"; })),
            "server: server+1010 = 1 1\nserver: server+1020 = 1 1\nseen 3 used 2 filtered 1\n");
  StackOptions late = with([](StackOptions& o) { o.time = std::pair<uint64_t, uint64_t>(20, 30); });
  EXPECT_EQ(text_of(perf, late),
            "other: server+1030 = 1 1\nserver: server+1020 = 1 1\nseen 3 used 2 filtered 1\n");
  EXPECT_EQ(read(perf.file(), late)->profile.duration, 10);
  EXPECT_EQ(read(perf.file())->profile.duration, 20);
}

TEST(StackReader, ChoosesEventsThatCountTheSame) {
  Event core = clock_event(), atom = clock_event(), branches = clock_event();
  for (Event* event : {&core, &atom, &branches}) event->type = PERF_TYPE_HARDWARE;
  core.config = uint64_t{4} << 32 | PERF_COUNT_HW_CPU_CYCLES;
  core.name = "cpu_core/cycles/u";
  atom.config = uint64_t{10} << 32 | PERF_COUNT_HW_CPU_CYCLES;
  atom.name = "cpu_atom/cycles/u";
  atom.ids = {78};
  branches.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
  branches.name = "branches:u";
  branches.ids = {79};
  PerfDataBuilder perf = recording_of({core, atom, branches});
  for (size_t event : {0u, 1u, 2u})
    perf.sample({.pid = 10, .time = 10 + event, .ip = 0x401234, .event = event, .period = 100});
  EXPECT_EQ(text_of(perf), "server: server+1234 = 2 200\nseen 3 used 2 other-event 1\n");
  EXPECT_FALSE(read(perf.file())->of_branches);
  StackOptions named = with([](StackOptions& o) { o.events = {"branches"}; });
  EXPECT_EQ(text_of(perf, named), "server: server+1234 = 1 100\nseen 3 used 1 other-event 2\n");
  EXPECT_TRUE(read(perf.file(), named)->of_branches);
  EXPECT_EQ(text_of(perf, with([](StackOptions& o) { o.events = {"cycles", "branches"}; })),
            "error: perf.data: the chosen events count different things, which cannot be added up; "
            "name one with \xFF{event}:\n"
            "  cpu_core/cycles/u\n"
            "  cpu_atom/cycles/u\n"
            "  branches:u");
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
}  // namespace pgo::test

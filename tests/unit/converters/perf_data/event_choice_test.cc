#include "converters/perf_data/event_choice.h"

#include <gtest/gtest.h>

#include "tests/data/tiny_program.h"

namespace pgo::test::event_choice_test {
namespace {

using perf_data::any_core_name;
using perf_data::choose_cost_events;
using perf_data::choose_events;
using perf_data::count_the_same;
using perf_data::counts_branches;
using perf_data::EventAttr;
using perf_data::names_branches;
using perf_data::Recording;
using perf_data::scan_recording;

// An event of perf record -b; `id` is that of its samples.
Event event_of(const std::string& name, uint64_t config, uint64_t id) {
  Event event = branch_event();
  event.name = name;
  event.config = config;
  event.ids = {id};
  return event;
}

Event without_stacks(Event event) {
  event.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  event.branch_sample_type = 0;
  return event;
}

// A recording with so many samples of each event.
Recording recording_of(const std::vector<Event>& events, const std::vector<size_t>& samples) {
  static std::vector<ByteVector> kept;  // recordings own no bytes
  PerfDataBuilder perf;
  for (const Event& event : events) perf.event(event);
  perf.event_desc().finished_round();
  uint64_t time = 0;
  for (size_t event = 0; event < samples.size(); event++)
    for (size_t i = 0; i < samples[event]; i++) perf.sample({.time = ++time, .event = event});
  kept.push_back(perf.file());
  return scan_recording(kept.back(), "perf.data", {}).value();
}

// The names of the events that `choose` takes, warnings, or the error.
template <typename Choose>
std::string choice_by(const Choose& choose, const Recording& recording,
                      const std::vector<std::string>& names) {
  Diagnostics diagnostics;
  Result<std::vector<bool>> chosen = choose(recording, names, diagnostics);
  if (!chosen) return chosen.error().message;
  std::string text;
  for (size_t i = 0; i < chosen->size(); i++)
    if ((*chosen)[i]) text += (text.empty() ? "" : " ") + recording.events[i].name;
  for (const auto& [kind, entry] : diagnostics.entries())
    text += "\n" + kind + ": " + entry.messages[0];
  return text;
}

std::string choice(const Recording& recording, const std::vector<std::string>& names = {}) {
  return choice_by(choose_events, recording, names);
}

std::string cost_choice(const Recording& recording, const std::vector<std::string>& names = {}) {
  return choice_by(choose_cost_events, recording, names);
}

const Event kCycles = event_of("cycles:u", PERF_COUNT_HW_CPU_CYCLES, 71);
const Event kMisses = event_of("cache-misses:u", PERF_COUNT_HW_CACHE_MISSES, 72);

// The generic event of one kind of core: the type of its counters is above the event.
Event core_event(const std::string& name, uint64_t core, uint64_t id) {
  return event_of(name, core << 32 | PERF_COUNT_HW_CPU_CYCLES, id);
}
const Event kCore = core_event("cpu_core/cycles/u", 4, 73);
const Event kAtom = core_event("cpu_atom/cycles/u", 10, 74);

TEST(EventChoice, TakesTheEventWithBranchStacks) {
  Recording recording = recording_of({kCycles, without_stacks(kMisses)}, {1, 1});
  EXPECT_EQ(choice(recording), "cycles:u");
  EXPECT_EQ(choice(recording, {"cache-misses:u"}), "cache-misses:u");
  EXPECT_EQ(choice(recording, {"cache-misses"}), "cache-misses:u");
  EXPECT_EQ(choice(recording, {"cache"}),
            "perf.data: has no event 'cache'; it has:\n"
            "  cycles:u  (branch records)\n"
            "  cache-misses:u");
}

TEST(EventChoice, ListsEventsThatCountDifferentThings) {
  constexpr const char* kList =
      "perf.data: has events that count different things; name one or more with \xFF{event}:\n"
      "  cycles:u  (branch records)\n"
      "  cache-misses:u  (branch records)";
  EXPECT_EQ(choice(recording_of({kCycles, kMisses}, {1, 1})), kList);
  EXPECT_EQ(choice(recording_of({kCycles, kMisses}, {})), kList);

  // In other modes of the processor the same event is another one.
  Event kernel = kCycles;
  kernel.name = "cycles:k";
  kernel.ids = {78};
  kernel.flags |= 1u << 4;  // exclude_user
  Recording modes = recording_of({kCycles, kernel}, {1, 1});
  for (const std::vector<std::string>& names : {std::vector<std::string>{}, {"cycles"}})
    EXPECT_EQ(
        choice(modes, names),
        "perf.data: has events that count different things; name one or more with \xFF{event}:\n"
        "  cycles:u  (branch records)\n"
        "  cycles:k  (branch records)");
  EXPECT_EQ(choice(modes, {"cycles:k"}), "cycles:k");
  EXPECT_EQ(choice(recording_of({kCycles, kernel}, {0, 1}), {"cycles"}), "cycles:k");

  EXPECT_EQ(
      choice(recording_of({without_stacks(kCycles), without_stacks(kMisses)}, {1, 1})),
      "perf.data: none of its events has branch records (perf record -b); name those to count "
      "with \xFF{event}:\n"
      "  cycles:u\n"
      "  cache-misses:u");
}

// An event that was never sampled is no choice.
TEST(EventChoice, PassesOverEventsWithoutSamples) {
  EXPECT_EQ(choice(recording_of({kCycles, kMisses}, {1, 0})), "cycles:u");
  EXPECT_EQ(choice(recording_of({kCycles, kMisses}, {0, 1})), "cache-misses:u");
  EXPECT_EQ(choice(recording_of({without_stacks(kCycles), without_stacks(kMisses)}, {0, 1})),
            "cache-misses:u");
  // Of branch stacks that never came nothing can be made.
  EXPECT_EQ(choice(recording_of({kCycles, without_stacks(kMisses)}, {0, 1})), "cache-misses:u");
  EXPECT_EQ(choice(recording_of({kCycles, kMisses}, {1, 0}), {"cache-misses"}), "cache-misses:u");
}

TEST(EventChoice, AddsUpEventsOfOneNameAndOfKindsOfCores) {
  EXPECT_EQ(choice(recording_of({kCore, kAtom}, {1, 1})), "cpu_core/cycles/u cpu_atom/cycles/u");
  EXPECT_EQ(
      choice(recording_of({kCore, kAtom, kMisses}, {1, 1, 1})),
      "perf.data: has events that count different things; name one or more with \xFF{event}:\n"
      "  cpu_core/cycles/u  (branch records)\n"
      "  cpu_atom/cycles/u  (branch records)\n"
      "  cache-misses:u  (branch records)");
  Recording hybrid = recording_of({kCore, kAtom, kMisses}, {1, 1, 1});
  for (const char* name : {"cycles", "cycles:u"})
    EXPECT_EQ(choice(hybrid, {name}), "cpu_core/cycles/u cpu_atom/cycles/u");
  EXPECT_EQ(choice(hybrid, {"cpu_atom/cycles/u"}), "cpu_atom/cycles/u");

  // As the counters of each kind of core call it, without a generic event.
  Event core = kCore, atom = kAtom;
  core.type = 4;
  atom.type = 10;
  core.config = 0x3c;
  atom.config = 0x13c;
  EXPECT_EQ(choice(recording_of({core, atom}, {1, 1})), "cpu_core/cycles/u cpu_atom/cycles/u");
  EXPECT_EQ(choice(recording_of({without_stacks(core), without_stacks(atom)}, {1, 1})),
            "cpu_core/cycles/u cpu_atom/cycles/u");

  Event again = kCycles;
  again.ids = {79};
  EXPECT_EQ(choice(recording_of({kCycles, again}, {1, 1})), "cycles:u cycles:u");
}

TEST(EventChoice, AddsUpNoEventsThatCountDifferentThingsUnderOneName) {
  Event misses = kCycles;
  misses.config = kMisses.config;
  misses.ids = {79};
  const std::string ask =
      "perf.data: has events that count different things; name one or more with \xFF{event}:\n"
      "  cycles:u  (branch records)\n"
      "  cycles:u  (branch records)";
  EXPECT_EQ(choice(recording_of({kCycles, misses}, {1, 1})), ask);
  Event raw = kCycles;
  raw.type = misses.type = 4;
  EXPECT_EQ(choice(recording_of({raw, misses}, {1, 1})), ask);
}

TEST(EventChoice, AddsUpTheEventsThatAreNamed) {
  Recording recording = recording_of({kCycles, kMisses, without_stacks(kCore)}, {1, 1, 1});
  EXPECT_EQ(choice(recording, {"cycles:u", "cache-misses"}), "cycles:u cache-misses:u");
  EXPECT_EQ(choice(recording, {"cycles:u", "branches"}),
            "cycles:u\n"
            "missing-event: perf.data: has no event 'branches'; it has:\n"
            "  cycles:u  (branch records)\n"
            "  cache-misses:u  (branch records)\n"
            "  cpu_core/cycles/u");
  EXPECT_EQ(choice(recording_of({kCycles}, {1}), {"instructions", "branches"}),
            "perf.data: has no event 'instructions'; it has:\n"
            "  cycles:u  (branch records)");
}

TEST(EventChoice, NamesLbrCallStacks) {
  Event cycles = kCycles, misses = kMisses;
  for (Event* event : {&cycles, &misses}) event->branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK;
  EXPECT_EQ(
      choice(recording_of({cycles, misses}, {1, 1})),
      "perf.data: none of its events has branch records (perf record -b); name those to count "
      "with \xFF{event}:\n"
      "  cycles:u  (LBR call stacks)\n"
      "  cache-misses:u  (LBR call stacks)");
  EXPECT_EQ(choice(recording_of({cycles}, {1})), "cycles:u");
}

// perf record -a adds such an event for the mappings.
TEST(EventChoice, NeverTakesPerfsDummyEvent) {
  Event clock = without_stacks(event_of("cpu-clock", PERF_COUNT_SW_CPU_CLOCK, 75));
  Event dummy = without_stacks(event_of("dummy:HG", PERF_COUNT_SW_DUMMY, 76));
  clock.type = dummy.type = PERF_TYPE_SOFTWARE;
  Recording recording = recording_of({clock, dummy}, {});
  EXPECT_EQ(choice(recording), "cpu-clock");
  EXPECT_EQ(choice(recording, {"dummy:HG"}), "dummy:HG");
  EXPECT_EQ(choice(recording, {"cycles"}),
            "perf.data: has no event 'cycles'; it has:\n  cpu-clock");
  EXPECT_EQ(choice(recording_of({dummy, clock}, {})), "cpu-clock");
  EXPECT_EQ(
      choice(recording_of({clock, dummy, without_stacks(kCycles)}, {})),
      "perf.data: none of its events has branch records (perf record -b); name those to count "
      "with \xFF{event}:\n  cpu-clock\n  cycles:u");
  EXPECT_EQ(choice(recording_of({dummy}, {})), "dummy:HG");  // there is nothing else
}

TEST(EventChoice, TellsNamesWithoutTheKindOfCore) {
  for (auto [name, expected] : {std::pair<const char*, const char*>{"cycles:u", "cycles:u"},
                                {"cpu_core/cycles/u", "cycles:u"},
                                {"cpu_atom/cycles/", "cycles"},
                                {"cpu_atom/cycles/:u", "cycles:u"},
                                {"cpu_lowpower/cycles:P/", "cycles:P"},
                                {"cpu/event=0x3c,umask=0x1/ppp", "event=0x3c,umask=0x1:ppp"},
                                {"ibs_op//", "ibs_op//"},
                                {"cpu//", "cpu//"},
                                {"cpu/", "cpu/"},
                                {"intel_pt//u", "intel_pt//u"},
                                {"", ""}})
    EXPECT_EQ(any_core_name(name), expected);
}

TEST(EventChoice, TellsWhatCountsTheSame) {
  auto attr = [](uint32_t type, uint64_t config, const char* name) {
    EventAttr event;
    event.type = type;
    event.config = config;
    event.name = name;
    return event;
  };
  constexpr uint64_t kAtomCores = uint64_t{10} << 32;
  EXPECT_TRUE(count_the_same(attr(0, 0, "cycles"), attr(0, kAtomCores, "my-name")));
  EXPECT_TRUE(count_the_same(attr(3, 1, "a"), attr(3, kAtomCores | 1, "b")));
  EXPECT_FALSE(count_the_same(attr(0, 0, "a"), attr(0, kAtomCores | 1, "b")));
  EXPECT_FALSE(count_the_same(attr(0, 0, "a"), attr(3, 0, "b")));
  // Codes mean something else to other counters.
  EXPECT_FALSE(count_the_same(attr(4, 0x3c, "a"), attr(10, 0x3c, "b")));
  EXPECT_FALSE(count_the_same(attr(1, 0, "cpu-clock"), attr(1, 1, "task-clock")));
}

// What code costs is a matter of all samples, with branch stacks or without.
TEST(EventChoice, TakesAllEventsForCosts) {
  const Event clock = without_stacks(event_of("cycles:u", PERF_COUNT_HW_CPU_CYCLES, 75));
  EXPECT_EQ(cost_choice(recording_of({kCycles, clock}, {1, 1})), "cycles:u cycles:u");
  EXPECT_EQ(cost_choice(recording_of({kCore, kAtom}, {1, 1})),
            "cpu_core/cycles/u cpu_atom/cycles/u");
  EXPECT_EQ(cost_choice(recording_of({kCycles, kMisses}, {0, 1})), "cache-misses:u");
  Recording recording = recording_of({kCycles, kMisses, without_stacks(kCore)}, {1, 1, 1});
  EXPECT_EQ(cost_choice(recording),
            "perf.data: has events that count different things; name one with \xFF{event}:\n"
            "  cycles:u  (branch records)\n"
            "  cache-misses:u  (branch records)\n"
            "  cpu_core/cycles/u");
  EXPECT_EQ(cost_choice(recording, {"cache-misses"}), "cache-misses:u");
  EXPECT_EQ(cost_choice(recording, {"cycles", "cache-misses"}),
            "perf.data: the chosen events count different things, which cannot be added up; name "
            "one with \xFF{event}:\n"
            "  cycles:u  (branch records)\n"
            "  cache-misses:u  (branch records)\n"
            "  cpu_core/cycles/u");
  EXPECT_EQ(cost_choice(recording, {"cycles:u", "rare"}),
            "cycles:u\n"
            "missing-event: perf.data: has no event 'rare'; it has:\n"
            "  cycles:u  (branch records)\n"
            "  cache-misses:u  (branch records)\n"
            "  cpu_core/cycles/u");
}

TEST(EventChoice, PassesOverBranchEventsForCosts) {
  const Event branches = event_of("branches:u", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 75);
  EXPECT_EQ(cost_choice(recording_of({branches, without_stacks(kCycles)}, {1, 1})), "cycles:u");
  EXPECT_EQ(cost_choice(recording_of({branches, kCycles}, {1, 0})), "branches:u");
  EXPECT_EQ(cost_choice(recording_of({branches, kCycles}, {1, 1}), {"branches"}), "branches:u");
}

TEST(EventChoice, SaysThatTraceDataHasNoSamplesYet) {
  PerfDataBuilder perf;
  perf.event(kCycles).event(kMisses).auxtrace("trace");
  ByteVector bytes = perf.file();
  EXPECT_EQ(cost_choice(scan_recording(bytes, "perf.data", {}).value()),
            "perf.data: has no samples, but trace data that must be decoded first: perf inject "
            "--itrace=i100usle --strip -i RECORDING -o DECODED");
}

TEST(EventChoice, KnowsEventsThatCountBranches) {
  struct Case {
    uint32_t type;
    uint64_t config;
    const char* name;
    bool counts;
  };
  constexpr uint32_t kHardware = PERF_TYPE_HARDWARE, kCache = PERF_TYPE_HW_CACHE,
                     kRaw = PERF_TYPE_RAW, kAtomCores = 10, kArmCores = 11, kUncore = 20;
  for (const Case& one : {Case{kHardware, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "b", true},
                          {kHardware, uint64_t{4} << 32 | 4, "cpu_core/branches/", true},
                          {kHardware, PERF_COUNT_HW_BRANCH_MISSES, "branch-misses", false},
                          {kHardware, PERF_COUNT_HW_CPU_CYCLES, "cycles", false},
                          {kCache, PERF_COUNT_HW_CACHE_BPU, "branch-loads", true},
                          {kCache, 0x10005, "branch-load-misses", false},
                          {kCache, PERF_COUNT_HW_CACHE_L1D, "L1-dcache-loads", false},
                          {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock", false},
                          {PERF_TYPE_SOFTWARE, 4, "minor-faults", false},
                          {PERF_TYPE_TRACEPOINT, 0xc4, "sched:sched_switch", false},
                          {kRaw, 0x20c4, "r20c4", true},
                          {kRaw, 0xc4, "BR_INST_RETIRED.ALL_BRANCHES:u", true},
                          {kRaw, 0xc5, "br_misp_retired.all_branches", false},
                          {kRaw, 0x3c, "cpu/event=0x3c,umask=0x0/", false},
                          {kRaw, 0x1000000c4, "r1000000c4", false},  // AMD's event 0x1c4
                          {kRaw, 0xc2, "ex_ret_brn", true},
                          {kRaw, 0xc3, "ex_ret_brn_misp", false},
                          {kRaw, 0x21, "br_retired", true},
                          {kAtomCores, 0x20c4, "cpu_atom/event=0xc4,umask=0x20/u", true},
                          {kAtomCores, 0, "cpu/umask=0x20,event=196/", true},
                          {kAtomCores, 0, "cpu/event=0xc45/", false},
                          {kAtomCores, 0, "cpu/event=/", false},
                          {kAtomCores, 0xe4, "cpu_atom/lbr_inserts.any/u", true},
                          {kArmCores, 0x21, "armv8_pmuv3_0/br_retired/u", true},
                          {kArmCores, 0x22, "armv8_pmuv3_0/br_mis_pred_retired/", false},
                          {kUncore, 0xc4, "uncore_imc/event=0xc4/", false}}) {
    EventAttr event;
    event.type = one.type;
    event.config = one.config;
    event.name = one.name;
    EXPECT_EQ(counts_branches(event), one.counts) << one.name;
  }
}

TEST(EventChoice, KnowsEventsOfBranchesByNameAlone) {
  for (const char* name :
       {"branches", "branches:u", "branch-instructions", "emulated-branches:u",
        "br_inst_retired.near_taken:upp", "BR_INST_RETIRED.ALL_BRANCHES", "cpu_core/branches/u",
        "r20c4", "r20c4:u", "cpu/r20c4/u", "event=0xc4,umask=0x20:u", "cpu_atom/event=0xc4/u",
        "ex_ret_brn_tkn:u", "branches_event", "branches_sample", "br_inst_retired.near_taken_event",
        "armv8_pmuv3/br_retired/", "ARMV8_PMUV3_0/BR_RETIRED/:u"})
    EXPECT_TRUE(names_branches(name)) << name;
  for (const char* name : {"",
                           "samples",
                           "cpu",
                           "cycles:u",
                           "cycles_event",
                           "cpu-clock",
                           "instructions",
                           "r",
                           "r3c",
                           "r1000000c4",
                           "ref-cycles",
                           "branch-misses",
                           "br_misp_retired.all_branches",
                           "alloc_space",
                           "inuse_objects",
                           "contentions",
                           "delay",
                           "wall",
                           "uncore_imc/event=0xc4/",
                           "uncore_imc/r20c4/",
                           "armv8_pmuv3/cpu_cycles/",
                           "armv8_pmuv3//"})
    EXPECT_FALSE(names_branches(name)) << name;
}

}  // namespace
}  // namespace pgo::test::event_choice_test

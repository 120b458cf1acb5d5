// Which event to give `perf record`, so that branch stacks come out, or at least samples of where
// time goes, and why it would not work here. Pure functions of what the machine says about itself:
// no PMU is needed to test them.
//
//   for (const PerfRecipe& recipe : perf_recipes(parse_cpu_identity(cpuinfo, pmus)))
//     try_it(perf_record_arguments(recipe, ...));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/result.h"

namespace pgo {

enum class CpuVendor { kIntel, kAmd, kArm, kOther };

struct CpuIdentity {
  CpuVendor vendor = CpuVendor::kOther;
  std::string name;             // for messages; may be empty
  bool has_brs = false;         // AMD Zen 3: branch sampling, 16 deep
  bool has_lbr_v2 = false;      // AMD Zen 4 and later: LbrExtV2, 16 deep
  bool is_virtual = false;      // runs under a hypervisor
  bool has_hybrid_pmu = false;  // Intel with two kinds of cores: cpu_core and cpu_atom

  bool operator==(const CpuIdentity&) const = default;
};

// Reads /proc/cpuinfo's text and the names in /sys/bus/event_source/devices.
CpuIdentity parse_cpu_identity(std::string_view cpuinfo, const std::vector<std::string>& pmus);

struct PerfRecipe {
  std::string event;        // as perf's -e takes it
  uint64_t period = 0;      // of that event
  std::string explanation;  // what is sampled, for the user
  bool branch_stacks = true;

  bool operator==(const PerfRecipe&) const = default;
};

// The recipes worth a trial on that processor, the best first; never empty. Taken branches are
// preferred to cycles: then each taken branch is as likely to be in a sample as any other.
std::vector<PerfRecipe> perf_recipes(const CpuIdentity& cpu);

// Where a program spends its time, without branch stacks: what any machine can record. perf leaves
// the kernel out for users who may not see it.
PerfRecipe clock_recipe();
// The same as a second recording beside branch records, used only for comparisons: a quarter of the
// samples.
PerfRecipe cost_recipe();

// What perf prints itself: nothing, or all of it.
enum class PerfOutput { kQuiet, kVerbose };

// What `perf record` is given for a recipe, `perf` first; the command or process comes behind.
std::vector<std::string> perf_record_arguments(const std::string& perf, const PerfRecipe& recipe,
                                               const std::string& output,
                                               PerfOutput printed = PerfOutput::kVerbose);

// How a trial of a recipe went.
struct PerfTrial {
  PerfRecipe recipe;
  int exit_status = 0;
  uint64_t branch_stacks = 0;  // that perf script finds in what was recorded
  std::string error;           // what perf wrote to standard error

  bool worked() const { return exit_status == 0 && branch_stacks > 0; }
};

// A process that is to be recorded, and who asks.
struct ProcessAccess {
  int64_t pid = 0;
  uint32_t owner = 0;          // user ID that /proc/PID is of
  uint32_t user = 0;           // our effective user ID
  bool may_profile = false;    // CAP_PERFMON or CAP_SYS_ADMIN
  bool may_trace = false;      // CAP_SYS_PTRACE
  bool perf_has_caps = false;  // perf's file has capabilities of its own
  int paranoid = 2;            // kernel.perf_event_paranoid; -1 to 4
};

// Why the kernel will refuse to have the process recorded; nothing when it will not, or when only
// perf can tell. The kernel's rule (kernel/events/core.c, perf_event_open): CAP_PERFMON, or what
// ptrace needs, which is the process's own user or CAP_SYS_PTRACE.
std::optional<Error> explain_forbidden_process(const ProcessAccess& access);

// What else decides why no trial worked.
struct PerfHost {
  CpuIdentity cpu;
  int paranoid = 2;             // kernel.perf_event_paranoid; -1 to 4
  bool is_privileged = false;   // root or CAP_PERFMON
  bool software_events = true;  // whether even a software event of ours can be opened
};

// kUnsupported, from the last trial: what is missing, and what can be done about it.
Error explain_failed_trial(const PerfTrial& trial, const PerfHost& host);

}  // namespace pgo

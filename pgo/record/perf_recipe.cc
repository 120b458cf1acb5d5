// The events are given by number, because perf knows their names only on machines whose tables its
// package has. Sources: Intel's event lists (BR_INST_RETIRED.NEAR_TAKEN is event C4h, mask 20h, on
// Core processors from Sandy Bridge on), AMD's (RETIRED_TAKEN_BRANCH_INSTRUCTIONS is C4h), the
// kernel's Documentation/dev-tools/autofdo.rst, and BOLT's and llvm-profgen's instructions, which
// fall back to cycles. Periods are primes.
#include "pgo/record/perf_recipe.h"

#include <algorithm>
#include <cstring>

namespace pgo {
namespace {

// About 4000 samples a second where the processor takes 2e9 branches or 8e9 cycles a second.
constexpr uint64_t kBranchPeriod = 500'009;
constexpr uint64_t kCyclePeriod = 2'000'003;
constexpr uint64_t kClockPeriod = 250'007;   // nanoseconds
constexpr uint64_t kCostPeriod = 1'000'003;  // nanoseconds

// The value of the first line "name : value"; empty when there is none.
std::string_view cpuinfo_value(std::string_view cpuinfo, std::string_view name) {
  while (!cpuinfo.empty()) {
    std::string_view line = cpuinfo.substr(0, cpuinfo.find('\n'));
    cpuinfo.remove_prefix(std::min(line.size() + 1, cpuinfo.size()));
    size_t colon = line.find(':');
    if (!line.starts_with(name) || colon == std::string_view::npos) continue;
    if (line.substr(name.size(), colon - name.size()).find_first_not_of(" \t") !=
        std::string_view::npos) {
      continue;
    }
    line.remove_prefix(std::min(line.size(), colon + 2));
    return line;
  }
  return {};
}

bool has_word(std::string_view words, std::string_view word) {
  for (size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
      return true;
  }
  return false;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// perf's complaint, in one line; empty when it said nothing.
std::string first_complaint(std::string_view error) {
  while (!error.empty()) {
    std::string_view line = error.substr(0, error.find('\n'));
    error.remove_prefix(std::min(line.size() + 1, error.size()));
    if (line.empty() || line == "Error:") continue;
    if (line.ends_with('.')) line.remove_suffix(1);
    return std::string(line);
  }
  return "";
}

// Of a perf that said nothing; exit codes that no signal stands for are perf's own.
std::string describe_silent_end(int exit_status) {
  if (const char* signal = ::sigabbrev_np(exit_status - 128))
    return std::string("perf was ended by SIG") + signal + ", without a message";
  return "perf ended with exit code " + std::to_string(exit_status) + ", without a message";
}

// What is missing, and what to do about it.
struct Explanation {
  std::string cause, advice;
};

Explanation explain_permission(const PerfHost& host) {
  if (!host.software_events && (host.is_privileged || host.paranoid <= 2)) {
    return {"perf_event_open is forbidden here, as container runtimes do by default",
            "run the container with --cap-add PERFMON and a seccomp profile that allows "
            "perf_event_open, or record on the host"};
  }
  return {"the kernel does not allow it for this user (kernel.perf_event_paranoid is " +
              std::to_string(host.paranoid) + ")",
          "set kernel.perf_event_paranoid to 2 or lower (sysctl kernel.perf_event_paranoid=2), or "
          "record as root"};
}

Explanation explain_hardware(const PerfHost& host) {
  constexpr const char* kOnSuchAHost = "record on such a host";
  if (host.cpu.is_virtual) {
    return {
        "this is a virtual machine, and its hypervisor does not pass the processor's branch "
        "records on",
        "record on a bare-metal host or a metal instance"};
  }
  switch (host.cpu.vendor) {
    case CpuVendor::kAmd:
      return {
          "AMD processors record branches from Zen 3 on (Linux 5.19 or later for Zen 3, 6.1 or "
          "later for Zen 4)",
          kOnSuchAHost};
    case CpuVendor::kArm:
      return {"Arm processors record branches where they have BRBE and Linux is 6.17 or later",
              kOnSuchAHost};
    default:
      return {"this processor has no branch records that the kernel can read",
              "record on another host"};
  }
}

}  // namespace

CpuIdentity parse_cpu_identity(std::string_view cpuinfo, const std::vector<std::string>& pmus) {
  CpuIdentity cpu;
  std::string_view vendor = cpuinfo_value(cpuinfo, "vendor_id");
  if (vendor == "GenuineIntel") cpu.vendor = CpuVendor::kIntel;
  if (vendor == "AuthenticAMD" || vendor == "HygonGenuine") cpu.vendor = CpuVendor::kAmd;
  if (!cpuinfo_value(cpuinfo, "CPU implementer").empty()) cpu.vendor = CpuVendor::kArm;
  cpu.name = cpuinfo_value(cpuinfo, "model name");
  std::string_view flags = cpuinfo_value(cpuinfo, "flags");
  cpu.has_brs = has_word(flags, "brs");
  cpu.has_lbr_v2 = has_word(flags, "amd_lbr_v2");
  cpu.is_virtual = has_word(flags, "hypervisor");
  for (const std::string& pmu : pmus) {
    if (pmu == "cpu_core") cpu.has_hybrid_pmu = true;
  }
  return cpu;
}

std::vector<PerfRecipe> perf_recipes(const CpuIdentity& cpu) {
  std::vector<PerfRecipe> recipes;
  if (cpu.vendor == CpuVendor::kIntel && cpu.has_hybrid_pmu) {
    // One event only: two would be two recordings in one file. The performance cores' it is.
    recipes.push_back({"cpu_core/event=0xc4,umask=0x20,name=br_inst_retired.near_taken/upp",
                       kBranchPeriod, "taken branches on the performance cores (Intel LBR)"});
    recipes.push_back(
        {"cpu_core/cycles/u", kCyclePeriod, "cycles of the performance cores (Intel LBR)"});
    return recipes;
  }
  if (cpu.vendor == CpuVendor::kIntel) {
    recipes.push_back({"cpu/event=0xc4,umask=0x20,name=br_inst_retired.near_taken/upp",
                       kBranchPeriod, "taken branches (Intel LBR)"});
  } else if (cpu.vendor == CpuVendor::kAmd && cpu.has_lbr_v2) {
    recipes.push_back(
        {"cpu/event=0xc4,name=ex_ret_brn_tkn/u", kBranchPeriod, "taken branches (AMD LbrExtV2)"});
  } else if (cpu.vendor == CpuVendor::kAmd && cpu.has_brs) {
    // The only event that the kernel samples branches with on these, and only by a fixed period.
    recipes.push_back({"cpu/branch-brs/u", kBranchPeriod, "taken branches (AMD BRS)"});
    return recipes;
  }
  recipes.push_back({"cycles:u", kCyclePeriod, "cycles"});
  return recipes;
}

PerfRecipe clock_recipe() {
  return {"cpu-clock", kClockPeriod, "CPU time (no branch records)", false};
}

PerfRecipe cost_recipe() { return {"cpu-clock", kCostPeriod, "CPU time", false}; }

std::vector<std::string> perf_record_arguments(const std::string& perf, const PerfRecipe& recipe,
                                               const std::string& output, PerfOutput printed) {
  std::vector<std::string> arguments = {perf, "record"};
  if (printed == PerfOutput::kQuiet) arguments.push_back("-q");
  arguments.insert(arguments.end(), {"-e", recipe.event});
  if (recipe.branch_stacks) arguments.insert(arguments.end(), {"-j", "any,u"});
  arguments.insert(arguments.end(),
                   {"-c", std::to_string(recipe.period), "--buildid-mmap", "-N", "-o", output});
  return arguments;
}

std::optional<Error> explain_forbidden_process(const ProcessAccess& access) {
  if (access.owner == access.user || access.may_profile || access.may_trace || access.perf_has_caps)
    return std::nullopt;
  std::string missing = "CAP_PERFMON or CAP_SYS_PTRACE";
  if (access.paranoid > 2)
    missing += " (kernel.perf_event_paranoid is " + std::to_string(access.paranoid) +
               ", so that you cannot record even your own processes)";
  return Error{ErrorKind::kUnsupported,
               "process " + std::to_string(access.pid) + " belongs to user " +
                   std::to_string(access.owner) + ", and user " + std::to_string(access.user) +
                   " lacks " + missing,
               access.user == 0 ? "run the container with --cap-add PERFMON, or record on the host"
                                : "record as root or as user " + std::to_string(access.owner)};
}

Error explain_failed_trial(const PerfTrial& trial, const PerfHost& host) {
  const bool branches = trial.recipe.branch_stacks;
  const bool recorded_none = trial.exit_status == 0;
  const std::string complaint = first_complaint(trial.error);
  const bool silent = !recorded_none && complaint.empty();
  std::string seen =
      recorded_none ? "its recording of a program that takes many branches has no branch records"
      : silent      ? describe_silent_end(trial.exit_status)
                    : complaint;
  bool forbidden = !recorded_none &&
                   (contains(trial.error, "perf_event_paranoid") ||
                    contains(trial.error, "ermission") || contains(trial.error, "not permitted"));
  const std::string what =
      std::string("perf cannot record ") + (branches ? "branches" : "CPU time") + " here: ";
  const std::string details = trial.recipe.event + ": " + seen;
  // The clock needs no hardware, and where hardware is missing, perf says so.
  if (silent || (!branches && !forbidden && host.software_events))
    return {ErrorKind::kUnsupported, what + details,
            "'perf record -e " + trial.recipe.event + " -- true' shows all that perf says"};
  Explanation why = branches && !forbidden ? explain_hardware(host) : explain_permission(host);
  return {ErrorKind::kUnsupported, what + why.cause + " (" + details + ")", why.advice};
}

}  // namespace pgo

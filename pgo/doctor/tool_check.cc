#include "pgo/doctor/tool_check.h"

#include <fstream>

#include "bolt/llvm_bolt.h"
#include "bolt/perf2bolt.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/record/emulate.h"
#include "pgo/record/installed_library.h"
#include "pgo/record/perf_recorder.h"
#include "pgo/record/step_recorder.h"
#include "pgo/record/step_trial.h"

namespace pgo {
namespace {

struct Tool {
  std::string_view name, package, loss;
};
constexpr Tool kTools[] = {
    {"llvm-profgen", "llvm-22", "\xFF{check-against} and \xFF{with} llvm-profgen cannot be used"},
    {"llvm-strip", "llvm-22",
     "programs that llvm-bolt wrote cannot be stripped: GNU strip destroys "
     "them"},
    {"ld.lld", "lld-22", "clang uses another linker; any linker but gold works"},
};

std::string paranoid_text() {
  std::string level;
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
  return level.empty() ? "unknown" : level;
}

// Whether perf records anything: branch stacks, or where time goes.
bool check_perf(const std::string& search_path, Findings& findings) {
  Result<PerfSetup> setup = find_perf_setup(search_path);
  if (setup) {
    findings.ok("perf", setup->perf + " records branches: " + setup->recipe.event +
                            "; kernel.perf_event_paranoid is " + paranoid_text());
    return true;
  }
  Error error = setup.error();
  bool has_perf = find_program("perf", search_path).has_value();
  if (has_perf) error.message += "\n  kernel.perf_event_paranoid is " + paranoid_text();
  // Where time goes is what is left where there are no branch records.
  const Result<PerfSetup> clock = find_clock_setup(search_path);
  const bool has_clock = has_perf && clock;
  if (has_clock)
    error.advice += (error.advice.empty() ? "" : ", or ") +
                    std::string("record PC samples here: pgo record \xFF{engine} clock");
  findings.add(Verdict::kWarning, "perf", error);
  if (has_clock)
    findings.ok("clock", clock->perf +
                             " records PC samples by CPU time: pgo record \xFF{engine} clock; "
                             "branch counts are inferred");
  return has_clock;
}

// Do single steps work on this machine? Whether a program can be stepped is for check_binary().
bool check_steps(Findings& findings) {
  Result<std::string> library = find_step_library("");
  Result<StepCost> cost = try_steps();
  if (!cost || !library)
    findings.add(Verdict::kWarning, "steps", cost ? library.error() : cost.error());
  else
    findings.ok("steps",
                "single steps record branches of programs that pgo starts: pgo record "
                "\xFF{engine} step");
  return cost && library;
}

Result<bool> check_emulation(const std::string& search_path, Findings& findings) {
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  EmulationOptions options;
  options.emulator.search_path = search_path;
  options.emulator.otherwise = "use \xFF{engine} perf";
  Result<Emulator> emulator = find_emulator(options.emulator, EmulatorPlugin::kBranchRecorder);
  if (!emulator) {
    findings.add(Verdict::kWarning, "emulation", emulator.error());
    return false;
  }
  options.command = {find_program("true", search_path + ":/usr/bin:/bin").value_or("true")};
  options.output = directory.file("true.data");
  options.period = 101;
  Result<EmulatedRun> run = record_emulated(options);
  if (!run || run->totals.samples == 0) {
    findings.add({Verdict::kWarning, "emulation",
                  run ? emulator->qemu + " runs, but nothing is recorded" : run.error().message,
                  ""});
    return false;
  }
  findings.ok("emulation", emulator->qemu + " with " + emulator->plugin + " records");
  return true;
}

}  // namespace

void check_llvm_tools(const std::string& search_path, const std::string& llvm_directory,
                      Findings& findings) {
  for (const Tool& tool : kTools) {
    std::string name(tool.name);
    std::optional<std::string> found = find_program(name + "-22", search_path);
    if (!found) found = find_program(name, search_path);
    if (!found) found = find_program(name, llvm_directory);
    if (found)
      findings.ok(name, *found);
    else
      findings.add({Verdict::kWarning, name, "not found: " + std::string(tool.loss),
                    "install " + std::string(tool.package)});
  }
}

void check_bolt(const std::string& search_path, const std::string& llvm_bolt, Findings& findings) {
  const std::string path = search_path + ":" + kDebianLlvmDirectory;
  Result<Perf2bolt> perf2bolt = find_perf2bolt({"", path});
  // As `pgo bolt` looks for it.
  Result<LlvmBolt> bolt = find_llvm_bolt({llvm_bolt, perf2bolt ? perf2bolt->program : "", path});
  if (bolt)
    findings.ok("llvm-bolt", bolt->version + " (" + bolt->program + ")");
  else
    findings.add(Verdict::kWarning, "llvm-bolt", bolt.error());
  if (perf2bolt)
    findings.ok("perf2bolt",
                std::to_string(perf2bolt->llvm_major) + " (" + perf2bolt->program + ")");
  else
    findings.add(Verdict::kWarning, "perf2bolt", perf2bolt.error());
}

Result<void> check_recording(const std::string& search_path, Findings& findings) {
  const bool by_perf = check_perf(search_path, findings);
  const bool by_steps = check_steps(findings);
  PGO_TRY(const bool by_emulation, check_emulation(search_path, findings));
  if (!by_perf && !by_steps && !by_emulation)
    findings.add({Verdict::kMissing, "recording",
                  "neither perf nor single steps nor emulation work here",
                  "set up one of these; recordings of other machines can still be converted"});
  return ok();
}

}  // namespace pgo

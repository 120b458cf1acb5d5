// Everything here runs perf; what to run it with is perf_recipe's. perf writes to a file beside the
// output, which takes the output's place once it holds a recording.
#include "pgo/record/perf_recorder.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "pgo/base/deferred_termination.h"
#include "pgo/base/program_start.h"
#include "pgo/base/subprocess.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/record/foreground.h"
#include "pgo/record/recording_output.h"

namespace pgo {
namespace {

constexpr uint64_t kTrialPeriod = 1009;  // `true` takes tens of thousands of branches

std::string read_text(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> list_pmus() {
  std::vector<std::string> names;
  std::error_code reason;
  std::filesystem::directory_iterator devices("/sys/bus/event_source/devices", reason);
  if (reason) return names;
  for (const auto& device : devices) names.push_back(device.path().filename().string());
  return names;
}

uint64_t count_branch_stacks(const std::string& text) {
  // One line for each sample; a branch is FROM/TO/flags.
  uint64_t stacks = 0;
  bool has_branch = false;
  for (char c : text) {
    if (c == '/') has_branch = true;
    if (c != '\n') continue;
    stacks += has_branch;
    has_branch = false;
  }
  return stacks;
}

Result<PerfTrial> try_recipe(const std::string& perf, PerfRecipe recipe) {
  PerfTrial trial;
  trial.recipe = recipe;
  recipe.period = kTrialPeriod;
  DeferredTermination termination;
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  const std::string data = directory.file("perf.data");
  std::vector<std::string> command = perf_record_arguments(perf, recipe, data);
  command.insert(command.end(), {"--", "true"});
  PGO_TRY(ProcessResult recorded, run_subprocess(command));
  trial.exit_status = recorded.exit_status;
  trial.error = recorded.error;
  if (recorded.exit_status != 0 || !recipe.branch_stacks) return trial;
  PGO_TRY(ProcessResult printed, run_subprocess({perf, "script", "-F", "brstack", "-i", data}));
  trial.branch_stacks = count_branch_stacks(printed.output);
  return trial;
}

int read_paranoid() {
  constexpr int kKernelDefault = 2;
  std::string text = read_text("/proc/sys/kernel/perf_event_paranoid");
  return text.empty() ? kKernelDefault : std::atoi(text.c_str());
}

Result<PerfHost> describe_host(const std::string& perf, const CpuIdentity& cpu) {
  PerfHost host;
  host.cpu = cpu;
  host.paranoid = read_paranoid();
  host.is_privileged = ::geteuid() == 0;
  PGO_TRY(ProcessResult counted,
          run_subprocess({perf, "stat", "-e", "task-clock:u", "--", "true"}));
  host.software_events = counted.exit_status == 0;
  return host;
}

Result<std::string> find_perf(const std::string& search_path) {
  std::optional<std::string> perf = find_program("perf", search_path);
  if (perf) return *std::move(perf);
  return fail(ErrorKind::kUnsupported, "perf was not found",
              "install it (Debian: apt-get install linux-perf; Ubuntu: linux-tools-generic; "
              "Fedora: perf)");
}

Result<void> check_exists(int64_t pid) {
  if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH)
    return fail(ErrorKind::kUsage, "there is no process " + std::to_string(pid));
  return ok();
}

// The effective capabilities of this process, a bit each.
uint64_t effective_capabilities() {
  constexpr std::string_view kField = "\nCapEff:";
  std::string status = read_text("/proc/self/status");
  size_t at = status.find(kField);
  return at == status.npos ? 0 : std::strtoull(status.c_str() + at + kField.size(), nullptr, 16);
}

Result<void> check_options(const PerfOptions& options) {
  if (options.pids.empty() && (options.command.empty() || options.command[0].empty()))
    return fail(ErrorKind::kUsage,
                "there is no command to record: put it after --, or use \xFF{pid}");
  for (int64_t pid : options.pids) PGO_CHECK(check_exists(pid));
  if (!options.command.empty() && !find_program(options.command[0], search_path_from_environment()))
    return fail(ErrorKind::kUsage,
                options.command[0] + ": is not a program that can be run here" +
                    (options.command[0].find('/') == std::string::npos ? ", or not in PATH" : ""));
  return ok();
}

// The kind of the warning that a file could not keep the owner of the one that it replaces.
constexpr const char* kOutputOwner = "output-owner";

// The recording of branches is whole by now; without the one beside it, it is as good.
void place_cost(const RecordingOutput& cost, const char* name, const std::string& path,
                PerfRun& run) {
  if (!holds_recording(cost.file(name))) {
    run.diagnostics.warn("no-clock-recording",
                         path + " was not written: perf left no recording of CPU time");
    return;
  }
  Result<std::string> placed = cost.place(name);
  run.has_cost = placed.has_value();
  if (!placed)
    run.diagnostics.warn("no-clock-recording",
                         path + " was not written: " + placed.error().message);
  else if (!placed->empty())
    run.diagnostics.warn(kOutputOwner, *placed);
}

}  // namespace

Result<void> check_process(int64_t pid, const std::string& search_path) {
  PGO_CHECK(check_exists(pid));
  struct stat process{};
  // Where /proc is not there or hides processes, perf finds out.
  if (::stat(("/proc/" + std::to_string(pid)).c_str(), &process) != 0) return ok();
  uint64_t capabilities = effective_capabilities();
  auto has = [&](unsigned bit) { return (capabilities >> bit & 1) != 0; };
  constexpr unsigned kSysPtrace = 19, kSysAdmin = 21, kPerfmon = 38;  // linux/capability.h
  ProcessAccess access{.pid = pid, .owner = process.st_uid, .user = ::geteuid()};
  access.may_profile = has(kPerfmon) || has(kSysAdmin);
  access.may_trace = has(kSysPtrace);
  std::optional<std::string> perf = find_program("perf", search_path);
  access.perf_has_caps = perf && ::getxattr(perf->c_str(), "security.capability", nullptr, 0) > 0;
  access.paranoid = read_paranoid();
  if (std::optional<Error> error = explain_forbidden_process(access)) return fail(*error);
  return ok();
}

Result<PerfSetup> find_perf_setup(const std::string& search_path) {
  PGO_TRY(std::string perf, find_perf(search_path));
  CpuIdentity cpu = parse_cpu_identity(read_text("/proc/cpuinfo"), list_pmus());
  PerfTrial last;
  for (const PerfRecipe& recipe : perf_recipes(cpu)) {
    PGO_TRY(last, try_recipe(perf, recipe));
    if (!last.worked()) continue;
    PerfSetup setup{perf, recipe, std::nullopt};
    PGO_TRY(PerfTrial beside, try_recipe(perf, cost_recipe()));
    if (beside.exit_status == 0) setup.cost = beside.recipe;
    return setup;
  }
  PGO_TRY(PerfHost host, describe_host(perf, cpu));
  return fail(explain_failed_trial(last, host));
}

Result<PerfSetup> find_clock_setup(const std::string& search_path) {
  PGO_TRY(std::string perf, find_perf(search_path));
  PGO_TRY(PerfTrial trial, try_recipe(perf, clock_recipe()));
  if (trial.exit_status == 0) return PerfSetup{perf, trial.recipe, std::nullopt};
  CpuIdentity cpu = parse_cpu_identity(read_text("/proc/cpuinfo"), list_pmus());
  PGO_TRY(PerfHost host, describe_host(perf, cpu));
  return fail(explain_failed_trial(trial, host));
}

std::vector<std::string> perf_command(const PerfSetup& setup, const PerfOptions& options) {
  std::vector<std::string> command;
  std::string pids;
  for (int64_t pid : options.pids) pids += (pids.empty() ? "" : ",") + std::to_string(pid);
  auto add_perf = [&](const PerfRecipe& recipe, const std::string& output) {
    if (!command.empty()) command.push_back("--");
    std::vector<std::string> arguments =
        perf_record_arguments(setup.perf, recipe, output, options.printed);
    command.insert(command.end(), arguments.begin(), arguments.end());
    if (!pids.empty()) command.insert(command.end(), {"--pid", pids});
  };
  PerfRecipe recipe = setup.recipe;
  recipe.period = options.period.value_or(recipe.period);
  add_perf(recipe, options.output);
  if (setup.cost && !options.cost_output.empty()) add_perf(*setup.cost, options.cost_output);
  if (!options.command.empty()) {
    command.push_back("--");
    command.insert(command.end(), options.command.begin(), options.command.end());
  }
  return command;
}

Result<PerfRun> record_with_perf(const PerfSetup& setup, const PerfOptions& options) {
  PGO_CHECK(check_options(options));
  PerfOptions beside = options;
  Foreground foreground;
  constexpr const char* kWhole = "perf.data";
  PGO_TRY(RecordingOutput output, RecordingOutput::prepare(options.output));
  beside.output = output.file(kWhole);
  std::optional<RecordingOutput> cost;
  if (setup.cost && !options.cost_output.empty()) {
    PGO_TRY(cost, RecordingOutput::prepare(options.cost_output));
    beside.cost_output = cost->file(kWhole);
  }
  options.starting();
  // perf finishes its file on SIGTERM; SIGHUP would end it in the middle.
  PGO_TRY(int exit_status,
          foreground.run(perf_command(setup, beside), current_environment(), SIGTERM));
  if (!holds_recording(beside.output)) {
    bool quiet = options.printed == PerfOutput::kQuiet;
    return fail(
        ErrorKind::kIo,
        setup.perf + " ended with status " + std::to_string(exit_status) + " and left no recording",
        quiet ? "its output is above; \xFF{verbose} makes it print more" : "its output is above");
  }
  PGO_TRY(const std::string warning, output.place(kWhole));
  PerfRun run;
  if (!warning.empty()) run.diagnostics.warn(kOutputOwner, warning);
  if (cost) place_cost(*cost, kWhole, options.cost_output, run);
  bool interrupted = exit_status == 128 + SIGINT || exit_status == 128 + SIGTERM;
  run.exit_status = !options.pids.empty() && interrupted ? 0 : exit_status;
  return run;
}

}  // namespace pgo

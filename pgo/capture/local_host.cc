#include "pgo/capture/local_host.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "pgo/base/clock.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/capture/overhead_budget.h"
#include "pgo/record/timed_recording.h"
#include "pgo/upload/upload.h"

namespace pgo {
namespace {

constexpr size_t kMostProcesses = 256;  // in a recording by perf

// At most kMostProcesses of them, those with the most CPU time.
std::vector<ServiceProcess> busiest(std::vector<ServiceProcess> processes) {
  if (processes.size() <= kMostProcesses) return processes;
  std::stable_sort(processes.begin(), processes.end(),
                   [](const ServiceProcess& a, const ServiceProcess& b) { return a.cpu > b.cpu; });
  processes.resize(kMostProcesses);
  return processes;
}

double seconds_of(int who) {
  rusage used{};
  ::getrusage(who, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class ThisMachine final : public LocalHost {
 public:
  ThisMachine(const LocalHostOptions& options, const CaptureRequest& request, PerfSetup setup)
      : options_(options),
        duration_(request.duration),
        labels_(request.labels),
        setup_(std::move(setup)) {
    if (options_.period)
      period_ = *options_.period;
    else if (setup_.recipe.branch_stacks || !request.interval)
      period_ = setup_.recipe.period;
    else
      period_ = affordable_clock_period(setup_.recipe.period, request.max_overhead);
  }

  // The requests to end were followed: they are taken, and this process ends by itself.
  ~ThisMachine() override {
    sigset_t requests;
    ::sigemptyset(&requests);
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&requests, signal);
    const timespec at_once{};
    while (termination_.any() && ::sigtimedwait(&requests, nullptr, &at_once) > 0) {
    }
  }

  LocalEngine engine() const override {
    return {setup_.recipe.branch_stacks, setup_.recipe.explanation, period_,
            setup_.cost.has_value()};
  }

  int64_t now() const override { return time_now(); }
  void wait_until(int64_t time) override;
  bool is_asked_to_end() const override { return options_.end->time().has_value(); }
  bool is_time_over() const override { return options_.end->is_over(); }
  bool is_paused() const override {
    struct stat status{};
    return !options_.pause_file.empty() && ::stat(options_.pause_file.c_str(), &status) == 0;
  }
  double cpu_time() const override { return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN); }
  Result<std::vector<ServiceProcess>> find_processes() const override {
    return pgo::find_processes(options_.service, options_.kernel.proc);
  }
  std::vector<CpuCounter> cpu_counters(
      const std::vector<ServiceProcess>& processes) const override {
    return pgo::cpu_counters(options_.service, processes, options_.kernel);
  }
  Result<HostRecording> record(const std::vector<ServiceProcess>& running,
                               const std::string& directory) override;
  Result<Diagnostics> send(const std::string& path, const Labels& labels) override;

 private:
  LocalHostOptions options_;
  int64_t duration_;  // of a recording, in nanoseconds
  Labels labels_;
  DeferredTermination termination_;
  PerfSetup setup_;
  uint64_t period_ = 0;
};

// The clock may be set meanwhile, so it is asked again and again; set back, it makes this no
// longer.
void ThisMachine::wait_until(int64_t time) {
  constexpr int64_t kMillisecond = 1'000'000, kLongest = 10'000;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const std::chrono::nanoseconds most(time - now());
  while (!is_asked_to_end() && Clock::now() - begin <= most) {
    const int64_t left = (time - now() + kMillisecond - 1) / kMillisecond;
    if (left <= 0) return;
    pollfd waiting{termination_.fd(), POLLIN, 0};
    ::poll(&waiting, 1, static_cast<int>(std::min(left, kLongest)));
  }
}

Result<HostRecording> ThisMachine::record(const std::vector<ServiceProcess>& running,
                                          const std::string& directory) {
  constexpr int64_t kMillisecond = 1'000'000;
  const std::vector<ServiceProcess> processes = busiest(running);
  TimedRecording wanted;
  for (const ServiceProcess& process : processes) wanted.pids.push_back(process.pid);
  PGO_CHECK(check_process(wanted.pids[0], options_.search_path));
  wanted.duration = std::chrono::milliseconds(duration_ / kMillisecond);
  wanted.directory = directory;
  wanted.period = period_;
  const ProcessBinaries binaries = ProcessBinaries::open(processes, options_.kernel.proc);
  HostRecording recording;
  const auto begin = std::chrono::steady_clock::now();  // the clock may be set meanwhile
  PGO_TRY(const TimedRun run, record_for_some_time(setup_, wanted, termination_));
  recording.end = now();
  recording.begin =
      recording.end - std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
  (void)is_asked_to_end();  // its time begins now, and not after the profile is made
  if (run.recording.empty())
    return fail(ErrorKind::kIo, setup_.perf + " left no recording: " + run.complaint);
  const auto origins_of = [&](const Labels& labels) {
    return Origins::of(labels, Origins::Window{recording.begin, recording.end + 1});
  };
  PGO_TRY(recording.profile, make_recorded_profile(run.recording, binaries, origins_of(labels_)));
  if (processes.size() < running.size())
    recording.profile.diagnostics.warn(kManyProcesses,
                                       "more than 256 processes run; only the 256 with the most "
                                       "CPU time are recorded");
  if (!run.clock_recording.empty()) {
    Labels clock_labels = labels_;
    clock_labels["service"] = clock_service(clock_labels["service"]);
    Result<RecordedProfile> made =
        make_recorded_profile(run.clock_recording, binaries, origins_of(clock_labels));
    if (made)
      recording.clock_profile = *std::move(made);
    else
      recording.profile.diagnostics.warn(
          kNoClockProfile,
          "the clock samples beside the branch records cannot be used: " + made.error().message);
  } else if (setup_.cost) {
    recording.profile.diagnostics.warn(kNoClockProfile,
                                       "perf left no clock samples beside the branch records");
  }
  return recording;
}

Result<Diagnostics> ThisMachine::send(const std::string& path, const Labels& labels) {
  UploadRequest request;
  request.files = {path};
  request.labels = labels;
  request.destination = options_.destination;
  PGO_TRY(UploadResult result, upload(request));
  return std::move(result.diagnostics);
}

Result<PerfSetup> find_setup(const LocalHostOptions& options) {
  switch (options.engine) {
    case EngineWish::kClock: return find_clock_setup(options.search_path);
    case EngineWish::kPerf: return find_perf_setup(options.search_path);
    case EngineWish::kEmulate:
    case EngineWish::kStep:
      return fail(ErrorKind::kUsage,
                  std::string("\xFF{engine} ") +
                      (options.engine == EngineWish::kStep ? "step" : "emulate") +
                      " runs a command from its start",
                  "a service that runs is recorded with \xFF{engine} perf or clock");
    case EngineWish::kAny: break;
  }
  Result<PerfSetup> setup = find_perf_setup(options.search_path);
  if (setup || setup.error().kind != ErrorKind::kUnsupported) return setup;
  return find_clock_setup(options.search_path);
}

}  // namespace

Result<std::unique_ptr<LocalHost>> LocalHost::open(const LocalHostOptions& options,
                                                   const CaptureRequest& request) {
  PGO_TRY(PerfSetup setup, find_setup(options));
  return std::unique_ptr<LocalHost>(
      std::make_unique<ThisMachine>(options, request, std::move(setup)));
}

}  // namespace pgo

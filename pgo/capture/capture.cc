#include "pgo/capture/capture.h"

#include <algorithm>
#include <set>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/capture/capture_schedule.h"
#include "pgo/capture/overhead_budget.h"
#include "pgo/capture/service_cpu.h"
#include "pgo/capture/spool_sender.h"

namespace pgo {
namespace {

constexpr const char* kServiceLabel = "service";

std::string full_text(const Error& error) {
  return error.message + (error.advice.empty() ? "" : "; " + error.advice);
}

// None of no recording.
std::vector<const RecordedProfile*> profiles_of(const HostRecording* recording) {
  std::vector<const RecordedProfile*> profiles;
  if (recording != nullptr) profiles.push_back(&recording->profile);
  if (recording != nullptr && recording->clock_profile)
    profiles.push_back(&*recording->clock_profile);
  return profiles;
}

Error unusable(const RecordedProfile& profile) {
  return {ErrorKind::kEmpty,
          "none of " + format_count(profile.samples, "sample") +
              " can be used: each is of a file that has no build ID, or that cannot be read any "
              "more",
          "link with -Wl,--build-id; to read replaced files, give pgo CAP_CHECKPOINT_RESTORE"};
}

// An error may come after a profile was kept.
struct KeptRecording {
  RecordingEnd end = RecordingEnd::kFailed;
  std::optional<Error> error;
};

class Capturing {
 public:
  Capturing(const CaptureRequest& request, CaptureHost& host, Spool& spool)
      : request_(request),
        host_(host),
        spool_(spool),
        budget_(request.max_overhead),
        sender_(host, spool, [this](const std::string& text) { warn_once(text); }),
        begun_before_(spool.counts().recordings.begun),
        cpu_at_start_(host.cpu_time()),
        cpu_paid_(cpu_at_start_) {}

  Result<CaptureResult> run();

 private:
  Result<void> loop(int64_t interval);
  Result<void> wait_for_turn(int64_t time, int64_t interval);
  Result<void> turn();
  Result<void> skip(SkippedTurn why, const std::string& text);
  Result<void> record(std::vector<ServiceProcess> processes);
  Result<HostRecording> record_processes(std::vector<ServiceProcess>& processes);
  KeptRecording keep(const HostRecording& recording);
  Error without_samples() const;
  void warn_of_another_build(const std::string& program);
  Result<void> add(const RecordedProfile& profile, int64_t time, Labels labels);
  Result<void> send();
  Result<void> send_what_is_new();
  void tell_of_others() const;
  bool has_ended(std::vector<ServiceProcess>& processes);
  Result<void> keep_error(const Error& error);
  void pay(const HostRecording* recording);
  void tell_of(const HostRecording& recording, size_t processes) const;
  void warn_once(const std::string& text);

  const CaptureRequest& request_;
  CaptureHost& host_;
  Spool& spool_;
  OverheadBudget budget_;
  ServiceCpu service_cpu_;
  SpoolSender sender_;
  uint64_t begun_before_;  // recordings
  double cpu_at_start_, cpu_paid_;
  std::optional<SkippedTurn> last_skip_;  // it is told once in a row
  bool was_told_of_budget_ = false, was_told_of_build_ = false;
  std::string program_;                        // the build ID at first
  std::optional<ServiceProcess> the_process_;  // where there is one only
  bool is_over_ = false;                       // it has ended
  std::set<std::string> warned_;
  std::set<std::string> told_reasons_;  // why the store did not take profiles; since it last did
  std::optional<Error> recording_error_, sending_error_;  // the last ones
  CaptureResult result_;
};

// A service that is recorded for months gives the same warnings again and again. Texts may name
// new files each time, so the memory is cleared when it is full.
void Capturing::warn_once(const std::string& text) {
  constexpr size_t kMostRemembered = 1000;
  if (warned_.size() >= kMostRemembered) warned_.clear();
  if (warned_.insert(text).second) request_.warn(text);
}

Result<CaptureResult> Capturing::run() {
  if (spool_.lost_recording())
    warn_once("an earlier recording was interrupted (" + spool_.directory() + "/status.json)");
  const ProfileCounts before = spool_.counts().profiles;
  if (const size_t own = spool_.own_profiles().size(); own > 0)
    request_.note(format_count(own, "profile waits", "profiles wait") + " in " +
                  spool_.directory() + " and will be sent first");
  tell_of_others();
  if (request_.interval) request_.starting();
  PGO_CHECK(send());
  PGO_CHECK(request_.interval ? loop(*request_.interval) : turn());
  result_.counts = spool_.counts();
  const ProfileCounts& after = result_.counts.profiles;
  result_.of_run = {after.made - before.made, after.stored - before.stored,
                    after.dropped - before.dropped};
  result_.waiting = spool_.profiles().size();
  result_.waiting_here = spool_.own_profiles().size();
  result_.waiting_bytes = spool_.bytes();
  result_.last_error = recording_error_ ? recording_error_ : sending_error_;
  result_.cost.own_cpu = host_.cpu_time() - cpu_at_start_;
  result_.cost.service_cpu = budget_.service_cpu();
  return std::move(result_);
}

// A spool that several commands use may have profiles that were made for other stores.
void Capturing::tell_of_others() const {
  for (const auto& [destination, count] : spool_.other_destinations())
    request_.note(format_count(count, "profile", "profiles") + " for " + destination +
                  (count == 1 ? " waits in " : " wait in ") + spool_.directory() +
                  " and will not be sent now: a run with \xFF{output} " + destination +
                  (count == 1 ? " sends it" : " sends them"));
}

// At the end, what was recorded during a pause of the sender is tried once.
Result<void> Capturing::loop(int64_t interval) {
  CaptureSchedule schedule(host_.now(), {interval, request_.duration, request_.seed});
  while (!host_.is_asked_to_end() && !is_over_) {
    const int64_t time = schedule.next(host_.now());
    PGO_CHECK(wait_for_turn(time, interval));
    if (host_.is_asked_to_end()) break;
    if (host_.now() >= time) PGO_CHECK(turn());
  }
  return sender_.has_untried() ? send() : ok();
}

// Meanwhile what could not be sent is tried again. Ends early when the clock was set back: a turn
// is in this interval or the next.
Result<void> Capturing::wait_for_turn(int64_t time, int64_t interval) {
  while (host_.now() < time && !host_.is_asked_to_end()) {
    if (time - host_.now() > 2 * interval) return ok();
    const int64_t retry = sender_.next_round().value_or(time);
    host_.wait_until(std::min(time, retry));
    if (retry < time && host_.now() >= retry && !host_.is_asked_to_end()) PGO_CHECK(send());
  }
  return ok();
}

// The number of a process that has ended may come again, for another one.
bool Capturing::has_ended(std::vector<ServiceProcess>& processes) {
  if (!request_.is_one_process) return false;
  if (!the_process_ && !processes.empty()) the_process_ = processes.front();
  std::erase_if(processes, [&](const ServiceProcess& process) {
    return process.started != the_process_->started;
  });
  return processes.empty();
}

Result<void> Capturing::turn() {
  if (host_.is_paused() && request_.interval)
    return skip(SkippedTurn::kPaused, "paused: nothing is recorded while the pause file is there");
  PGO_TRY(std::vector<ServiceProcess> processes, host_.find_processes());
  if (has_ended(processes)) {
    if (!the_process_) return fail(ErrorKind::kEmpty, request_.service_text + " is not running");
    request_.note(request_.service_text + " has ended, so there is nothing left to record");
    is_over_ = true;
    return ok();
  }
  budget_.earn(service_cpu_.since_last_look(host_.cpu_counters(processes)));
  if (processes.empty()) {
    const std::string text = "no process of " + request_.service_text + " is running";
    if (!request_.interval) return fail(ErrorKind::kEmpty, text);
    return skip(SkippedTurn::kWithoutProcess, text);
  }
  if (request_.interval && !budget_.affords_recording())
    return skip(SkippedTurn::kOverBudget,
                recording_error_
                    ? "no recording now: the failed one has used up the CPU budget"
                    : "recording less often: another recording would cost more than " +
                          format_share(request_.max_overhead) + " of the service's CPU time");
  if (last_skip_ == SkippedTurn::kPaused) request_.note("the pause has ended");
  if (last_skip_ == SkippedTurn::kWithoutProcess)
    request_.note(request_.service_text + " is running");
  last_skip_.reset();
  if (!request_.interval) request_.starting();
  return record(std::move(processes));
}

// A budget that is used up is a note once, because it is used up again and again.
Result<void> Capturing::skip(SkippedTurn why, const std::string& text) {
  const bool is_budget = why == SkippedTurn::kOverBudget && !recording_error_;
  if (last_skip_ != why && !(is_budget && was_told_of_budget_)) request_.note(text);
  was_told_of_budget_ |= is_budget;
  last_skip_ = why;
  return spool_.skip_turn(why);
}

Result<void> Capturing::record(std::vector<ServiceProcess> processes) {
  PGO_CHECK(spool_.begin_recording());
  Result<HostRecording> recording = record_processes(processes);
  pay(recording ? &*recording : nullptr);
  const KeptRecording kept =
      recording ? keep(*recording) : KeptRecording{RecordingEnd::kFailed, recording.error()};
  const std::optional<Error>& error = kept.error;
  // perf that was just started ends without a recording.
  const bool is_interrupted = !recording && host_.is_asked_to_end();
  PGO_CHECK(spool_.end_recording(is_interrupted ? RecordingEnd::kInterrupted : kept.end));
  // What may not be recorded now may not be recorded in the next interval.
  const bool is_first = spool_.counts().recordings.begun == begun_before_ + 1;
  const bool is_hopeless = error && is_first && error->kind == ErrorKind::kUnsupported;
  if (error && !is_interrupted && (!request_.interval || is_hopeless)) return fail(*error);
  if (error && !request_.interval) return fail(*error);
  if (is_interrupted) return ok();
  recording_error_ = error;
  if (error) {
    PGO_CHECK(spool_.note_error(host_.now(), error->message));
    const bool is_kept = kept.end == RecordingEnd::kKept;
    request_.warn((is_kept ? "a profile of the recording was lost: " : "the recording failed: ") +
                  full_text(*error));
  } else {
    tell_of(*recording, processes.size());
  }
  return send_what_is_new();
}

// While the sender waits, a new profile does not shorten its pause.
Result<void> Capturing::send_what_is_new() {
  const std::optional<int64_t> next = sender_.next_round();
  if (request_.interval && next && host_.now() < *next && !host_.is_asked_to_end()) return ok();
  return send();
}

// A process that ended between the look and the recording makes perf fail: once more with those
// that are there.
Result<HostRecording> Capturing::record_processes(std::vector<ServiceProcess>& processes) {
  Result<HostRecording> recording = host_.record(processes, spool_.work_directory());
  if (recording || host_.is_asked_to_end()) return recording;
  const Result<std::vector<ServiceProcess>> now = host_.find_processes();
  if (!now || now->empty()) return recording;
  const auto is_there = [&](const ServiceProcess& process) {
    return std::any_of(now->begin(), now->end(), [&](const ServiceProcess& other) {
      return other.pid == process.pid && other.started == process.started;
    });
  };
  if (std::all_of(processes.begin(), processes.end(), is_there)) return recording;
  processes = *now;
  return host_.record(processes, spool_.work_directory());
}

KeptRecording Capturing::keep(const HostRecording& recording) {
  KeptRecording kept{RecordingEnd::kWithoutSamples, std::nullopt};
  warn_of_another_build(recording.profile.program);
  for (const RecordedProfile* profile : profiles_of(&recording)) {
    for (const auto& [kind, entry] : profile->diagnostics.entries())
      for (const std::string& message : entry.messages) warn_once(message);
    if (profile->contents.empty() && profile->samples > 0 && profile == &recording.profile)
      return {RecordingEnd::kFailed, unusable(*profile)};
    if (profile->contents.empty()) continue;
    Labels labels = request_.labels;
    if (profile != &recording.profile) labels[kServiceLabel] = clock_service(labels[kServiceLabel]);
    const Result<void> added = add(*profile, recording.begin, std::move(labels));
    if (added) {
      kept.end = RecordingEnd::kKept;
    } else {
      kept.error = added.error();
      if (kept.end != RecordingEnd::kKept) kept.end = RecordingEnd::kFailed;
    }
  }
  if (kept.end == RecordingEnd::kWithoutSamples && !request_.interval)
    kept.error = without_samples();
  return kept;
}

// A loop outlives deploys, and its labels do not change.
void Capturing::warn_of_another_build(const std::string& program) {
  const auto version = request_.labels.find("version");
  if (program.empty() || version == request_.labels.end()) return;
  if (program_.empty()) program_ = program;
  if (program == program_ || was_told_of_build_) return;
  request_.warn("the program's build ID changed from " + program_ + " to " + program +
                ", but its profiles still get version=" + version->second +
                ": restart this with the new version, or leave the label out");
  was_told_of_build_ = true;
}

Error Capturing::without_samples() const {
  return {ErrorKind::kEmpty, request_.service_text + ": the recording has no samples",
          request_.is_one_process
              ? "was the process idle? \xFF{pid} does not record children that were already "
                "running; \xFF{service-name} NAME records all processes of a program"
              : "was the service idle? Record longer, or under load"};
}

Result<void> Capturing::add(const RecordedProfile& profile, int64_t time, Labels labels) {
  PGO_TRY(const uint64_t dropped,
          spool_.add({profile.contents, profile.extension, std::move(labels), time}));
  if (dropped > 0)
    request_.warn("the spool " + spool_.directory() +
                  " is full: " + format_count(dropped, "profile was", "profiles were") +
                  " dropped, the oldest first (" + format_count(spool_.counts().profiles.dropped) +
                  " so far)");
  return ok();
}

Result<void> Capturing::send() {
  PGO_TRY(const SendRound round, sender_.send());
  const size_t waiting = spool_.own_profiles().size();
  constexpr size_t kMostReasons = 100;
  if (told_reasons_.size() >= kMostReasons) told_reasons_.clear();
  if (round.error && told_reasons_.insert(round.reason).second)
    request_.warn("not sent: " + full_text(*round.error) + "; " +
                  format_count(waiting, "profile waits", "profiles wait") + " in " +
                  spool_.directory());
  if (!round.error && !told_reasons_.empty()) {
    request_.note("the store answers again: " +
                  format_count(round.stored, "profile was", "profiles were") + " sent");
    told_reasons_.clear();
  }
  sending_error_ = round.error;
  return ok();
}

// What this process and perf used since the last recording counts for this one, which may have
// failed.
void Capturing::pay(const HostRecording* recording) {
  const double cpu = host_.cpu_time();
  const auto interrupts_of = [&](const RecordedProfile& profile) {
    return static_cast<double>(profile.samples) *
           (profile.has_branches ? request_.branch_sample_cost : request_.clock_sample_cost);
  };
  double interrupts = 0;
  for (const RecordedProfile* profile : profiles_of(recording)) {
    interrupts += interrupts_of(*profile);
    result_.samples += profile->samples;
  }
  budget_.spend(cpu - cpu_paid_ + interrupts);
  cpu_paid_ = cpu;
  result_.cost.interrupts += interrupts;
}

void Capturing::tell_of(const HostRecording& recording, size_t processes) const {
  const RecordedProfile& profile = recording.profile;
  std::string text = "recorded " + format_count(profile.samples, "sample") + " of " +
                     format_count(processes, "process", "processes") +
                     (profile.has_branches ? " with branch records" : "");
  // A few are in the kernel's own pages, always.
  constexpr double kUsual = .9;
  if (static_cast<double>(profile.used) < kUsual * static_cast<double>(profile.samples))
    text += " (" + format_count(profile.used) + " can be used)";
  if (recording.clock_profile)
    text += ", and " + format_count(recording.clock_profile->samples, "clock sample");
  if (request_.interval && budget_.service_cpu() > 0)
    text += "; overhead since the start " + format_decimal(100 * budget_.spent_share(), 2) +
            " % of the service's CPU time";
  if (!told_reasons_.empty())
    text += "; " + format_count(spool_.own_profiles().size(), "profile waits", "profiles wait");
  request_.note(text);
}

}  // namespace

std::string clock_service(const std::string& service) { return service + ".clock"; }

Result<CaptureResult> capture(const CaptureRequest& request, CaptureHost& host, Spool& spool) {
  return Capturing(request, host, spool).run();
}

}  // namespace pgo

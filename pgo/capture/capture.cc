#include "pgo/capture/capture.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/capture/capture_schedule.h"
#include "pgo/capture/overhead_budget.h"
#include "pgo/capture/spool_sender.h"

namespace pgo {
namespace {

constexpr const char* kServiceLabel = "service";

// The CPU time of a service, from look to look: of processes that were there before, what they used
// since then; of new ones all. What processes used that have ended meanwhile is not known.
class ServiceCpu {
 public:
  double since_last_look(const std::vector<ServiceProcess>& processes) {
    double used = 0;
    std::map<Key, double> now;
    for (const ServiceProcess& process : processes) {
      const Key key{process.pid, process.started};
      const auto before = cpu_.find(key);
      if (has_looked_)
        used += std::max(0.0, process.cpu - (before == cpu_.end() ? 0 : before->second));
      now[key] = process.cpu;
    }
    has_looked_ = true;
    cpu_ = std::move(now);
    return used;
  }

 private:
  using Key = std::pair<int64_t, uint64_t>;  // number and start
  std::map<Key, double> cpu_;
  bool has_looked_ = false;
};

// None of no recording.
std::vector<const RecordedProfile*> profiles_of(const HostRecording* recording) {
  std::vector<const RecordedProfile*> profiles;
  if (recording != nullptr) profiles.push_back(&recording->profile);
  if (recording != nullptr && recording->clock_profile)
    profiles.push_back(&*recording->clock_profile);
  return profiles;
}

class Capturing {
 public:
  Capturing(const CaptureRequest& request, CaptureHost& host, Spool& spool)
      : request_(request),
        host_(host),
        spool_(spool),
        budget_(request.max_overhead),
        sender_(host, spool, [this](const std::string& text) { warn_once(text); }),
        cpu_at_start_(host.cpu_time()),
        cpu_paid_(cpu_at_start_) {}

  Result<CaptureResult> run();

 private:
  Result<void> loop(int64_t interval);
  Result<void> wait_for_turn(int64_t time);
  Result<void> turn();
  Result<void> skip(SkippedTurn why, const std::string& text);
  Result<void> record(std::vector<ServiceProcess> processes);
  Result<HostRecording> record_processes(std::vector<ServiceProcess>& processes);
  Result<RecordingEnd> keep(const HostRecording& recording);
  Result<void> add(const RecordedProfile& profile, int64_t time, Labels labels);
  Result<void> send();
  void pay(const HostRecording* recording);
  void tell_of(const HostRecording& recording, size_t processes) const;
  void warn_once(const std::string& text);

  const CaptureRequest& request_;
  CaptureHost& host_;
  Spool& spool_;
  OverheadBudget budget_;
  ServiceCpu service_cpu_;
  SpoolSender sender_;
  double cpu_at_start_, cpu_paid_;
  std::optional<SkippedTurn> last_skip_;  // it is told once in a row
  std::set<std::string> warned_;
  bool was_away_ = false;  // the store
  CaptureResult result_;
};

// A service that is recorded for months gives the same warnings again and again.
void Capturing::warn_once(const std::string& text) {
  constexpr size_t kMostRemembered = 1000;
  if (warned_.size() < kMostRemembered && warned_.insert(text).second) request_.warn(text);
}

Result<CaptureResult> Capturing::run() {
  if (spool_.counts().recordings.interrupted > 0 && !request_.interval)
    warn_once("an earlier recording was interrupted (" + spool_.directory() + "/status.json)");
  if (!spool_.profiles().empty())
    request_.note(format_count(spool_.profiles().size(), "profile waits", "profiles wait") +
                  " in " + spool_.directory() + " and will be sent first");
  PGO_CHECK(send());
  PGO_CHECK(request_.interval ? loop(*request_.interval) : turn());
  result_.counts = spool_.counts();
  result_.waiting = spool_.profiles().size();
  result_.waiting_bytes = spool_.bytes();
  result_.cost.own_cpu = host_.cpu_time() - cpu_at_start_;
  result_.cost.service_cpu = budget_.service_cpu();
  return std::move(result_);
}

Result<void> Capturing::loop(int64_t interval) {
  CaptureSchedule schedule(host_.now(), {interval, request_.duration, request_.seed});
  while (!host_.is_asked_to_end()) {
    PGO_CHECK(wait_for_turn(schedule.next(host_.now())));
    if (host_.is_asked_to_end()) break;
    PGO_CHECK(turn());
  }
  return ok();
}

// Meanwhile what could not be sent is tried again.
Result<void> Capturing::wait_for_turn(int64_t time) {
  while (host_.now() < time && !host_.is_asked_to_end()) {
    const int64_t retry = sender_.next_round().value_or(time);
    host_.wait_until(std::min(time, retry));
    if (retry < time && host_.now() >= retry && !host_.is_asked_to_end()) PGO_CHECK(send());
  }
  return ok();
}

Result<void> Capturing::turn() {
  if (host_.is_paused() && request_.interval)
    return skip(SkippedTurn::kPaused, "paused: nothing is recorded while the pause file is there");
  PGO_TRY(std::vector<ServiceProcess> processes, host_.find_processes());
  budget_.earn(service_cpu_.since_last_look(processes));
  if (processes.empty()) {
    const std::string text = "no process of " + request_.service_text + " is running";
    if (!request_.interval) return fail(ErrorKind::kEmpty, text);
    return skip(SkippedTurn::kWithoutProcess, text);
  }
  if (request_.interval && !budget_.affords_recording())
    return skip(SkippedTurn::kOverBudget,
                "recording less often: another recording would cost more than " +
                    format_share(request_.max_overhead) + " of the service's CPU time");
  last_skip_.reset();
  return record(std::move(processes));
}

Result<void> Capturing::skip(SkippedTurn why, const std::string& text) {
  if (last_skip_ != why) request_.note(text);
  last_skip_ = why;
  return spool_.skip_turn(why);
}

Result<void> Capturing::record(std::vector<ServiceProcess> processes) {
  PGO_CHECK(spool_.begin_recording());
  Result<HostRecording> recording = record_processes(processes);
  pay(recording ? &*recording : nullptr);
  Result<RecordingEnd> end = RecordingEnd::kFailed;
  if (recording) end = keep(*recording);
  const std::optional<Error> error = !recording ? std::optional(recording.error())
                                     : !end     ? std::optional(end.error())
                                                : std::nullopt;
  // perf that was just started ends without a recording.
  const bool is_interrupted = !recording && host_.is_asked_to_end();
  if (error) end = is_interrupted ? RecordingEnd::kInterrupted : RecordingEnd::kFailed;
  PGO_CHECK(spool_.end_recording(*end));
  if (error && !request_.interval) return fail(*error);
  if (is_interrupted) return ok();
  result_.last_error = error;
  if (error)
    request_.warn("the recording failed: " + error->message +
                  (error->advice.empty() ? "" : "; " + error->advice));
  else
    tell_of(*recording, processes.size());
  return send();
}

// A process that ended between the look and the recording makes perf fail: once more with those
// that are there.
Result<HostRecording> Capturing::record_processes(std::vector<ServiceProcess>& processes) {
  Result<HostRecording> recording = host_.record(processes, spool_.work_directory());
  if (recording || host_.is_asked_to_end()) return recording;
  PGO_TRY(const std::vector<ServiceProcess> now, host_.find_processes());
  const auto is_there = [&](const ServiceProcess& process) {
    return std::any_of(now.begin(), now.end(), [&](const ServiceProcess& other) {
      return other.pid == process.pid && other.started == process.started;
    });
  };
  if (now.empty() || std::all_of(processes.begin(), processes.end(), is_there)) return recording;
  processes = now;
  return host_.record(processes, spool_.work_directory());
}

Result<RecordingEnd> Capturing::keep(const HostRecording& recording) {
  bool is_kept = false;
  for (const RecordedProfile* profile : profiles_of(&recording)) {
    for (const auto& [kind, entry] : profile->diagnostics.entries())
      for (const std::string& message : entry.messages) warn_once(message);
    if (profile->contents.empty()) continue;
    Labels labels = request_.labels;
    if (profile != &recording.profile) labels[kServiceLabel] = clock_service(labels[kServiceLabel]);
    PGO_CHECK(add(*profile, recording.begin, std::move(labels)));
    is_kept = true;
  }
  return is_kept ? RecordingEnd::kKept : RecordingEnd::kWithoutSamples;
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
  const size_t waiting = spool_.profiles().size();
  if (round.error && !was_away_)
    request_.warn("not sent: " + round.error->message +
                  (round.error->advice.empty() ? "" : "; " + round.error->advice) + "; " +
                  format_count(waiting, "profile waits", "profiles wait") + " in " +
                  spool_.directory());
  if (!round.error && was_away_)
    request_.note("the store answers again: " +
                  format_count(round.stored, "profile was", "profiles were") + " sent");
  was_away_ = round.error.has_value();
  if (round.error) result_.last_error = round.error;
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
  if (recording.clock_profile)
    text += ", and " + format_count(recording.clock_profile->samples, "clock sample");
  if (request_.interval && budget_.service_cpu() > 0)
    text += "; overhead so far " + format_decimal(100 * budget_.spent_share(), 2) + " %";
  request_.note(text);
}

}  // namespace

std::string clock_service(const std::string& service) { return service + ".clock"; }

Result<CaptureResult> capture(const CaptureRequest& request, CaptureHost& host, Spool& spool) {
  return Capturing(request, host, spool).run();
}

}  // namespace pgo

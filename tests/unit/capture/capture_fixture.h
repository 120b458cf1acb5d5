// A host whose clock the test sets and which records nothing, and the loop on it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "pgo/base/end_deadline.h"
#include "pgo/capture/capture.h"
#include "tests/data/temporary_files.h"

namespace pgo::test {

inline constexpr int64_t kSecond = 1'000'000'000, kInterval = 600 * kSecond,
                         kDuration = 30 * kSecond;

class FakeHost final : public CaptureHost {
 public:
  int64_t time = 1'000'000 * kInterval;
  int64_t end = time + 10 * kInterval;  // then it is asked to end
  bool paused = false, store_is_away = false;
  bool is_cgroup = false;                       // what all its processes use is known
  std::set<std::string> refused;                // contents of profiles that the store refuses
  double own_cpu = 0, cost = 0.1;               // seconds; of a recording
  double service_share = 1, service_cpu = 100;  // processors that the service uses, and has used
  uint64_t samples = 1000, used = 1000;
  bool with_clock = false;
  std::string program, clock_extension = ".addr";
  int64_t time_to_send = 0;
  int tries = 0;  // to send
  std::vector<ServiceProcess> processes = {{7, 1, 0}};
  std::optional<Error> find_error;
  std::function<Result<void>()> on_record = [] { return ok(); };
  std::function<void()> on_pause = [] {}, on_send = [] {};
  std::vector<int64_t> recorded;  // seconds into the interval
  std::vector<std::string> sent;  // service and contents
  std::vector<std::vector<int64_t>> pids;

  int64_t now() const override { return time; }
  void wait_until(int64_t until) override { advance(std::min(until, end) - time); }
  bool is_asked_to_end() const override { return time >= end; }
  bool is_time_over() const override {
    return time > end + std::chrono::nanoseconds(kTimeAtEnd).count();
  }
  bool is_paused() const override {
    on_pause();
    return paused;
  }
  double cpu_time() const override { return own_cpu; }
  Result<std::vector<ServiceProcess>> find_processes() const override {
    if (find_error) return fail(*find_error);
    std::vector<ServiceProcess> found = processes;
    for (ServiceProcess& process : found) process.cpu = service_cpu;
    return found;
  }
  std::vector<CpuCounter> cpu_counters(const std::vector<ServiceProcess>& its) const override {
    if (!is_cgroup) return process_counters(its);
    return {{"cgroup", service_cpu, its}};
  }
  Result<HostRecording> record(const std::vector<ServiceProcess>& its,
                               const std::string&) override {
    pids.emplace_back();
    for (const ServiceProcess& process : its) pids.back().push_back(process.pid);
    PGO_CHECK(on_record());
    recorded.push_back(time % kInterval / kSecond);
    HostRecording recording;
    recording.begin = time;
    advance(std::min(kDuration, end - time));
    recording.end = time;
    own_cpu += cost;
    recording.profile.samples = samples;
    recording.profile.used = std::min(samples, used);
    recording.profile.program = program;
    recording.profile.has_branches = with_clock;
    if (recording.profile.used > 0)
      recording.profile.contents = "profile " + std::to_string(recorded.size());
    recording.profile.extension = ".addr";
    if (with_clock) {
      recording.clock_profile = RecordedProfile{};
      recording.clock_profile->contents = "clock";
      recording.clock_profile->extension = clock_extension;
      recording.clock_profile->samples = 10;
    }
    return recording;
  }
  Result<Diagnostics> send(const std::string& path, const Labels& labels) override {
    tries++;
    if (store_is_away) return fail(ErrorKind::kIo, "store: connection refused", "start it");
    advance(time_to_send);
    std::ifstream file(path);
    const std::string contents(std::istreambuf_iterator<char>(file), {});
    if (refused.contains(contents))
      return fail(ErrorKind::kIo, "store: " + contents + " is too old");
    sent.push_back(labels.at("service") + ": " + contents);
    on_send();
    return Diagnostics();
  }
  void advance(int64_t duration) {
    if (duration <= 0) return;
    time += duration;
    service_cpu += service_share * static_cast<double>(duration) / 1e9;
  }
};

class CaptureTest : public test::TemporaryFiles {
 protected:
  CaptureTest() {
    request_.duration = kDuration;
    request_.interval = kInterval;
    request_.labels = {{"service", "queryd"}};
    request_.service_text = "program queryd";
    request_.note = [this](const std::string& text) { said_.push_back(relative(text)); };
    request_.warn = [this](const std::string& text) { said_.push_back("! " + relative(text)); };
  }
  CaptureResult run(uint64_t max_bytes = 1 << 20, const std::string& destination = "") {
    error_.clear();
    Result<Spool> spool = Spool::open(path("spool"), {max_bytes, destination});
    EXPECT_TRUE(spool);
    Result<CaptureResult> result = capture(request_, host_, *spool);
    if (!result) {
      error_ = text_of(result.error());
      return {};
    }
    const auto& [recordings, profiles, skipped] = result->counts;
    EXPECT_EQ(recordings.begun, recordings.kept + recordings.without_samples + recordings.failed +
                                    recordings.interrupted);
    EXPECT_EQ(profiles.made, profiles.stored + profiles.dropped + result->waiting);
    return *std::move(result);
  }
  bool says(const std::string& text) const {
    return std::find(said_.begin(), said_.end(), text) != said_.end();
  }

  CaptureRequest request_;
  FakeHost host_;
  std::vector<std::string> said_;
  std::string error_;
};

}  // namespace pgo::test

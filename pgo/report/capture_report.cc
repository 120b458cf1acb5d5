#include "pgo/report/capture_report.h"

#include <nlohmann/json.hpp>

#include "pgo/base/number_text.h"

namespace pgo {
namespace {

std::string duration_text(int64_t nanoseconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  return format_count(static_cast<uint64_t>(nanoseconds / kSecond)) + " s";
}

std::string seconds_text(double seconds) { return format_decimal(seconds, 2) + " s"; }

// Of this run, as its cost is. Those that were stored or dropped may have been made by earlier
// ones.
std::string profiles_text(const CaptureResult& result) {
  const ProfileCounts& profiles = result.of_run;
  return format_count(profiles.made, "profile") + " made, " + format_count(profiles.stored) +
         " stored, " + format_count(profiles.dropped) + " dropped, " +
         format_count(result.waiting_here) + " waiting";
}

}  // namespace

std::vector<Message> capture_start_messages(const CaptureRequest& request,
                                            const LocalEngine& engine,
                                            const std::string& destination) {
  std::string text = "recording " + engine.explanation + " of " + request.service_text +
                     ", one sample in " + format_count(engine.period) +
                     (engine.has_branches ? " events" : " ns of CPU time") + ", for " +
                     duration_text(request.duration);
  if (request.interval) text += " in every " + duration_text(*request.interval);
  std::vector<Message> messages = {note(text + ", to " + destination)};
  if (engine.has_branches && !engine.has_clock)
    messages.push_back(
        warning("perf cannot record clock samples beside the branch records here, "
                "so there are no profiles of " +
                clock_service(request.labels.at("service"))));
  return messages;
}

nlohmann::json capture_json(const CaptureResult& result) {
  const auto& [recordings, profiles, skipped] = result.counts;
  nlohmann::json json = {{"run",
                          {{"samples", result.samples},
                           {"profiles",
                            {{"made", result.of_run.made},
                             {"stored", result.of_run.stored},
                             {"dropped", result.of_run.dropped}}},
                           {"cost",
                            {{"own_cpu_seconds", result.cost.own_cpu},
                             {"interrupt_seconds", result.cost.interrupts},
                             {"service_cpu_seconds", result.cost.service_cpu}}}}},
                         {"spool",
                          {{"recordings",
                            {{"begun", recordings.begun},
                             {"kept", recordings.kept},
                             {"without_samples", recordings.without_samples},
                             {"failed", recordings.failed},
                             {"interrupted", recordings.interrupted}}},
                           {"profiles",
                            {{"made", profiles.made},
                             {"stored", profiles.stored},
                             {"dropped", profiles.dropped},
                             {"waiting", result.waiting},
                             {"waiting_for_output", result.waiting_here},
                             {"waiting_bytes", result.waiting_bytes}}},
                           {"skipped_intervals",
                            {{"paused", skipped.paused},
                             {"without_process", skipped.without_process},
                             {"over_budget", skipped.over_budget}}}}}};
  if (result.last_error) json["last_error"] = result.last_error->message;
  return json;
}

std::vector<Message> capture_messages(const CaptureRequest& request, const CaptureResult& result,
                                      const std::string& destination) {
  std::vector<Message> messages;
  messages.push_back(note(destination + ": " + profiles_text(result) + "; cost " +
                          seconds_text(result.cost.own_cpu) + " of CPU time and about " +
                          seconds_text(result.cost.interrupts) + " of interrupts"));
  if (!request.interval && result.waiting_here > 0)
    messages.push_back(warning("run the same command again to send the waiting profiles"));
  return messages;
}

}  // namespace pgo

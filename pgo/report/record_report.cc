#include "pgo/report/record_report.h"

#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "pgo/base/number_text.h"
#include "pgo/base/shell_word.h"

namespace pgo {
namespace {

// A number that is meant as samples per second, as perf's -F has it, is taken for nanoseconds.
void add_short_period(const RecordStart& start, std::vector<Message>& messages) {
  constexpr uint64_t kShort = 10'000, kSecond = 1'000'000'000;  // nanoseconds
  const bool in_nanoseconds =
      start.engine == UsedEngine::kClock || start.engine == UsedEngine::kStep;
  if (!in_nanoseconds || start.period >= kShort) return;
  messages.push_back(
      warning("\xFF{period} is in nanoseconds of CPU time here: " + std::to_string(start.period) +
              " asks for " + format_count(kSecond / start.period, "sample") +
              " a second, which slows down what is recorded; the default is " +
              std::to_string(start.usual_period)));
}

std::string period_words(const RecordResult& result) {
  const std::string period = std::to_string(result.period);
  switch (result.engine) {
    case UsedEngine::kEmulate:
      return format_count(result.totals.taken_branches, "branch was", "branches were") +
             " taken, one period is " + period;
    case UsedEngine::kClock:
    case UsedEngine::kStep: return "one period is " + period + " ns of CPU time";
    case UsedEngine::kPerf: break;
  }
  return "one period is " + period + " events";
}

// Does the command use the CPU where single steps see nothing? Time that is as short as this has
// too few samples to tell.
bool misses_most(const RecordResult& result) {
  constexpr double kFewestSamples = 25, kLeastShare = 0.25;
  return result.engine == UsedEngine::kStep &&
         result.user_seconds * 1e9 > kFewestSamples * static_cast<double>(result.period) &&
         result.sampled_seconds < kLeastShare * result.user_seconds;
}

std::string cpu_seconds_text(double seconds) {
  return format_decimal(seconds, 2) + " s of CPU time";
}

constexpr const char* kNotSampled =
    "single steps do not sample static programs, programs that su, sudo or env -i start, and "
    "threads that block all signals; put pgo record after su, sudo or env";

void add_samples(const RecordRequest& request, const RecordResult& result,
                 std::vector<Message>& messages) {
  const bool emulated = result.engine == UsedEngine::kEmulate;
  const bool stepped = result.engine == UsedEngine::kStep;
  if (result.samples == 0 && misses_most(result)) {
    messages.push_back(warning(request.output + " has no samples, but the command took " +
                               cpu_seconds_text(result.user_seconds) + ": " + kNotSampled));
    return;
  }
  if (result.samples == 0) {
    messages.push_back(warning(request.output + " has no samples: " + period_words(result) +
                               "; use a smaller \xFF{period} or " +
                               (emulated || stepped ? "run the command" : "record") +
                               " for longer"));
    return;
  }
  std::string text = request.output + ": " + format_count(result.samples, "sample");
  if (emulated || stepped)
    text += " from " + format_count(result.totals.threads, "thread") + " in " +
            format_count(result.totals.processes, "process", "processes") + "; ";
  if (emulated)
    text += "one for each " + std::to_string(result.period) + " taken branches of a thread";
  else if (stepped)
    text += format_count(result.samples - result.samples_without_branches) + " of them with " +
            format_count(result.totals.taken_branches, "branch", "branches") +
            "; single steps took " + format_share(result.step_share) + " of the CPU time";
  // What perf prints itself names a path beside the output, which is gone.
  else if (request.printed == PerfOutput::kVerbose)
    text += "; moved here from the path that perf names";
  messages.push_back(note(text));
  if (misses_most(result))
    messages.push_back(warning(request.output + " has samples of " +
                               format_share(result.sampled_seconds / result.user_seconds) +
                               " of the " + cpu_seconds_text(result.user_seconds) +
                               " that the command took: " + kNotSampled));
}

// Profiles of what failed are of the wrong work, as often as not.
void add_exit(const RecordRequest& request, const RecordResult& result,
              std::vector<Message>& messages) {
  if (request.command.empty() || result.exit_status == 0) return;
  constexpr int kSignalled = 128;
  std::string text =
      request.command[0] + " failed: it ended with exit code " + std::to_string(result.exit_status);
  int signal = result.exit_status - kSignalled;
  if (signal > 0 && signal < NSIG)
    text += ", as after signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  messages.push_back(warning(text));
}

}  // namespace

std::string_view engine_name(UsedEngine engine) {
  switch (engine) {
    case UsedEngine::kPerf: return "perf";
    case UsedEngine::kClock: return "clock";
    case UsedEngine::kStep: return "step";
    case UsedEngine::kEmulate: break;
  }
  return "emulate";
}

std::vector<Message> record_start_messages(const RecordStart& start) {
  std::vector<Message> messages;
  if (start.engine == UsedEngine::kEmulate)
    return {note("recording under emulation: exact branch records, slower than native")};
  add_short_period(start, messages);
  if (start.engine == UsedEngine::kStep) {
    messages.push_back(
        note("recording by single steps: exact branch records of short bursts, and PC samples"));
    return messages;
  }
  messages.push_back(note(
      "recording " + start.explanation +
      (start.cost_explanation ? ", and " + *start.cost_explanation + " in a second file" : "") +
      ": " + shell_line(start.perf_command)));
  return messages;
}

nlohmann::json record_json(const RecordRequest& request, const RecordResult& result) {
  nlohmann::json json = {{"output", request.output},
                         {"engine", engine_name(result.engine)},
                         {"period", result.period},
                         {"samples", result.samples},
                         {"exit_status", result.exit_status}};
  if (result.engine == UsedEngine::kStep) {
    json["taken_branches"] = result.totals.taken_branches;
    json["samples_without_branches"] = result.samples_without_branches;
    json["step_share"] = result.step_share;
    json["user_seconds"] = result.user_seconds;
    json["sampled_seconds"] = result.sampled_seconds;
  }
  if (!result.clock_output.empty()) {
    json["clock_output"] = result.clock_output;
    json["clock_samples"] = result.clock_samples;
  }
  return json;
}

std::vector<Message> record_messages(const RecordRequest& request, const RecordResult& result) {
  std::vector<Message> messages;
  append(messages, messages_of(result.diagnostics));
  for (const std::string& text : result.totals.notes) messages.push_back(warning(text));
  if (result.totals.further_notes > 0)
    messages.push_back(warning(
        "and " + format_count(result.totals.further_notes, "more like it", "more like these")));
  add_samples(request, result, messages);
  if (!result.clock_output.empty())
    messages.push_back(note(result.clock_output + ": " +
                            format_count(result.clock_samples, "sample") +
                            " of CPU time; use these with pgo diff: branch samples do not measure "
                            "cost"));
  add_exit(request, result, messages);
  return messages;
}

}  // namespace pgo

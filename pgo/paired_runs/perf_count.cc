// A line of perf's file: VALUE,UNIT,EVENT,NANOSECONDS,PERCENT,… (perf-stat(1), "CSV FORMAT"). VALUE
// is "<not counted>" or "<not supported>" where there is none. Comments begin with '#'.
#include "pgo/paired_runs/perf_count.h"

#include <algorithm>
#include <charconv>

#include "pgo/base/bytes.h"
#include "pgo/base/deferred_termination.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/number_text.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/paired_runs/command_run.h"

namespace pgo {
namespace {

constexpr size_t kPerfPairs = 3;
constexpr const char* kEvent = "instructions:u";

// Takes the text up to the separator, and the separator.
std::string_view take_until(char separator, std::string_view& text) {
  const std::string_view taken = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), taken.size() + 1));
  return taken;
}

bool parse_number(std::string_view text, double& value) {
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end && value >= 0;
}

// `command` under perf; nothing when perf counted nothing.
Result<std::optional<PerfCount>> count_by_perf(const std::string& perf,
                                               const std::string& command) {
  DeferredTermination termination;
  PGO_TRY(TemporaryDirectory directory, TemporaryDirectory::make());
  const std::string file = directory.file("perf.stat");
  std::vector<std::string> words = {perf, "stat", "-x", ",", "-e", kEvent, "-o", file, "--"};
  for (const std::string& word : shell_command(command)) words.push_back(word);
  PGO_TRY(ProcessResult finished, run_subprocess(words));
  PGO_CHECK(check_success(command, finished));
  PGO_TRY(MappedFile counted, MappedFile::open(file));
  return read_perf_count(as_text(counted.bytes()));
}

// The perf that counts here: a trial is the only way to know.
std::optional<std::string> find_counting_perf(const std::string& search_path) {
  std::optional<std::string> perf = find_program("perf", search_path);
  if (!perf) return std::nullopt;
  Result<std::optional<PerfCount>> trial = count_by_perf(*perf, "true");
  return trial && *trial ? perf : std::nullopt;
}

}  // namespace

std::optional<PerfCount> read_perf_count(std::string_view text) {
  std::optional<PerfCount> sum;
  while (!text.empty()) {
    std::string_view line = take_until('\n', text);
    if (line.starts_with('#')) continue;
    const std::string_view value_text = take_until(',', line);
    take_until(',', line);  // the unit
    if (take_until(',', line).find("instructions") == std::string_view::npos) continue;
    take_until(',', line);  // how long it counted
    PerfCount count;
    double percent = 100;
    if (!parse_number(value_text, count.value)) continue;
    if (!parse_number(take_until(',', line), percent)) percent = 100;
    count.share = percent / 100;
    if (sum) count = {sum->value + count.value, std::min(sum->share, count.share)};
    sum = count;
  }
  return sum;
}

Result<void> add_instructions(const PairedRunsRequest& request, PairedRunsResult& result) {
  std::optional<std::string> perf = find_counting_perf(request.search_path);
  if (!perf) return ok();
  std::vector<FigurePair> values;
  double share = 1;
  for (size_t pair = 0; pair < kPerfPairs; pair++) {
    std::array<double, 2> value{};
    for (size_t side = 0; side < 2; side++) {
      PGO_TRY(std::optional<PerfCount> count, count_by_perf(*perf, request.commands[side]));
      if (!count) return ok();
      value[side] = count->value;
      share = std::min(share, count->share);
    }
    values.emplace_back(value[0], value[1]);
  }
  result.figures.push_back(run_figure("instructions", "", values));
  if (share < 1)
    result.diagnostics.warn("shared-counters",
                            "perf counted instructions for only " + format_share(share) +
                                " of the time, because something else uses the counters too: they "
                                "are an estimate");
  return ok();
}

}  // namespace pgo

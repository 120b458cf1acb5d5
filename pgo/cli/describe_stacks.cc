// What a profile of stacks holds: what it counts and how much, of which builds, its labels, and the
// functions in which it counts most.

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include "pgo/cli/description.h"
#include "pgo/cli/funnel.h"
#include "pgo/cli/stack_builds.h"
#include "pgo/cli/stack_input.h"
#include "pgo/cli/text_sheet.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/symbolize/shown_name.h"

namespace pgo {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

std::string seconds_text(int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s",
                static_cast<double>(nanoseconds) / static_cast<double>(kSecond));
  return text;
}

std::string value_text(int64_t value, std::string_view unit) {
  if (unit == "nanoseconds") return seconds_text(value);
  if (value < 0) return std::to_string(value);
  return format_count(static_cast<uint64_t>(value));
}

// In UTC.
std::string time_text(int64_t nanoseconds) {
  std::time_t seconds = static_cast<std::time_t>(nanoseconds / kSecond);
  std::tm parts{};
  char text[40];
  if (::gmtime_r(&seconds, &parts) == nullptr) return "not known";
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts));
}

// The keys of labels, with how many different values each has.
std::map<std::string, size_t> count_labels(const StackProfile& profile) {
  std::map<std::string, std::set<std::pair<StringId, int64_t>>> values;
  for (size_t set = 0; set < profile.labels.size(); set++)
    for (const StackLabel& label : profile.labels[set])
      values[std::string(profile.text(label.key))].emplace(label.text, label.number);
  std::map<std::string, size_t> counts;
  for (const auto& [key, different] : values) counts[key] = different.size();
  return counts;
}

struct HotFunction {
  std::string_view name;
  uint64_t value = 0;
};

// By what they count themselves, of the last sample type.
std::vector<HotFunction> hottest(const StackProfile& profile) {
  std::map<std::string_view, uint64_t> values;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    auto stack = profile.stacks[static_cast<size_t>(profile.samples[i].stack)];
    if (stack.empty()) continue;
    auto lines = profile.lines[static_cast<size_t>(stack[0])];
    if (lines.empty()) continue;
    const StackFunction& function = profile.functions[static_cast<size_t>(lines[0].function)];
    uint64_t& value = values[profile.text(function.name)];
    value = saturating_add(
        value, static_cast<uint64_t>(std::max<int64_t>(profile.values_of(i).back(), 0)));
  }
  std::vector<HotFunction> functions;
  for (const auto& [name, value] : values) functions.push_back({name, value});
  std::stable_sort(functions.begin(), functions.end(),
                   [](const HotFunction& a, const HotFunction& b) { return a.value > b.value; });
  return functions;
}

void add_header(const StackProfile& profile, Description& description, TextSheet& sheet) {
  std::string counts;
  for (size_t type = 0; type < profile.sample_types.size(); type++) {
    const ValueType& name = profile.sample_types[type];
    counts += (counts.empty() ? "" : "\n") + std::string(profile.text(name.type)) + "/" +
              std::string(profile.text(name.unit)) + ": " +
              value_text(total_of(profile, type), profile.text(name.unit));
  }
  sheet.row("counts", counts.empty() ? "nothing" : counts);
  if (profile.period != 0)
    sheet.row("period", std::to_string(profile.period) + " " +
                            std::string(profile.text(profile.period_type.unit)) + " of " +
                            std::string(profile.text(profile.period_type.type)));
  if (profile.time != 0) sheet.row("begun", time_text(profile.time));
  if (profile.duration != 0) sheet.row("took", seconds_text(profile.duration));
  sheet.row("samples", format_count(profile.samples.size()) + " different, " +
                           format_count(profile.locations.size(), "place") + " in " +
                           format_count(profile.functions.size(), "function"));
  std::string labels;
  for (const auto& [key, values] : count_labels(profile))
    labels += (labels.empty() ? "" : ", ") + key + " (" + format_count(values, "value") + ")";
  if (!labels.empty()) sheet.row("labels", labels);
  description.json["totals"] = totals_json(profile);
  description.json["period"] = profile.period;
  description.json["time_ns"] = profile.time;
  description.json["duration_ns"] = profile.duration;
  description.json["samples"] = profile.samples.size();
  description.json["functions"] = profile.functions.size();
  description.json["labels"] = count_labels(profile);
}

void add_builds(const StackProfile& profile, size_t top, Description& description,
                TextSheet& sheet) {
  std::vector<StackBuild> builds = list_builds(profile);
  std::string text;
  for (size_t i = 0; i < std::min(top, builds.size()); i++)
    text += (i == 0 ? "" : "\n") + describe_build(builds[i]);
  if (builds.size() > top) text += "\nand " + format_count(builds.size() - top) + " more";
  if (!text.empty()) sheet.row("builds", text);
  description.json["builds"] = builds_json(profile);
}

void add_hottest(const StackProfile& profile, size_t top, Description& description,
                 TextSheet& sheet) {
  if (profile.sample_types.empty()) return;
  uint64_t total = 0;
  std::vector<HotFunction> functions = hottest(profile);
  for (const HotFunction& function : functions) total = saturating_add(total, function.value);
  std::string_view unit = profile.text(profile.sample_types.back().unit);
  std::vector<std::vector<std::string>> rows;
  description.json["hottest"] = nlohmann::json::array();
  for (size_t i = 0; i < std::min(top, functions.size()); i++) {
    const HotFunction& function = functions[i];
    int64_t value = static_cast<int64_t>(std::min(function.value, ~uint64_t{0} >> 1));
    rows.push_back({value_text(value, unit), format_percent(function.value, total),
                    shown_name(std::string(function.name))});
    description.json["hottest"].push_back(
        {{"function", std::string(function.name)}, {"value", function.value}});
  }
  if (!rows.empty())
    sheet.table({{"ITSELF", Align::kRight}, {"SHARE", Align::kRight}, {"FUNCTION"}}, rows);
}

}  // namespace

Result<Description> describe_stacks(Bytes bytes, const std::string& path,
                                    const DescribeOptions& options) {
  PGO_TRY(InflatedBytes inflated, inflate(bytes, path));
  std::optional<StackFormat> format = find_stack_format(inflated.bytes());
  Diagnostics diagnostics;
  PGO_TRY(StackProfile profile, read_stack_profile(bytes, path, diagnostics));
  profile.normalize();

  Description description;
  const char* name = format ? name_of(*format) : "";
  description.json = {{"path", path},
                      {"format", name},
                      {"size", bytes.size()},
                      {"inflated", inflated.bytes().size()},
                      {"warnings", warnings_json(diagnostics)}};
  TextSheet sheet;
  sheet.line(path + ": " + name + ", " + format_size(bytes.size()) +
             (inflated.bytes().size() == bytes.size()
                  ? ""
                  : " (" + format_size(inflated.bytes().size()) + " inflated)"));
  add_header(profile, description, sheet);
  add_builds(profile, options.top, description, sheet);
  add_hottest(profile, options.top, description, sheet);
  description.text = sheet.text();
  return description;
}

}  // namespace pgo

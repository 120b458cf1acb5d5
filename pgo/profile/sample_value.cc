#include "pgo/profile/sample_value.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "pgo/profile/accounting.h"
#include "pgo/profile/quality.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

std::string list_types_by_line(const StackProfile& profile) {
  std::string text;
  for (const ValueType& type : profile.sample_types)
    text += "\n  " + std::string(profile.text(type.type)) + "  (" +
            std::string(profile.text(type.unit)) + ")";
  return text;
}

// Of samples by a period of CPU time, the name of their type is shown.
std::string shown_event(const StackProfile& profile, size_t type) {
  const std::string_view event = counted_event(profile, type);
  return std::string(is_cpu_time(event) ? profile.text(profile.sample_types[type].type) : event);
}

int64_t smallest_value(const StackProfile& profile, size_t column) {
  int64_t smallest = 0;
  for (size_t s = 0; s < profile.samples.size(); s++)
    if (int64_t value = profile.values_of(s)[column];
        value > 0 && (smallest == 0 || value < smallest))
      smallest = value;
  return std::max<int64_t>(smallest, 1);
}

// In nanoseconds; 0 when it is none, or makes no sense.
uint64_t period_of(const StackProfile& profile) {
  constexpr int64_t kLongest = int64_t{3600} * 1'000'000'000;
  int64_t unit = nanoseconds_of_unit(profile.text(profile.period_type.unit));
  if (unit == 0 || profile.period <= 0 || profile.period > kLongest / unit) return 0;
  int64_t period = profile.period * unit;
  return period > 1 ? static_cast<uint64_t>(period) : 0;
}

// The time of what column `index` counts: itself, or what stands beside a number of samples.
std::optional<size_t> find_time(const StackProfile& profile, size_t index) {
  auto is_time = [&](size_t i) {
    return nanoseconds_of_unit(profile.text(profile.sample_types[i].unit)) != 0;
  };
  if (is_time(index)) return index;
  if (!counts_samples(profile.text(profile.sample_types[index].type))) return std::nullopt;
  for (size_t i = 0; i < profile.sample_types.size(); i++)
    if (is_time(i) && profile.text(profile.sample_types[i].type) == "cpu") return i;
  return std::nullopt;
}

// Of the samples beside which there is time, in nanoseconds; 1 when there are none.
uint64_t mean_time(const StackProfile& profile, const SampleValue& column) {
  if (!column.time) return 1;
  double time = 0, samples = 0;
  for (size_t s = 0; s < profile.samples.size(); s++) {
    std::span<const int64_t> values = profile.values_of(s);
    if (values[column.index] <= 0 || values[*column.time] <= 0) continue;
    samples += static_cast<double>(values[column.index]);
    time += static_cast<double>(values[*column.time]) * static_cast<double>(column.time_unit);
  }
  constexpr double kLongest = 3600e9;
  return samples > 0 ? static_cast<uint64_t>(std::clamp(time / samples, 1., kLongest)) : 1;
}

SampleValue measure_samples(const StackProfile& profile, size_t index, const std::string& name,
                            Diagnostics& diagnostics) {
  SampleValue column;
  column.index = index;
  column.event = shown_event(profile, index);
  uint64_t period = period_of(profile);
  int64_t unit = nanoseconds_of_unit(profile.text(profile.sample_types[index].unit));
  column.time = find_time(profile, index);
  if (column.time)
    column.time_unit = static_cast<uint64_t>(
        nanoseconds_of_unit(profile.text(profile.sample_types[*column.time].unit)));
  if (unit == 0) {
    column.weight = period != 0 ? period : mean_time(profile, column);
    return column;
  }
  int64_t per_sample = 1;  // what of a value makes a sample
  if (period != 0) {
    per_sample = std::max<int64_t>(static_cast<int64_t>(period) / unit, 1);
  } else {
    per_sample = smallest_value(profile, index);
    diagnostics.warn("no-period", name + ": counts time but has no sampling period; " +
                                      std::to_string(per_sample) + " " +
                                      std::string(profile.text(profile.sample_types[index].unit)) +
                                      ", its smallest value, is assumed");
  }
  column.weight =
      saturating_multiply(static_cast<uint64_t>(per_sample), static_cast<uint64_t>(unit));
  return column;
}

void warn_of_negative(const StackProfile& profile, const SampleValue& column,
                      const std::string& name, Diagnostics& diagnostics) {
  NegativeSamples negative;
  for (size_t s = 0; s < profile.samples.size(); s++)
    if (column.is_negative(profile, s)) negative.add(profile.values_of(s)[column.index]);
  if (negative.samples == 0) return;
  diagnostics.warn(kNegativeValues,
                   name + ": left out " + std::to_string(negative.samples) +
                       (negative.samples == 1 ? " sample" : " samples") +
                       " with negative values (" + std::to_string(negative.sum) + " in all, of " +
                       type_name(profile, column.index) +
                       "); is it a difference of profiles? Convert the profiles themselves");
}

// How producers of pprof and perf's events call CPU time, or not at all. Stores have '_' in place
// of what their queries cannot name.
enum class TimeSource { kClock, kProcessor, kSingleSteps };
constexpr std::pair<std::string_view, TimeSource> kCpuTimes[] = {
    {"", TimeSource::kClock},
    {"samples", TimeSource::kClock},
    {"sample", TimeSource::kClock},
    {"cpu", TimeSource::kClock},
    {"cpu_samples", TimeSource::kClock},
    {"cpu_time", TimeSource::kClock},
    {"process_cpu", TimeSource::kClock},
    {"on_cpu", TimeSource::kClock},
    {"cpu_clock", TimeSource::kClock},
    {"task_clock", TimeSource::kClock},
    {"cycles", TimeSource::kProcessor},
    {"cpu_cycles", TimeSource::kProcessor},
    {"ref_cycles", TimeSource::kProcessor},
    {"cpu_clk_unhalted_thread", TimeSource::kProcessor},
    {"cpu_clk_unhalted_thread_p", TimeSource::kProcessor},
    {"ls_not_halted_cyc", TimeSource::kProcessor},
    {"ibs_op", TimeSource::kProcessor}};

std::string comparable_name(std::string_view event) {
  std::string name(event_without_modifiers(event));
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
}

std::optional<TimeSource> find_time_source(std::string_view event) {
  const std::string name = comparable_name(event);
  if (name == comparable_name(kSteppedEvent)) return TimeSource::kSingleSteps;
  for (const auto& [known, source] : kCpuTimes)
    if (known == name) return source;
  return std::nullopt;
}

}  // namespace

bool counts_samples(std::string_view type) { return type == "samples" || type == "sample"; }

std::string_view counted_event(const StackProfile& profile, size_t type) {
  const std::string_view name = profile.text(profile.sample_types[type].type),
                         period = profile.text(profile.period_type.type);
  return counts_samples(name) && !period.empty() ? period : name;
}

std::string_view event_without_modifiers(std::string_view event) {
  const std::string_view name = event.substr(0, event.find(':'));
  const size_t slash = name.find('/');
  if (slash == name.npos) return name;
  std::string_view of_unit = name.substr(slash + 1);
  of_unit = of_unit.substr(0, of_unit.find_first_of("/,"));
  return of_unit.empty() ? name.substr(0, slash) : of_unit;
}

int64_t nanoseconds_of_unit(std::string_view unit) {
  if (unit == "nanoseconds" || unit == "ns") return 1;
  if (unit == "microseconds" || unit == "us") return 1'000;
  if (unit == "milliseconds" || unit == "ms") return 1'000'000;
  return unit == "seconds" || unit == "s" ? 1'000'000'000 : 0;
}

bool is_clock(std::string_view event) { return find_time_source(event) == TimeSource::kClock; }

bool is_cpu_time(std::string_view event) { return find_time_source(event).has_value(); }

bool SampleValue::is_negative(const StackProfile& profile, size_t sample) const {
  std::span<const int64_t> values = profile.values_of(sample);
  return values[index] < 0 || (time && values[*time] < 0);
}

uint64_t SampleValue::time_of(const StackProfile& profile, size_t sample) const {
  if (!time) return 0;
  return saturating_multiply(static_cast<uint64_t>(profile.values_of(sample)[*time]), time_unit);
}

uint64_t SampleValue::samples_in(uint64_t spent) {
  if (spent <= paid_for_) {
    paid_for_ -= spent;
    return 0;
  }
  spent -= paid_for_;
  uint64_t over = spent % weight;
  paid_for_ = over != 0 ? weight - over : 0;
  return spent / weight + (over != 0 ? 1 : 0);
}

SampleCount SampleValue::take(const StackProfile& profile, size_t sample) {
  if (is_negative(profile, sample)) return {};
  int64_t value = profile.values_of(sample)[index];
  uint64_t spent = time_of(profile, sample);
  if (value == 0 && spent == 0) return {};
  SampleCount count{static_cast<uint64_t>(value), spent};
  if (time == index)
    count.samples = samples_in(spent);
  else if (value == 0)
    count.samples = weight > 1 ? samples_in(spent) : 1;
  if (spent == 0) count.weight = saturating_multiply(count.samples, weight);
  return count;
}

Result<SampleValue> choose_sample_value(const StackProfile& profile, const std::string& wanted,
                                        const std::string& name, Diagnostics& diagnostics) {
  const std::vector<ValueType>& types = profile.sample_types;
  auto find = [&](auto&& fits) {
    auto found = std::find_if(types.begin(), types.end(), fits);
    return found == types.end() ? std::optional<size_t>()
                                : std::optional<size_t>(static_cast<size_t>(found - types.begin()));
  };
  auto is_of_samples = [&](const ValueType& type) {
    return counts_samples(profile.text(type.type));
  };
  auto is_cpu = [&](const ValueType& type) {
    return is_cpu_time(counted_event(profile, static_cast<size_t>(&type - types.data())));
  };
  std::string period = " by a period of " + std::string(profile.text(profile.period_type.type));
  std::optional<size_t> chosen;
  if (!wanted.empty()) {
    chosen = find([&](const ValueType& type) { return profile.text(type.type) == wanted; });
    if (!chosen)
      return fail(ErrorKind::kUsage, name + ": has no sample type '" + wanted +
                                         "'; it has:" + list_types_by_line(profile));
    if (!is_cpu(types[*chosen]))
      diagnostics.warn("not-cpu-time", name + ": " + wanted +
                                           (is_of_samples(types[*chosen]) ? period : "") +
                                           " is not known to be CPU time: memory and waiting times "
                                           "do not show how often code runs");
  } else {
    // Where it was, not how much it allocated or how long it waited.
    chosen = find([&](const ValueType& type) { return is_of_samples(type) && is_cpu(type); });
    if (!chosen)
      chosen = find([&](const ValueType& type) { return profile.text(type.type) == "cpu"; });
    if (!chosen && types.size() == 1 && is_cpu(types[0])) chosen = 0;
    if (!chosen)
      return fail(ErrorKind::kEmpty,
                  name + ": has no samples of CPU time; it has:" + list_types_by_line(profile) +
                      (find(is_of_samples) ? "\n " + period : "") +
                      "\n  name what to count with \xFF{event}");
  }
  SampleValue column = measure_samples(profile, *chosen, name, diagnostics);
  warn_of_negative(profile, column, name, diagnostics);
  return column;
}

}  // namespace pgo

#include "pgo/stores/parca/merged_samples.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "pgo/base/number_text.h"
#include "pgo/profile/sample_value.h"

namespace pgo::parca {
namespace {

__extension__ using Wide = __int128;

constexpr int64_t kShortestPeriod = 100'000;  // nanoseconds

struct Values {
  Wide sum = 0;
  int64_t divisor = 0;  // the greatest common one
  bool has_negative = false;
};

Values values_of(const StackProfile& profile) {
  Values values;
  for (const int64_t value : profile.values) {
    values.has_negative |= value < 0;
    values.sum += value;
    values.divisor = std::gcd(values.divisor, value);
  }
  return values;
}

// 0: there is no one period.
int64_t exact_period(const Values& values, ListedSamples kind, int64_t listed, int64_t shortest) {
  const Wide samples = values.sum / values.divisor;
  const bool is_possible = values.divisor >= shortest && samples >= listed;
  if (kind == ListedSamples::kSome && is_possible) return values.divisor;
  if (values.sum % listed == 0) {
    const auto mean = static_cast<int64_t>(values.sum / listed);
    if (mean > 0 && values.divisor % mean == 0) return mean;
  }
  return is_possible && samples <= listed + Wide{listed} / 4 ? values.divisor : 0;
}

// Rounded so that all together are as many as the sum pays for.
std::vector<int64_t> samples_of(const StackProfile& profile, int64_t period) {
  std::vector<int64_t> samples;
  samples.reserve(profile.values.size());
  Wide sum = 0, counted = 0;
  for (const int64_t value : profile.values) {
    sum += value;
    const Wide now = (sum + period / 2) / period;
    samples.push_back(static_cast<int64_t>(now - counted));
    counted = now;
  }
  return samples;
}

void put_samples(StackProfile& profile, const std::vector<int64_t>& samples) {
  std::vector<int64_t> both;
  both.reserve(2 * samples.size());
  for (size_t i = 0; i < samples.size(); i++) {
    both.push_back(samples[i]);
    both.push_back(profile.values[i]);
  }
  profile.values = std::move(both);
  profile.sample_types.insert(profile.sample_types.begin(),
                              {profile.strings.add("samples"), profile.strings.add("count")});
}

}  // namespace

void restore_samples(StackProfile& profile, ListedSamples kind, int64_t listed,
                     const std::string& shown, Diagnostics& diagnostics) {
  if (profile.sample_types.size() != 1 || profile.period != 0) return;
  const ValueType event = profile.sample_types[0];
  if (counts_samples(profile.text(event.type))) return;  // multiplied by 1, or by old servers
  const bool is_time = nanoseconds_of_unit(profile.text(event.unit)) == 1;
  const Values values = values_of(profile);
  if (values.has_negative || values.sum == 0) return;
  if (kind == ListedSamples::kNone || listed <= 0) {
    if (!is_time || values.divisor < kShortestPeriod) return;
    profile.period = values.divisor;
    profile.period_type = event;
    return;
  }
  profile.period = exact_period(values, kind, listed, is_time ? kShortestPeriod : 1);
  profile.period_type = event;
  if (profile.period == 0) {
    const Wide mean = (values.sum + listed / 2) / listed;
    profile.period = static_cast<int64_t>(std::clamp<Wide>(mean, 1, INT64_MAX));
    diagnostics.warn(kSeveralPeriods,
                     shown + ": Parca has merged profiles of several sampling periods; its " +
                         format_count(static_cast<uint64_t>(listed), "sample") +
                         " count by their mean, " +
                         format_count(static_cast<uint64_t>(profile.period)) + " " +
                         std::string(profile.text(event.unit)));
  }
  put_samples(profile, samples_of(profile, profile.period));
}

}  // namespace pgo::parca

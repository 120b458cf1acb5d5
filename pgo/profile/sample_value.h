// SampleValue: which of a StackProfile's values say where a program was, and how many samples a
// value is. Profiles count samples, or time, or both, or something else altogether.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// The kind of warning for samples that take() leaves out because they are negative.
inline constexpr const char* kNegativeValues = "negative-values";

struct SampleCount {
  uint64_t samples = 0;
  // What they stand for together: SampleValue::weight each, unless it is known better. Not 0 also
  // where so little time was spent that others before had it counted.
  uint64_t weight = 0;
};

struct SampleValue {
  size_t index = 0;
  std::string event;  // what is counted: its type, or of samples by a period of another kind that
  // What a sample stands for, in nanoseconds, so that hosts that sample at different rates weigh
  // by time, as recordings of the clock do. Without a period the mean of `time`, and 1 when the
  // profile does not say that either.
  uint64_t weight = 1;
  // The values that are that time themselves, if any: merged profiles have one period, the largest,
  // and samples of several. And what one of these is, in nanoseconds.
  std::optional<size_t> time;
  uint64_t time_unit = 1;

  // How often a stack was sampled, for each of `profile`'s samples once, in their order. Time is as
  // many samples as it pays for, what is left over of one goes to the next, and all of it together
  // is rounded up. Merging with a weight below one half rounds a count to 0 and leaves the time
  // beside it, which tells then. A sample whose value or time is negative counts nothing.
  SampleCount take(const StackProfile& profile, size_t sample);
  // Differences of profiles have such samples.
  bool is_negative(const StackProfile& profile, size_t sample) const;

 private:
  // The time that is known of these samples, in nanoseconds; 0: none.
  uint64_t time_of(const StackProfile& profile, size_t sample) const;
  uint64_t samples_in(uint64_t spent);

  uint64_t paid_for_ = 0;  // time of samples that are counted already
};

// "samples" and "sample": the type whose values are numbers of samples.
bool counts_samples(std::string_view type);

// The event that a sample type counts: of numbers of samples that of the period, where it is known.
std::string_view counted_event(const StackProfile& profile, size_t type);

// "cycles" of "cycles:u" and of "cpu_core/cycles/u"; "ibs_op" of "ibs_op//".
std::string_view event_without_modifiers(std::string_view event);

// Nanoseconds of a unit of time, such as "ms"; 0 of others.
int64_t nanoseconds_of_unit(std::string_view unit);

// Is it time on the CPU, or cycles, and neither memory nor waiting? By the name of an event, of
// pprof's sample types or of perf, alone.
bool is_cpu_time(std::string_view event);

// Is it a clock, or a profiler's own sample type? Samples of these never have branch records. By
// the name alone, as is_cpu_time().
bool is_clock(std::string_view event);

// `wanted` names a sample type ("samples", "cpu"); empty: samples, or else time, which is divided
// by the period, or where the profile has none by its smallest value, with a warning. Samples that
// SampleValue::take() leaves out because they are negative get a warning, too.
// `name` is for messages. Errors: kUsage for a sample type that is not there, kEmpty when none was
// wanted and nothing counts where the program was: a directory may hold such profiles.
Result<SampleValue> choose_sample_value(const StackProfile& profile, const std::string& wanted,
                                        const std::string& name, Diagnostics& diagnostics);

}  // namespace pgo

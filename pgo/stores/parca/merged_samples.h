// Numbers of samples in what Parca merges: it multiplies them by their period, and calls them by
// its type. The period itself it does not give.
#pragma once

#include <cstdint>
#include <string>

#include "pgo/base/diagnostics.h"
#include "pgo/profile/stack_profile.h"

namespace pgo::parca {

// The kind of warning for profiles of several periods.
inline constexpr const char* kSeveralPeriods = "several-periods";

// What the number of samples is that a server lists.
enum class ListedSamples : uint8_t {
  kAll,
  kSome,  // of profiles without a duration: one for each second
  kNone,  // the time of samples was asked for, and not their number
};

// `listed`: how many samples the server counts in the merged profiles. Puts a column of samples
// before the one that there is, and the period:
//
// 1. The sum by the number that is listed, if all values are multiples of that.
// 2. Or else the greatest common divisor, if it makes as many samples as are listed, or up to a
//    quarter more: the server may have got profiles in between. Of kSome it comes first, and makes
//    any number that is not smaller.
// 3. Or else there are profiles of several periods in it. Samples count by the mean, with a
//    warning; `shown` is the profile.
//
// Without a number, time gets its greatest common divisor as the period, and no column of samples.
// Of two rates it may be tiny, so less than 100 us, which no profiler uses, is no period.
void restore_samples(StackProfile& profile, ListedSamples kind, int64_t listed,
                     const std::string& shown, Diagnostics& diagnostics);

}  // namespace pgo::parca

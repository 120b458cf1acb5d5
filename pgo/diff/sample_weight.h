// SampleWeight: what of a profile is compared: the values of one sample type, and how many samples
// each value comes from, which says how far chance can have moved it.
//
// Profilers count in one of these ways; the first that a profile has tells:
//   a sample type "samples/count"         how many samples there were
//   "contentions/count" of locks          each event is one sample
//   objects and bytes by a period of     of n objects of b bytes together, each was sampled with
//   the bytes                                 chance 1 - e^(-b / n / period) a period in the unit
//   of the type      value / period: time on the CPU none of these                         one
//   sample for each value
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

class SampleWeight {
 public:
  // `wanted`: "cpu" or "cpu/nanoseconds"; the modifiers of perf's events may be omitted ("cycles"
  // also finds "cycles:u"); empty: the default type of the profile. `name` is for messages. Error:
  // kMismatch when the profile has no such type.
  static Result<SampleWeight> choose(const StackProfile& profile, const std::string& wanted,
                                     const std::string& name);

  size_t type() const { return type_; }
  int64_t value(const StackProfile& profile, size_t sample) const {
    return profile.values_of(sample)[type_];
  }
  // At least 1 where the value is not 0.
  double samples(const StackProfile& profile, size_t sample) const;

 private:
  size_t type_ = 0;
  std::optional<size_t> counted_by_;  // the type that samples are counted by
  std::optional<size_t> objects_;     // their number; counted_by_ has their bytes
  double period_ = 1;                 // what a sample is of counted_by_
};

}  // namespace pgo

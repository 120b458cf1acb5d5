// ComparedType: the sample type that all profiles of a comparison are compared by. The first
// profile says which that is; the others must count the same.
//
// Events of perf count the same when only their modifiers differ. How exactly a sample names its
// instruction ("cycles", "cycles:P") moves a few samples between lines and small functions. Which
// code is counted ("cycles", "cycles:u") moves all shares, since the kernel is a part of the whole
// on one side only. Both are compared, with a warning, because recordings of one machine may have
// both: perf chooses modifiers by what the processor can do and the user may see.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

class ComparedType {
 public:
  // `type` is a position in `profile.sample_types`, which gets the name that the first profile has
  // for it. Error: kMismatch for another event or unit, with what both profiles count.
  Result<void> add(StackProfile& profile, size_t type, const std::string& path);

  // "cycles:u", "count"; empty before the first profile.
  const std::string& type() const { return type_; }
  const std::string& unit() const { return unit_; }
  std::string name() const { return type_ + "/" + unit_; }

  // Warns of profiles whose events differ by modifiers; and where samples are compared, by what
  // they were taken.
  void warn(Diagnostics& diagnostics) const;

 private:
  Failure mismatch(const StackProfile& profile, size_t type, const std::string& path) const;

  std::string type_, unit_;
  std::string first_path_;
  std::vector<std::string> first_types_;       // all that the first profile counts
  std::map<std::string, std::string> events_;  // that were seen, each with its first profile
};

}  // namespace pgo

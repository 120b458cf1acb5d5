// ComparedType: the sample type of a comparison. The first profile determines it, and all others
// must have the same.
//
// Events of perf that differ only by modifiers are the same type. The precision of the sampled
// address ("cycles", "cycles:P") moves a few samples between lines and small functions. The code
// that is counted ("cycles", "cycles:u") changes all shares, because only one side includes the
// kernel. These are compared with a warning, because recordings of one machine may have both: perf
// chooses modifiers by what the processor supports and what the user may profile.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

class ComparedType {
 public:
  // `type` is an index into `profile.sample_types`; this type gets the name that it has in the
  // first profile. Error: kMismatch for another event or unit, with the types of both profiles.
  Result<void> add(StackProfile& profile, size_t type, const std::string& path);

  // "cycles:u", "count"; empty before the first profile.
  const std::string& type() const { return type_; }
  const std::string& unit() const { return unit_; }
  std::string name() const { return type_ + "/" + unit_; }

  // Do all profiles count time on the CPU, or cycles, or samples of these?
  bool counts_cpu_time() const;

  // Do all profiles count the same code: the kernel, too, or user code alone?
  bool counts_same_code() const;
  // Does any of them count the kernel?
  bool counts_kernel() const;

  // Warns if the events of profiles differ by modifiers, and if numbers of samples are compared
  // that different events took.
  void warn(Diagnostics& diagnostics) const;

 private:
  Failure mismatch(const StackProfile& profile, size_t type, const std::string& path) const;

  std::string type_, unit_;
  std::string first_path_;
  std::vector<std::string> first_types_;       // all types of the first profile
  std::map<std::string, std::string> events_;  // each with the first profile that has it
};

}  // namespace pgo

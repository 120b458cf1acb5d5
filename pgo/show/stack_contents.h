// What a stack profile (pprof, gperftools CPU profile, folded stacks) holds: what it counts and how
// much, of which builds, its labels, and the functions in which it counts most.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "converters/format.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"
#include "pgo/profile/build_shares.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/source/input_bytes.h"

namespace pgo {

struct StackContents {
  struct Function {
    std::string name;
    int64_t value = 0;  // of samples whose leaf it is, of the type that is shown
  };

  Format format = Format::kPprof;
  uint64_t inflated_size = 0;       // bytes; the file's own where it is not compressed
  std::vector<SampleTotal> totals;  // of each sample type
  size_t shown_type = 0;            // the one of `totals` by which builds and functions are listed
  bool is_default_type = false;     // the profile says that this one is shown by default
  int64_t period = 0;               // 0: not known
  std::string period_type, period_unit;
  int64_t time = 0;      // nanoseconds since 1970; 0: not known
  int64_t duration = 0;  // nanoseconds; 0: not known
  uint64_t samples = 0;  // different ones
  uint64_t locations = 0, functions = 0;
  std::map<std::string, size_t> labels;  // how many different values each key has
  std::vector<BuildShare> builds;
  uint64_t hottest_total = 0;     // of all functions, as if no sample were negative
  std::vector<Function> hottest;  // farthest from 0 first, equal ones by name
  Diagnostics diagnostics;
};

// At most `top` functions. Errors: as read_stack_profile().
Result<StackContents> read_stack_contents(const InputBytes& input, size_t top);

}  // namespace pgo

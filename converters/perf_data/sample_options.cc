#include "converters/perf_data/sample_options.h"

#include <algorithm>

namespace pgo::perf_data {

bool SampleOptions::wants_process(uint32_t pid) const {
  return pids.empty() || std::find(pids.begin(), pids.end(), pid) != pids.end();
}

}  // namespace pgo::perf_data

#include "pgo/ingest/reading_order.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>

namespace pgo {

std::vector<ReadingStep> plan_reading(const std::vector<uint64_t>& sizes, unsigned jobs) {
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sizes[a] > sizes[b]; });
  std::vector<ReadingStep> steps;
  for (size_t first = 0; first < order.size();) {
    size_t count = std::min<size_t>(jobs, order.size() - first);
    double together = 0;
    for (size_t i = 0; i < count; i++) together += static_cast<double>(sizes[order[first + i]]);
    // One thread each takes as long as the largest, all threads for each as long as the mean would:
    // not quite, because a part of reading is one thread's, hence the allowance of a half.
    bool alone = count < jobs || static_cast<double>(sizes[order[first]]) > 1.5 * together / jobs;
    if (alone) count = 1;
    auto begin = order.begin() + static_cast<std::ptrdiff_t>(first);
    steps.push_back(
        {{begin, begin + static_cast<std::ptrdiff_t>(count)}, alone ? std::max(jobs, 1u) : 1u});
    first += count;
  }
  return steps;
}

std::vector<uint64_t> sizes_of(const std::vector<InputFile>& files) {
  std::vector<uint64_t> sizes;
  for (const InputFile& file : files) {
    std::error_code no_size;
    uint64_t size = std::filesystem::file_size(file.path, no_size);
    sizes.push_back(no_size ? 0 : size);
  }
  return sizes;
}

}  // namespace pgo

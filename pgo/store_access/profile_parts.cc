#include "pgo/store_access/profile_parts.h"

#include <algorithm>
#include <utility>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/number_text.h"

namespace pgo::store_access {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

// The samples from `begin` to before `end`, and what they need.
StackProfile part_of(const StackProfile& profile, size_t begin, size_t end, size_t number) {
  StackProfile part = profile;
  const auto at = [](auto& items, size_t position) {
    return items.begin() + static_cast<std::ptrdiff_t>(position);
  };
  const size_t types = profile.sample_types.size();
  part.samples.assign(at(profile.samples, begin), at(profile.samples, end));
  part.values.assign(at(profile.values, begin * types), at(profile.values, end * types));
  part.time += static_cast<int64_t>(number) * kMillisecond;
  part.normalize();
  return part;
}

}  // namespace

Result<std::vector<std::string>> pprof_parts(const StackProfile& profile, const PartLimits& limits,
                                             const std::string& shown) {
  std::vector<std::string> parts;
  // Ranges of samples that are still to be written, the first at the end.
  std::vector<std::pair<size_t, size_t>> left;
  const size_t count = profile.samples.size();
  for (size_t begin = 0; begin < count; begin += limits.samples)
    left.emplace_back(begin, std::min(begin + limits.samples, count));
  std::reverse(left.begin(), left.end());
  while (!left.empty()) {
    const auto [begin, end] = left.back();
    left.pop_back();
    const bool is_whole = begin == 0 && end == count;
    std::string message =
        is_whole ? write_pprof(profile) : write_pprof(part_of(profile, begin, end, parts.size()));
    if (message.size() <= limits.bytes) {
      parts.push_back(std::move(message));
      continue;
    }
    if (end - begin == 1)
      return fail(ErrorKind::kInput, shown + ": a single sample takes more than " +
                                         format_size(limits.bytes) + ", which the store refuses");
    const size_t middle = begin + (end - begin) / 2;
    left.emplace_back(middle, end);
    left.emplace_back(begin, middle);
  }
  return parts;
}

}  // namespace pgo::store_access

#include "pgo/profile/call_counts.h"

#include <algorithm>
#include <tuple>

#include "pgo/profile/address_keys.h"
#include "pgo/profile/sorted_counts.h"

namespace pgo {
namespace {

constexpr size_t kLeastToMerge = size_t{1} << 16;

}  // namespace

void CallCounts::add(std::span<const StackFrame> frames, uint64_t count) {
  stack_.clear();
  for (size_t i = 0; i + 1 < frames.size(); i++) {
    const StackFrame &callee = frames[i], &caller = frames[i + 1];
    if (callee.addr && caller.addr && callee.binary == caller.binary)
      stack_.push_back({caller.binary, {*caller.addr, *callee.addr, i == 0, count}});
  }
  auto whole_key = [](const auto& one) {
    return std::tuple_cat(std::tie(one.first), key(one.second));
  };
  std::sort(stack_.begin(), stack_.end(),
            [&](const auto& a, const auto& b) { return whole_key(a) < whole_key(b); });
  auto end = std::unique(stack_.begin(), stack_.end());
  for (auto one = stack_.begin(); one != end; ++one) {
    Calls& calls = calls_[one->first];
    calls.edges.push_back(one->second);
    if (calls.edges.size() < std::max(calls.merge_at, kLeastToMerge)) continue;
    sort_and_sum(calls.edges, 1, [](const CallEdge& edge) { return key(edge); });
    calls.merge_at = 2 * calls.edges.size();
  }
}

void CallCounts::add_to(std::vector<BinaryCounts>& binaries) const {
  for (size_t i = 0; i < calls_.size(); i++)
    binaries[i].calls.insert(binaries[i].calls.end(), calls_[i].edges.begin(),
                             calls_[i].edges.end());
}

}  // namespace pgo

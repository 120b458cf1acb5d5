#include "pgo/lock_diff/profile_comparison.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "pgo/base/number_text.h"

namespace pgo {
namespace {

constexpr double kHotShare = 0.99;

double share_of(const CountedProfile& profile, uint64_t function) {
  const auto found = profile.functions.find(function);
  if (found == profile.functions.end() || profile.total == 0) return 0;
  return static_cast<double>(found->second.count) / static_cast<double>(profile.total);
}

std::set<uint64_t> hot_functions(const CountedProfile& profile) {
  std::vector<std::pair<uint64_t, uint64_t>> by_count;
  for (const auto& [key, function] : profile.functions)
    if (function.count != 0) by_count.emplace_back(function.count, key);
  std::sort(by_count.rbegin(), by_count.rend());
  std::set<uint64_t> hot;
  double sum = 0;
  for (const auto& [count, key] : by_count) {
    if (sum >= kHotShare * static_cast<double>(profile.total)) break;
    sum += static_cast<double>(count);
    hot.insert(key);
  }
  return hot;
}

// Profiles with hashes for names have this name for the function.
bool is_number_of(uint64_t function, const std::string& name) {
  return name == std::to_string(function);
}

// In billionths, so that equal changes are equal whatever was lost in the last digit.
int64_t shift_of(const MovedFunction& function) {
  return whole_number(std::abs(function.after - function.before) * 1e9);
}

bool moved_more(const MovedFunction& a, const MovedFunction& b) {
  const int64_t a_by = shift_of(a), b_by = shift_of(b);
  return a_by != b_by ? a_by > b_by : a.name < b.name;
}

}  // namespace

ProfileComparison compare_profiles(const CountedProfile& before, const CountedProfile& after,
                                   size_t top) {
  ProfileComparison result;
  result.overlap = overlap_of(before, after);
  const std::set<uint64_t> was_hot = hot_functions(before), is_hot = hot_functions(after);
  std::map<uint64_t, std::string> names;
  for (const CountedProfile* profile : {&before, &after})
    for (const auto& [key, function] : profile->functions) {
      std::string& name = names.try_emplace(key, function.name).first->second;
      if (is_number_of(key, name)) name = function.name;
    }
  for (const auto& [key, name] : names) {
    MovedFunction function{name, share_of(before, key), share_of(after, key)};
    if (function.before == function.after) continue;
    if (function.before == 0 && is_hot.contains(key)) function.move = FunctionMove::kCame;
    if (function.after == 0 && was_hot.contains(key)) function.move = FunctionMove::kWent;
    result.came += function.move == FunctionMove::kCame ? 1 : 0;
    result.went += function.move == FunctionMove::kWent ? 1 : 0;
    result.functions.push_back(std::move(function));
  }
  std::sort(result.functions.begin(), result.functions.end(), moved_more);
  if (result.functions.size() > top) result.functions.resize(top);
  return result;
}

}  // namespace pgo

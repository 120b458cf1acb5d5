#include "pgo/profile/build_shares.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "pgo/profile/address_selection.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

// Gives all builds their total and sorts them.
std::vector<BuildShare> finish(std::vector<BuildShare> builds, uint64_t total) {
  for (BuildShare& build : builds) build.total = total;
  std::stable_sort(builds.begin(), builds.end(),
                   [](const BuildShare& a, const BuildShare& b) { return a.count > b.count; });
  return builds;
}

// The mapping that the leaf of a sample is in; null when it is in none.
const StackMapping* find_leaf_mapping(const StackProfile& profile, const StackSample& sample) {
  auto stack = profile.stacks[static_cast<size_t>(sample.stack)];
  if (stack.empty()) return nullptr;
  MappingId mapping = profile.locations[static_cast<size_t>(stack[0])].mapping;
  return mapping == kNoMapping ? nullptr : &profile.mappings[static_cast<size_t>(mapping)];
}

}  // namespace

std::vector<BuildShare> list_builds(const AddressProfile& profile) {
  bool has_traces = std::any_of(profile.binaries.begin(), profile.binaries.end(),
                                [](const BinaryCounts& counts) { return !counts.traces.empty(); });
  std::vector<BuildShare> builds;
  for (const BinaryCounts& counts : profile.binaries)
    builds.push_back({.id = counts.id.hex(),
                      .path = counts.path_hint,
                      .count = has_traces ? sum_of_traces(counts) : counts.pc_sample_weight(),
                      .traces = counts.traces.size(),
                      .addresses = counts.pc_samples.size(),
                      .calls = counts.calls.size()});
  uint64_t total = 0;
  for (const BuildShare& build : builds) total = saturating_add(total, build.count);
  return finish(std::move(builds), total);
}

std::vector<BuildShare> list_builds(const StackProfile& profile) {
  std::map<std::pair<std::string_view, std::string_view>, BuildShare> builds;
  std::map<const BuildShare*, int64_t> values;
  uint64_t total = 0;
  size_t type = shown_type(profile);
  for (size_t i = 0; i < profile.samples.size(); i++) {
    std::string_view id, path;
    if (const StackMapping* mapping = find_leaf_mapping(profile, profile.samples[i])) {
      id = profile.text(mapping->build_id);
      path = profile.text(mapping->filename);
    }
    BuildShare& build = builds[{id, id.empty() ? path : std::string_view()}];
    build.id = id;
    // Of several paths the one that sorts first, so that the order of samples cannot be seen.
    if (build.path.empty() || (!path.empty() && path < build.path)) build.path = path;
    build.samples++;
    if (profile.sample_types.empty()) continue;
    int64_t value = profile.values_of(i)[type];
    values[&build] = sum_of(values[&build], value);
    total = saturating_add(total, magnitude_of(value));
  }
  std::vector<BuildShare> list;
  for (auto& [key, build] : builds) {
    int64_t value = values[&build];
    build.count = magnitude_of(value);
    build.is_negative = value < 0;
    list.push_back(std::move(build));
  }
  return finish(std::move(list), total);
}

}  // namespace pgo

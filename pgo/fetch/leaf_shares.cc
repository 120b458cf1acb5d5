#include "pgo/fetch/leaf_shares.h"

#include <algorithm>

#include "pgo/base/hash.h"
#include "pgo/base/number_text.h"

namespace pgo {
namespace {

constexpr unsigned kPieceBits = 8;   // of an address: 256 bytes
constexpr uint64_t kLeafSeed = 101;  // any, but always the same

struct Leaf {
  std::string name;
  double value = 0;
};
using Leaves = std::map<uint64_t, Leaf>;

std::string piece_name(const std::string& file, uint64_t address) {
  return file + "+" + format_hex(address >> kPieceBits << kPieceBits);
}

std::string piece_name(const StackProfile& profile, const StackLocation& location) {
  if (location.mapping == kNoMapping) return piece_name("", location.address.value);
  const StackMapping& mapping = profile.mappings[static_cast<size_t>(location.mapping)];
  const StringId file = mapping.build_id == kEmptyString ? mapping.filename : mapping.build_id;
  uint64_t address = location.address.value;
  if (mapping.holds(location.address))
    address = address - mapping.begin.value + mapping.file_offset.value;
  return piece_name(std::string(profile.text(file)), address);
}

void add_leaf(Leaves& leaves, const std::string& name, double value) {
  if (value <= 0) return;
  uint64_t key = hash_text(kLeafSeed, name);
  if (key == LeafShares::kOthers) key++;
  Leaf& leaf = leaves[key];
  if (leaf.name.empty() || name < leaf.name) leaf.name = name;
  leaf.value += value;
}

// Keeps the largest kMaxLeaves.
LeafShares shares_of(const Leaves& leaves) {
  LeafShares shares;
  double total = 0;
  std::vector<std::pair<double, uint64_t>> by_value;
  for (const auto& [key, leaf] : leaves) {
    total += leaf.value;
    by_value.emplace_back(leaf.value, key);
  }
  if (total <= 0) return shares;
  std::sort(by_value.begin(), by_value.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  shares.top_name = leaves.at(by_value[0].second).name;
  shares.top_share = by_value[0].first / total;
  double others = 0;
  for (size_t i = 0; i < by_value.size(); i++) {
    if (i < LeafShares::kMaxLeaves)
      shares.shares.emplace_back(by_value[i].second, by_value[i].first / total);
    else
      others += by_value[i].first / total;
  }
  if (others > 0) shares.shares.emplace_back(LeafShares::kOthers, others);
  std::sort(shares.shares.begin(), shares.shares.end());
  return shares;
}

}  // namespace

LeafShares leaf_shares(const StackProfile& profile, size_t type) {
  std::vector<double> by_location(profile.locations.size());
  for (size_t i = 0; i < profile.samples.size(); i++) {
    const auto stack = profile.stacks[static_cast<size_t>(profile.samples[i].stack)];
    const int64_t value = profile.values_of(i)[type];
    if (!stack.empty() && value > 0)
      by_location[static_cast<size_t>(stack[0])] += static_cast<double>(value);
  }
  Leaves leaves;
  std::vector<double> by_name(profile.strings.size());  // a function has many locations
  for (size_t i = 0; i < by_location.size(); i++) {
    if (by_location[i] <= 0) continue;
    const auto lines = profile.lines[i];
    if (lines.empty()) {
      add_leaf(leaves, piece_name(profile, profile.locations[i]), by_location[i]);
    } else {
      const StackFunction& function = profile.functions[static_cast<size_t>(lines[0].function)];
      by_name[static_cast<size_t>(function.name)] += by_location[i];
    }
  }
  for (size_t i = 0; i < by_name.size(); i++)
    if (by_name[i] > 0)
      add_leaf(leaves, std::string(profile.text(static_cast<StringId>(i))), by_name[i]);
  return shares_of(leaves);
}

LeafShares leaf_shares(const AddressProfile& profile) {
  const bool has_traces =
      std::any_of(profile.binaries.begin(), profile.binaries.end(),
                  [](const BinaryCounts& counts) { return !counts.traces.empty(); });
  Leaves leaves;
  for (const BinaryCounts& counts : profile.binaries) {
    const std::string file = counts.id.empty() ? counts.path_hint : counts.id.hex();
    std::map<uint64_t, double> pieces;  // by the first address
    if (has_traces) {
      for (const Trace& trace : counts.traces)
        if (trace.to)
          pieces[(*trace.to).value >> kPieceBits << kPieceBits] += static_cast<double>(trace.count);
    } else {
      for (const PcSample& sample : counts.pc_samples)
        pieces[sample.pc.value >> kPieceBits << kPieceBits] += static_cast<double>(sample.weight);
    }
    for (const auto& [address, value] : pieces) add_leaf(leaves, piece_name(file, address), value);
  }
  return shares_of(leaves);
}

double overlap_of(const LeafShares& a, const LeafShares& b) {
  double common = 0;
  auto left = a.shares.begin(), right = b.shares.begin();
  while (left != a.shares.end() && right != b.shares.end()) {
    if (left->first < right->first) {
      ++left;
    } else if (right->first < left->first) {
      ++right;
    } else {
      common += std::min((left++)->second, (right++)->second);
    }
  }
  return common;
}

void MeanLeafShares::add(const LeafShares& one, double weight) {
  for (const auto& [leaf, share] : one.shares) sums_[leaf] += share * weight;
  weight_ += weight;
}

LeafShares MeanLeafShares::mean() const {
  LeafShares mean;
  if (weight_ <= 0) return mean;
  for (const auto& [leaf, sum] : sums_) mean.shares.emplace_back(leaf, sum / weight_);
  return mean;
}

}  // namespace pgo

#include "pgo/verdict/fleet_splits.h"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "pgo/verify/member_design.h"

namespace pgo {
namespace {

using Group = std::vector<uint32_t>;  // members, by index, that stay together

// Groups that are divided into halves: all hosts, or the profiles of one host.
struct Block {
  std::vector<Group> groups;
  std::vector<uint8_t> halves;  // of each group; sorted, it is the first of their orders
};

std::vector<uint32_t> active_members(const verify::Side& side) {
  std::vector<uint32_t> members;
  for (uint32_t m = 0; m < side.members.size(); m++)
    if (side.members[m].weight > 0) members.push_back(m);
  return members;
}

// Members by host; a member without a host, and of SplitKind::kProfiles each, is a group of its
// own.
std::vector<Group> groups_of(const verify::Side& side, SplitKind kind) {
  std::map<std::string, Group> hosts;
  std::vector<Group> groups;
  for (uint32_t m : active_members(side)) {
    if (side.members[m].host.empty() || kind == SplitKind::kProfiles)
      groups.push_back({m});
    else
      hosts[side.members[m].host].push_back(m);
  }
  for (auto& [host, members] : hosts) groups.push_back(std::move(members));
  return groups;
}

std::vector<Block> blocks_of(const verify::Side& side, SplitKind kind) {
  std::vector<Group> groups = groups_of(side, kind);
  std::vector<Block> blocks;
  if (kind != SplitKind::kWithinHosts) {
    std::vector<uint8_t> halves(groups.size(), 1);
    std::fill_n(halves.begin(), groups.size() / 2, uint8_t{0});
    blocks.push_back({std::move(groups), std::move(halves)});
    return blocks;
  }
  for (const Group& host : groups) {
    Block block;
    for (uint32_t member : host) block.groups.push_back({member});
    // Both halves have as many profiles of a host; of an odd number, one is left out.
    block.halves.assign(host.size(), kNoHalf);
    std::fill_n(block.halves.begin(), host.size() / 2, uint8_t{0});
    std::fill_n(block.halves.begin() + static_cast<std::ptrdiff_t>(host.size() / 2),
                host.size() / 2, uint8_t{1});
    blocks.push_back(std::move(block));
  }
  return blocks;
}

// How many different splits there are: the multinomial coefficient of each block.
double count_splits(const std::vector<Block>& blocks) {
  double count = 1;
  for (const Block& block : blocks) {
    std::array<double, 3> seen{};
    for (size_t i = 0; i < block.halves.size(); i++)
      count *= static_cast<double>(i + 1) / ++seen[block.halves[i]];
  }
  return count;
}

// The next split in an order that has each once; false after the last.
bool advance(std::vector<Block>& blocks) {
  return std::any_of(blocks.begin(), blocks.end(), [](Block& block) {
    return std::next_permutation(block.halves.begin(), block.halves.end());
  });
}

// The same order on every machine, unlike std::shuffle's.
void shuffle(std::vector<Block>& blocks, std::mt19937_64& random) {
  for (Block& block : blocks)
    for (size_t i = block.halves.size(); i > 1; i--)
      std::swap(block.halves[i - 1], block.halves[random() % i]);
}

Halves halves_of(const std::vector<Block>& blocks, size_t members) {
  Halves halves(members, kNoHalf);
  for (const Block& block : blocks)
    for (size_t i = 0; i < block.groups.size(); i++)
      for (uint32_t member : block.groups[i]) halves[member] = block.halves[i];
  return halves;
}

}  // namespace

std::vector<SplitKind> split_kinds(const verify::Side& fleet) {
  const std::vector<Group> hosts = groups_of(fleet, SplitKind::kHosts);
  const auto divisible = static_cast<size_t>(std::count_if(
      hosts.begin(), hosts.end(), [](const Group& group) { return group.size() > 1; }));
  std::vector<SplitKind> kinds;
  if (hosts.size() >= kMinSplitMembers) kinds.push_back(SplitKind::kHosts);
  if (divisible >= verify::kMinPairs) kinds.push_back(SplitKind::kWithinHosts);
  if (kinds.empty() && count_active(fleet) >= kMinSplitMembers)
    kinds.push_back(SplitKind::kProfiles);
  return kinds;
}

FleetSplits split_fleet(const verify::Side& fleet, SplitKind kind, size_t count) {
  std::vector<Block> blocks = blocks_of(fleet, kind);
  FleetSplits result;
  result.are_all = count_splits(blocks) <= static_cast<double>(count);
  if (result.are_all) {
    do {
      result.splits.push_back(halves_of(blocks, fleet.members.size()));
    } while (advance(blocks));
    return result;
  }
  std::mt19937_64 random(1);
  for (size_t i = 0; i < count; i++) {
    shuffle(blocks, random);
    result.splits.push_back(halves_of(blocks, fleet.members.size()));
  }
  return result;
}

size_t count_active(const verify::Side& fleet) { return active_members(fleet).size(); }

}  // namespace pgo

#include "pgo/diff/function_bodies.h"

#include <algorithm>
#include <set>
#include <utility>

#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

// What a function has of a side's cost.
struct Costs {
  std::array<double, 2> own{};  // in code of its own
  std::array<double, 2> all{};  // with copies that are inlined
};

bool has_own_code(const Costs& costs) {
  const double mean = (costs.all[0] + costs.all[1]) / 2;
  return std::max(costs.own[0], costs.own[1]) >= mean / 2;
}

bool is_mostly_inlined(const Costs& costs, size_t side) {
  return costs.own[side] < (1 - thresholds::kMostlyInlined) * costs.all[side];
}

// What is inlined into which body, the next one outwards, with the cost on each side.
using InlinedCosts = std::map<BodyLink, std::array<double, 2>>;

std::vector<BodyLink> find_links(const InlinedCosts& inlined, const std::vector<Costs>& costs) {
  std::vector<BodyLink> links;
  for (const auto& [link, cost] : inlined) {
    const Costs& its = costs[link.inlined];
    for (size_t side = 0; side < 2; side++)
      if (is_mostly_inlined(its, side) && !is_mostly_inlined(its, 1 - side) &&
          its.own[1 - side] > 0 && cost[side] >= thresholds::kMinLinkedShare * its.all[side])
        links.push_back(link);
  }
  return links;
}

}  // namespace

uint32_t ChainTable::chain_of(std::span<const uint32_t> rows) {
  auto [found, is_new] =
      numbers_.try_emplace(std::vector<uint32_t>(rows.begin(), rows.end()), cells_.size());
  if (is_new) cells_.emplace_back(), sums_.emplace_back();
  return found->second;
}

void ChainTable::count(uint32_t chain, int64_t value, double samples) {
  if (sums_[chain].value == 0) touched_.push_back(chain);
  sums_[chain].add(value, samples);
}

void ChainTable::store(size_t side, uint32_t member) {
  for (uint32_t chain : touched_) {
    cells_[chain][side].push_back(sums_[chain].cell(member));
    sums_[chain] = {};
  }
  touched_.clear();
}

FunctionBodies ChainTable::finish(std::span<const uint32_t> final_rows, size_t rows,
                                  const std::array<std::vector<verify::Member>, 2>& members) const {
  std::array<double, 2> everything{};
  for (size_t side = 0; side < 2; side++)
    for (const verify::Member& member : members[side]) everything[side] += member.weight;
  auto cost_of = [&](uint32_t chain, size_t side) {
    double cost = 0;
    for (const verify::Cell& cell : cells_[chain][side])
      cost += cell.value * members[side][cell.member].scale;
    return everything[side] > 0 ? cost / everything[side] : 0;
  };
  std::vector<Costs> costs(rows);
  for (const auto& [chain, number] : numbers_) {
    std::set<uint32_t> in_chain;
    for (uint32_t row : chain) in_chain.insert(final_rows[row]);
    for (size_t side = 0; side < 2; side++) {
      const double cost = cost_of(number, side);
      costs[final_rows[chain.back()]].own[side] += cost;
      for (uint32_t row : in_chain) costs[row].all[side] += cost;
    }
  }

  InlinedCosts inlined;
  std::vector<std::array<std::map<uint32_t, verify::Cell>, 2>> bodies(rows);  // by member
  std::map<std::pair<uint32_t, uint32_t>, std::array<double, 2>> parts;       // body, row
  std::vector<std::array<double, 2>> flat(rows);
  for (const auto& [chain, number] : numbers_) {
    auto with_code = std::find_if(chain.begin(), chain.end() - 1, [&](uint32_t row) {
      return has_own_code(costs[final_rows[row]]);
    });
    const uint32_t body = final_rows[*with_code], innermost = final_rows[chain.front()];
    auto outer = with_code;
    while (outer != chain.end() &&
           (final_rows[*outer] == body ||
            (outer != chain.end() - 1 && !has_own_code(costs[final_rows[*outer]]))))
      ++outer;
    for (size_t side = 0; side < 2; side++) {
      for (const verify::Cell& cell : cells_[number][side]) {
        verify::Cell& into = bodies[body][side][cell.member];
        into.member = cell.member;
        into.value += cell.value * members[side][cell.member].scale;
        into.samples += cell.samples;
      }
      const double cost = cost_of(number, side);
      parts[{body, innermost}][side] += cost;
      if (outer != chain.end()) inlined[{body, final_rows[*outer]}][side] += cost;
      flat[innermost][side] += cost;
    }
  }

  FunctionBodies result;
  for (const auto& sides : bodies)
    for (size_t side = 0; side < 2; side++) {
      for (const auto& [member, cell] : sides[side]) result.cells[side].push(cell);
      result.cells[side].end_list();
    }
  for (const auto& [place, cost] : parts) {
    BodyPart part{.row = place.second, .body = place.first};
    for (size_t side = 0; side < 2; side++)
      if (flat[part.row][side] > 0) part.shares[side] = cost[side] / flat[part.row][side];
    result.parts.push_back(part);
  }
  result.links = find_links(inlined, costs);
  return result;
}

}  // namespace pgo

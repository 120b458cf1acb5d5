#include "tests/data/changed_mix.h"

#include <map>

namespace pgo {
namespace {

struct Kind {
  const char* name;
  double cost;                     // of a request
  std::array<double, 2> requests;  // before, after
};
constexpr Kind kKinds[] = {{"checkout", 4, {1, 2}}, {"search", 1, {4, 3}}};

}  // namespace

ChangedMix simulate_changed_mix(const verify::FleetOptions& options, uint64_t seed) {
  ChangedMix mix;
  std::array<std::vector<std::vector<verify::Cell>>, 2> cells;
  for (size_t kind = 0; kind < 2; kind++) {
    const verify::Fleet fleet = verify::simulate_fleet(options, 2 * seed + kind);
    for (size_t side = 0; side < 2; side++) {
      const verify::Side& its = side == 0 ? fleet.before : fleet.after;
      verify::Side& into = mix.rows.flat[side];
      const double requests = kKinds[kind].requests[side] / 5;
      const double weight = requests * kKinds[kind].cost;
      const auto first = static_cast<uint32_t>(into.members.size());
      for (verify::Member member : its.members) {
        member.weight *= weight, member.samples *= weight;
        member.units *= requests;
        mix.strata[side].wholes.push_back(static_cast<uint32_t>(into.members.size() - first));
        mix.strata[side].strata.push_back(kKinds[kind].name);
        into.members.push_back(member);
      }
      cells[side].resize(its.rows.size());
      for (size_t row = 0; row < its.rows.size(); row++)
        for (verify::Cell cell : its.rows[row]) {
          cell.value *= weight;
          cell.samples = static_cast<float>(cell.samples * weight);
          cell.member += first;
          // What one kind does much of, the other does little of.
          cells[side][kind == 0 ? row : its.rows.size() - 1 - row].push_back(cell);
        }
    }
  }
  for (size_t row = 0; row < cells[0].size(); row++) {
    mix.rows.keys.push_back({.name = "f" + std::to_string(row)});
    mix.rows.sources.emplace_back();
    for (size_t side = 0; side < 2; side++) mix.rows.flat[side].rows.add(cells[side][row]);
  }
  mix.rows.cumulative = mix.rows.flat;
  return mix;
}

verify::Fleet without_kinds(const ChangedMix& mix) {
  verify::Fleet fleet;
  for (size_t side = 0; side < 2; side++) {
    const verify::Side& from = mix.rows.flat[side];
    verify::Side& into = side == 0 ? fleet.before : fleet.after;
    const std::vector<uint32_t>& wholes = mix.strata[side].wholes;
    into.members.resize(from.members.size() / 2);
    for (size_t m = 0; m < from.members.size(); m++) {
      verify::Member& whole = into.members[wholes[m]];
      whole.host = from.members[m].host, whole.hour = from.members[m].hour;
      whole.weight += from.members[m].weight, whole.samples += from.members[m].samples;
      whole.units += from.members[m].units;
    }
    for (size_t row = 0; row < from.rows.size(); row++) {
      std::map<uint32_t, verify::Cell> sums;
      for (const verify::Cell& cell : from.rows[row]) {
        verify::Cell& sum = sums[wholes[cell.member]];
        sum.member = wholes[cell.member];
        sum.value += cell.value, sum.samples += cell.samples;
      }
      for (const auto& [whole, cell] : sums) into.rows.push(cell);
      into.rows.end_list();
    }
  }
  return fleet;
}

Result<verify::Fleet> standardized_fleet(const ChangedMix& mix, verify::Measure measure) {
  Diagnostics diagnostics;
  PGO_TRY(
      StandardizedRows rows,
      standardize(mix.rows, mix.strata, measure == verify::Measure::kPerUnit, "kind", diagnostics));
  return verify::Fleet{std::move(rows.rows.flat[0]), std::move(rows.rows.flat[1])};
}

}  // namespace pgo

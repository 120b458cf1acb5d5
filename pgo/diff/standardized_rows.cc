#include "pgo/diff/standardized_rows.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/diff/label_choice.h"

namespace pgo {
namespace {

constexpr const char* kSides[] = {"before", "after"};

using Amounts = std::map<std::string, double>;  // by stratum

// Adds up cells or members of one whole, whose samples weigh differently (verify::equal_samples).
struct WeightedSum {
  double value = 0, squares = 0;

  void add(double more, double samples) {
    value += more;
    if (samples > 0) squares += more * more / samples;
  }
  double samples() const { return verify::equal_samples(value, squares); }
};

class Standardizing {
 public:
  Standardizing(const Rows& rows, const std::array<SideStrata, 2>& strata, bool by_units,
                const std::string& label, CommonMix common_mix)
      : rows_(rows), strata_(strata), by_units_(by_units), label_(label), common_mix_(common_mix) {}

  Result<StandardizedRows> run(Diagnostics& diagnostics);

 private:
  Result<void> check_labels() const;
  Amounts amounts_of(size_t side) const;
  Result<std::vector<StratumShare>> common_mix(const std::array<Amounts, 2>& amounts) const;
  void warn_of_left_out(const std::vector<StratumShare>& mix, Diagnostics& diagnostics) const;
  std::vector<double> factors_of(size_t side, const std::vector<StratumShare>& mix,
                                 const Amounts& amounts) const;
  Amounts costs_of_units(const std::vector<StratumShare>& mix) const;
  verify::Side side_of(const verify::Side& side, const SideStrata& strata,
                       const std::vector<double>& factors, const Amounts& costs) const;

  const Rows& rows_;
  const std::array<SideStrata, 2>& strata_;
  bool by_units_;
  const std::string& label_;
  CommonMix common_mix_;
};

Result<void> Standardizing::check_labels() const {
  for (size_t side = 0; side < 2; side++) {
    bool has_label = false;  // units alone are no samples
    for (size_t m = 0; m < strata_[side].strata.size(); m++)
      has_label |= strata_[side].strata[m] != kNoLabel && rows_.flat[side].members[m].weight > 0;
    if (!has_label)
      return fail(ErrorKind::kEmpty,
                  std::string("no sample of the ") + kSides[side] + " side has the label '" +
                      label_ + "', so there is no mix to standardize",
                  "'pgo show' lists the labels of a profile, and \xFF{path-template} takes labels "
                  "from the ends of paths, with their extensions");
  }
  return ok();
}

// The work of each stratum.
Amounts Standardizing::amounts_of(size_t side) const {
  Amounts amounts;
  const std::vector<verify::Member>& members = rows_.flat[side].members;
  for (size_t m = 0; m < members.size(); m++) {
    const std::string& stratum = strata_[side].strata[m];
    const double amount = by_units_ ? members[m].units : members[m].weight;
    if (amount > 0 && !(by_units_ && stratum == kNoLabel)) amounts[stratum] += amount;
  }
  return amounts;
}

Result<std::vector<StratumShare>> Standardizing::common_mix(
    const std::array<Amounts, 2>& amounts) const {
  std::map<std::string, StratumShare> shares;
  for (size_t side = 0; side < 2; side++) {
    double all = 0;
    for (const auto& [stratum, amount] : amounts[side]) all += amount;
    for (const auto& [stratum, amount] : amounts[side]) shares[stratum].shares[side] = amount / all;
  }
  std::vector<StratumShare> mix;
  double common = 0;
  for (auto& [stratum, share] : shares) {
    share.value = stratum;
    if (share.shares[0] > 0 && share.shares[1] > 0)
      common += share.mix = common_mix_ == CommonMix::kSecond
                                ? share.shares[1]
                                : (share.shares[0] + share.shares[1]) / 2;
    mix.push_back(share);
  }
  if (common <= 0)
    return fail(ErrorKind::kEmpty, "the sides have no value of the label '" + label_ +
                                       "' in common, so their mixes cannot be compared");
  for (StratumShare& share : mix) share.mix /= common;
  return mix;
}

void Standardizing::warn_of_left_out(const std::vector<StratumShare>& mix,
                                     Diagnostics& diagnostics) const {
  for (const StratumShare& share : mix) {
    if (share.mix > 0) continue;
    const size_t side = share.shares[0] > 0 ? 0 : 1;
    diagnostics.warn("stratum-left-out", label_ + " " + share.value + " is left out: only the " +
                                             kSides[side] + " side has it (" +
                                             format_share(share.shares[side]) + " of its " +
                                             (by_units_ ? "units of work" : "samples") + ")");
  }
}

// By member.
std::vector<double> Standardizing::factors_of(size_t side, const std::vector<StratumShare>& mix,
                                              const Amounts& amounts) const {
  double all = 0;  // of the strata in the mix
  for (const StratumShare& share : mix)
    if (share.mix > 0) all += amounts.find(share.value)->second;
  std::map<std::string, double> of_strata;
  for (const StratumShare& share : mix)
    if (share.mix > 0) of_strata[share.value] = share.mix * all / amounts.find(share.value)->second;
  if (by_units_) of_strata.try_emplace(kNoLabel, 1);
  std::vector<double> factors;
  for (const std::string& stratum : strata_[side].strata) factors.push_back(of_strata[stratum]);
  return factors;
}

// What a unit of each stratum costs, divided by what one of the mix does: of both sides together.
Amounts Standardizing::costs_of_units(const std::vector<StratumShare>& mix) const {
  std::map<std::string, std::array<double, 2>> weights, units;
  for (size_t side = 0; side < 2; side++)
    for (size_t m = 0; m < rows_.flat[side].members.size(); m++) {
      const verify::Member& member = rows_.flat[side].members[m];
      weights[strata_[side].strata[m]][side] += member.weight;
      units[strata_[side].strata[m]][side] += member.units;
    }
  Amounts costs;
  double of_mix = 0;
  for (const StratumShare& share : mix) {
    if (share.mix <= 0 || !by_units_) continue;
    double& cost = costs[share.value];
    for (size_t side = 0; side < 2; side++)
      cost += weights[share.value][side] / units[share.value][side];
    of_mix += share.mix * cost;
  }
  for (auto& [stratum, cost] : costs) cost = of_mix > 0 ? cost / of_mix : 1;
  return costs;
}

// With members that are wholes.
verify::Side Standardizing::side_of(const verify::Side& side, const SideStrata& strata,
                                    const std::vector<double>& factors,
                                    const Amounts& costs) const {
  verify::Side result;
  std::vector<WeightedSum> sums;
  std::vector<bool> has_weight, has_units;  // of wholes, with strata that are left out
  for (size_t m = 0; m < side.members.size(); m++) {
    const size_t whole = strata.wholes[m];
    if (whole >= sums.size()) {
      sums.resize(whole + 1), result.members.resize(whole + 1);
      has_weight.resize(whole + 1), has_units.resize(whole + 1);
    }
    if (side.members[m].weight > 0) has_weight[whole] = true;
    if (side.members[m].units > 0) has_units[whole] = true;
    result.members[whole].host = side.members[m].host;
    result.members[whole].hour = side.members[m].hour;
    if (auto cost = costs.find(strata.strata[m]); cost != costs.end())
      result.members[whole].units += factors[m] * side.members[m].units * cost->second;
    sums[whole].add(factors[m] * side.members[m].weight, side.members[m].samples);
  }
  for (size_t whole = 0; whole < sums.size(); whole++) {
    verify::Member& member = result.members[whole];
    member.weight = sums[whole].value;
    member.samples = sums[whole].samples();
    member.emptied =
        (has_weight[whole] && member.weight <= 0) || (has_units[whole] && member.units <= 0);
  }
  for (size_t row = 0; row < side.rows.size(); row++) {
    std::map<uint32_t, WeightedSum> cells;
    for (const verify::Cell& cell : side.rows[row])
      if (factors[cell.member] > 0)
        cells[strata.wholes[cell.member]].add(factors[cell.member] * cell.value, cell.samples);
    for (const auto& [whole, sum] : cells)
      result.rows.push({sum.value, static_cast<float>(sum.samples()), whole});
    result.rows.end_list();
  }
  return result;
}

Result<StandardizedRows> Standardizing::run(Diagnostics& diagnostics) {
  PGO_CHECK(check_labels());
  const std::array<Amounts, 2> amounts{amounts_of(0), amounts_of(1)};
  StandardizedRows result;
  PGO_TRY(result.mix, common_mix(amounts));
  warn_of_left_out(result.mix, diagnostics);
  const Amounts costs = costs_of_units(result.mix);
  result.rows.keys = rows_.keys;
  result.rows.sources = rows_.sources;
  result.rows.starts = rows_.starts;
  result.rows.parts = rows_.parts;
  result.rows.links = rows_.links;
  for (size_t side = 0; side < 2; side++) {
    const std::vector<double> factors = factors_of(side, result.mix, amounts[side]);
    result.rows.flat[side] = side_of(rows_.flat[side], strata_[side], factors, costs);
    result.rows.cumulative[side] = side_of(rows_.cumulative[side], strata_[side], factors, costs);
    if (!rows_.parts.empty())
      result.rows.bodies[side] = side_of(rows_.bodies[side], strata_[side], factors, costs);
  }
  return result;
}

}  // namespace

Result<StandardizedRows> standardize(const Rows& rows, const std::array<SideStrata, 2>& strata,
                                     bool by_units, const std::string& label,
                                     Diagnostics& diagnostics, CommonMix common_mix) {
  return Standardizing(rows, strata, by_units, label, common_mix).run(diagnostics);
}

}  // namespace pgo

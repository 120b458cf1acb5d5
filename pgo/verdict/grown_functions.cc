#include "pgo/verdict/grown_functions.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "pgo/profile/other_code.h"
#include "pgo/profile/thresholds.h"
#include "pgo/verdict/mixed_bodies.h"
#include "pgo/verdict/share_growth.h"
#include "pgo/verify/multiple_tests.h"

namespace pgo {
namespace {

// The rows of a comparison with their shares of everything.
class SharedRows {
 public:
  SharedRows(const DiffResult& result, const Limits& limits, const std::map<RowKey, double>& growth)
      : result_(result), limits_(limits), growth_(growth) {
    if (result.total) everything_ = {result.total->rate_a, result.total->rate_b};
    const double samples = result.sides[0].samples + result.sides[1].samples;
    if (samples > 0) weight_before_ = result.sides[0].samples / samples;
  }

  double share(const DiffRow& row, size_t side) const {
    const double rate = side == 0 ? row.flat.rate_a : row.flat.rate_b;
    return everything_[side] > 0 ? rate / everything_[side] : 0;
  }
  // The share of both sides, weighted by their samples. Choosing rows by it does not favor rows
  // that are large on one side by chance; is_thin() in comparison.cc has the reason.
  double share(const DiffRow& row) const {
    return weight_before_ * share(row, 0) + (1 - weight_before_) * share(row, 1);
  }
  bool is_judged(const DiffRow& row) const {
    return share(row) >= limits_.function_share && row.flat.verdict != verify::Verdict::kTooThin;
  }
  // The accepted ratio.
  double limit(const DiffRow& row) const {
    auto own = growth_.find(row.key);
    const double growth = own == growth_.end() ? 0 : own->second;
    return 1 + std::max(growth, limits_.function_growth);
  }
  // No share grows beyond 1.
  bool can_grow(const DiffRow& row) const {
    return result_.total || row.flat.rate_a * limit(row) < 1;
  }

 private:
  const DiffResult& result_;
  const Limits& limits_;
  const std::map<RowKey, double>& growth_;
  std::array<double, 2> everything_{1, 1};
  double weight_before_ = .5;
};

// "[libc.so.6]": all code of a binary that has no names. The kernel is judged like a function, as
// what the release made it do. If only one side has it, the other names the kernel's functions.
bool is_nameless(const DiffRow& row, bool is_of_same_code) {
  const std::string& name = row.key.name;
  if (name == "[kernel]" && is_of_same_code && row.flat.rate_a > 0 && row.flat.rate_b > 0)
    return false;
  return name.starts_with('[') && name.ends_with(']');
}

// What address profiles count in binaries that their recordings were not converted for.
bool is_of_other_binaries(const DiffRow& row) {
  return row.key.name == other_code(Dropped::kOtherBinary) ||
         row.key.name == other_code(Dropped::kUnmapped);
}

// Whether a function's own cost grew by more than the limit, but its cost with what it calls did
// not grow with it. If everything else stayed the same, both would grow by the same amount: of
// shares, all of which add up to one, by (cumulative + growth) / (1 + growth). Less than half of
// that means that the cost came from what the function calls. Where that cannot be told, as of
// main(), which has everything below it, it is taken to have grown.
bool is_shifted(const DiffRow& row, double limit, bool per_unit) {
  const double own = row.flat.rate_b - row.flat.rate_a;
  if (row.flat.rate_b <= limit * row.flat.rate_a || row.flat.rate_a <= 0) return false;
  const double before = row.cumulative.rate_a;
  double expected = before + own;
  if (!per_unit) {
    if (row.flat.rate_b >= 1) return false;
    const double growth = own / (1 - row.flat.rate_b);
    expected = (before + growth) / (1 + growth);
  }
  if (expected - before < thresholds::kTellableGrowth * own) return false;
  return row.cumulative.rate_b < (before + expected) / 2;
}

// What rows of each binary lost of their own cost without costing less with what they call: it went
// to functions that they call, which are inlined less, or whose lines are counted differently. What
// their bodies did not lose went to functions that are inlined into them; MixedBodies judges these.
class ShedCosts {
 public:
  ShedCosts(const DiffResult& result, const SharedRows& shares, const MixedBodies& bodies) {
    for (size_t i = 0; i < result.rows.size(); i++) {
      const DiffRow& row = result.rows[i];
      double own = row.flat.rate_a - row.flat.rate_b;
      if (const auto loss = bodies.loss_of_bodies(i)) own = std::min(own, *loss);
      const double all = row.cumulative.rate_a - row.cumulative.rate_b;
      if (shares.share(row, 0) > 0 && own > 0)
        costs_[row.key.binary] += std::max(0.0, own - std::max(0.0, all));
    }
  }

  // Whether the growth of a row, divided by `limit`, may have come from there. Takes it.
  bool explain(const DiffRow& row, double limit) {
    const double own = row.flat.rate_b - row.flat.rate_a;
    if (row.flat.rate_b <= limit * row.flat.rate_a) return false;
    double& left = costs_[row.key.binary];
    if (left * limit < own) return false;
    left -= own / limit;
    return true;
  }

 private:
  std::map<std::string, double> costs_;  // by binary
};

// What source files lost by judged rows that are gone: others may have it by another name. Where
// the file of a function is not known, nothing is.
class MovedCosts {
 public:
  MovedCosts(const DiffResult& result, const SharedRows& shares) {
    for (const DiffRow& row : result.rows)
      if (row.flat.rate_b <= 0 && shares.is_judged(row)) costs_[place_of(row)] += row.flat.rate_a;
  }

  // Whether a new row has its cost, divided by `limit`, from there. Takes it.
  bool explain(const DiffRow& row, double limit) {
    return row.flat.rate_a <= 0 && explain_growth(row, limit);
  }
  // The same of the growth of any row.
  bool explain_growth(const DiffRow& row, double limit) {
    const double growth = row.flat.rate_b - row.flat.rate_a;
    auto found = costs_.find(place_of(row));
    if (row.key.file.empty() || found == costs_.end() || found->second * limit < growth)
      return false;
    found->second -= growth / limit;
    return true;
  }

 private:
  using Place = std::pair<std::string, std::string>;  // binary, file

  static Place place_of(const DiffRow& row) { return {row.key.binary, row.key.file}; }

  std::map<Place, double> costs_;
};

void leave_out_growth_of_others(const DiffResult& result, const SharedRows& shares,
                                FunctionVerdict& verdict) {
  const ShareGrowth growth(result.rows);
  std::erase_if(verdict.grown, [&](const GrownFunction& grown) {
    const DiffRow& row = result.rows[grown.row];
    const double of_others = growth.of_others(grown.row);
    const double allowed = shares.limit(row) * std::max(of_others, 1.0) * row.flat.rate_a;
    if (row.flat.rate_b > allowed) return false;
    if (verdict.like_others.empty()) verdict.growth_of_others = of_others;
    verdict.like_others.push_back(grown.row);
    return true;
  });
}

}  // namespace

FunctionVerdict judge_functions(const DiffResult& result, const Limits& limits,
                                const std::map<RowKey, double>& growth) {
  FunctionVerdict verdict;
  std::vector<size_t> rows;
  std::vector<double> p;
  const SharedRows shares(result, limits, growth);
  MovedCosts moved(result, shares);
  const MixedBodies bodies(result, limits.function_share);
  ShedCosts shed(result, shares, bodies);
  for (size_t i = 0; i < result.rows.size(); i++) {
    const DiffRow& row = result.rows[i];
    if (is_nameless(row, result.is_of_same_code)) {
      for (size_t side = 0; side < 2; side++) {
        verdict.nameless[side] += shares.share(row, side);
        if (is_of_other_binaries(row)) verdict.other_binaries[side] += shares.share(row, side);
      }
      continue;
    }
    if (!shares.is_judged(row) || !shares.can_grow(row)) continue;
    const double limit = shares.limit(row);
    if (moved.explain(row, limit)) {
      verdict.moved.push_back(i);
      continue;
    }
    const double chance = row.flat.estimate.p_above(limit);
    // Where inlined functions count for their callers, one that is gone may be inlined now.
    if (chance <= kFunctionError && (is_shifted(row, limit, result.total.has_value()) ||
                                     (!bodies.is_inlined(i) && shed.explain(row, limit)) ||
                                     (result.physical && moved.explain_growth(row, limit)))) {
      verdict.shifted.push_back(i);
      continue;
    }
    // Where inlining changed, a function grew only if its body did.
    if (const auto body = bodies.growth_of(i, limit);
        body && chance <= kFunctionError && !body->is_grown) {
      verdict.shifted.push_back(i);
      if (body->is_known) verdict.known += shares.share(row);
      continue;
    }
    if (row.flat.estimate.interval(kKnownLevel).high <= limit) verdict.known += shares.share(row);
    rows.push_back(i);
    p.push_back(chance);
  }
  verdict.tested = rows.size();
  std::vector<double> adjusted = verify::holm(p);
  for (size_t i = 0; i < rows.size(); i++)
    if (adjusted[i] <= kFunctionError) verdict.grown.push_back({rows[i], adjusted[i], {}});
  std::stable_sort(verdict.grown.begin(), verdict.grown.end(),
                   [&](const GrownFunction& a, const GrownFunction& b) {
                     return result.rows[a.row].flat.difference() >
                            result.rows[b.row].flat.difference();
                   });
  if (!result.total) leave_out_growth_of_others(result, shares, verdict);
  return verdict;
}

}  // namespace pgo

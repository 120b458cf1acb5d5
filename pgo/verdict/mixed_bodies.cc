#include "pgo/verdict/mixed_bodies.h"

#include <algorithm>
#include <limits>

#include "pgo/profile/thresholds.h"
#include "pgo/verdict/limits.h"

namespace pgo {
namespace {

// No limit: for whether costs moved, whatever else grew.
constexpr double kAnyGrowth = std::numeric_limits<double>::infinity();

bool is_certain(const DiffRow& row, double chance) {
  return row.flat.verdict != verify::Verdict::kTooThin && chance <= kFunctionError;
}

bool has_gained(const DiffRow& row) {
  return row.flat.rate_b > row.flat.rate_a && is_certain(row, row.flat.estimate.p_above(1));
}

// What the rates of all other rows are multiplied by where some gain: shares add up to one.
double scale_of_others(const DiffResult& result) {
  if (result.total) return 1;
  double before = 0, after = 0;
  for (const DiffRow& row : result.rows)
    if (has_gained(row)) before += row.flat.rate_a, after += row.flat.rate_b;
  return before < 1 ? std::max(0.0, (1 - after) / (1 - before)) : 1;
}

}  // namespace

MixedBodies::MixedBodies(const DiffResult& result, double small_share)
    : result_(result), gained_(result.bodies.size()), lost_(result.bodies.size()) {
  const double scale = scale_of_others(result);
  for (size_t body = 0; body < result.bodies.size(); body++)
    for (const BodyPart& part : result.bodies[body].parts) {
      const DiffRow& row = result.rows[part.row];
      parts_[part.row].push_back({body, part.shares});
      const double before = part.shares[0] * row.flat.rate_a;
      const double after = part.shares[1] * row.flat.rate_b;
      if (has_gained(row)) {
        gained_[body] += std::max(0.0, after - before);
      } else if (scale > 0 && row.flat.rate_b < scale * row.flat.rate_a &&
                 is_certain(row, row.flat.estimate.p_below(scale))) {
        lost_[body] += std::max(0.0, scale * before - after);
      }
    }
  const double small = small_share * (result.total ? result.total->rate_a : 1);
  for (size_t body = 0; body < result.bodies.size(); body++)
    if (gained_[body] >= small &&
        (lost_[body] > thresholds::kMixedLoss * gained_[body] || is_made_up_for(body, kAnyGrowth)))
      binaries_.insert(result.rows[result.bodies[body].row].key.binary);
}

// Together they cost less than before, or the partners lost much of what the body gained and they
// do not cost `limit` times as much. (In shares, a loss is seen only beyond what the gain of others
// takes from all shares; but the share of both together grows if one grew.)
bool MixedBodies::is_made_up_for(size_t body, double limit) const {
  double before = result_.bodies[body].figures.rate_a, after = result_.bodies[body].figures.rate_b;
  double lost = 0;
  for (size_t partner : result_.bodies[body].partners) {
    before += result_.bodies[partner].figures.rate_a;
    after += result_.bodies[partner].figures.rate_b;
    lost += lost_[partner];
  }
  return lost > 0 && (after <= before ||
                      (lost > thresholds::kMixedLoss * gained_[body] && after <= before * limit));
}

bool MixedBodies::can_tell(const Part& part, double limit) const {
  const ComparedBody& body = result_.bodies[part.body];
  if (!binaries_.contains(result_.rows[body.row].key.binary)) return false;
  if (result_.total || body.figures.rate_a * limit < 1) return true;
  // A share this large cannot grow by as much as the limit: what others lost must explain all.
  return lost_[part.body] > gained_[part.body] / limit;
}

std::optional<MixedBodies::Growth> MixedBodies::growth_of(size_t row, double limit) const {
  auto parts = parts_.find(row);
  if (parts == parts_.end()) return {};
  const verify::RowComparison& own = result_.rows[row].flat;
  double explained = 0;
  Growth growth{.is_known = true};
  for (const Part& part : parts->second) {
    const double its = growth_in(part, row);
    if (its <= 0 || !can_tell(part, limit)) continue;
    explained += its;
    const verify::RatioEstimate& estimate = result_.bodies[part.body].figures.estimate;
    growth.is_grown |= estimate.ratio() > limit && estimate.p_above(1) <= kFunctionError &&
                       !is_made_up_for(part.body, limit);
    growth.is_known &= estimate.interval(kKnownLevel).high <= limit;
  }
  if (explained < (own.rate_b - own.rate_a) / 2) return {};
  return growth;
}

double MixedBodies::growth_in(const Part& part, size_t row) const {
  const verify::RowComparison& flat = result_.rows[row].flat;
  return part.shares[1] * flat.rate_b - part.shares[0] * flat.rate_a;
}

bool MixedBodies::is_inlined(size_t row) const {
  auto parts = parts_.find(row);
  if (parts == parts_.end()) return false;
  double inlined = 0;
  for (const Part& part : parts->second)
    if (result_.bodies[part.body].row != row) inlined += part.shares[1];
  return inlined > thresholds::kMostlyInlined;
}

std::optional<double> MixedBodies::loss_of_bodies(size_t row) const {
  auto parts = parts_.find(row);
  if (parts == parts_.end()) return {};
  double loss = 0;
  for (const Part& part : parts->second) {
    const verify::RowComparison& body = result_.bodies[part.body].figures;
    loss += std::max(0.0, body.rate_a - body.rate_b);
  }
  return loss;
}

}  // namespace pgo

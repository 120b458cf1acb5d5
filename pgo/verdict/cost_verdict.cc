#include "pgo/verdict/cost_verdict.h"

#include <cmath>

#include "pgo/base/portable_math.h"

namespace pgo {
namespace {

double asked_ratio(const Limits& limits) {
  return limits.drop ? 1 - *limits.drop : 1 + limits.pass_growth.value_or(limits.growth);
}

}  // namespace

Outcome judge_cost(const verify::RatioInterval& interval, const Limits& limits) {
  if (interval.low > 1 + limits.growth) return Outcome::kFail;
  return interval.high <= asked_ratio(limits) ? Outcome::kPass : Outcome::kInconclusive;
}

std::optional<double> data_to_decide(double ratio, const verify::RatioInterval& interval,
                                     const Limits& limits) {
  const bool passes = ratio < asked_ratio(limits), fails = ratio > 1 + limits.growth;
  if (!passes && !fails) return std::nullopt;
  const double end = passes ? interval.high : interval.low;
  const double limit = passes ? asked_ratio(limits) : 1 + limits.growth;
  if (end <= 0 || !std::isfinite(end) || ratio <= 0) return std::nullopt;
  const double times = portable_log(end / ratio) / portable_log(limit / ratio);
  return times * times;
}

}  // namespace pgo

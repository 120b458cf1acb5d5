#include "pgo/verify/ratio_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pgo/base/portable_math.h"
#include "pgo/verify/distribution.h"

namespace pgo::verify {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The smallest ratio is e^-kMostLog and the largest e^kMostLog; beyond them it is 0 or infinity.
constexpr double kMostLog = 60;
// Halvings of that: the logarithm is then right to 1e-13.
constexpr int kHalvings = 50;
// Of the larger side; more tell nothing more, and Boost.Math's beta distribution loses digits.
constexpr double kMostSamples = 1e9;
// Of fewer, the end of the interval is 0 or infinity: it would be tail^1000.
constexpr double kLeastSamples = 1e-3;

// What is beyond kMostLog is not known to be farther than that: the interval gets wider, not
// narrower.
double low_end(double log_ratio) { return log_ratio <= -kMostLog ? 0 : portable_exp(log_ratio); }
double high_end(double log_ratio) {
  return log_ratio >= kMostLog ? kInfinity : portable_exp(log_ratio);
}

double log_of_ratio(double ratio) {
  if (!(ratio > 0)) return -kMostLog;
  if (std::isinf(ratio)) return kMostLog;
  return std::clamp(portable_log(ratio), -kMostLog, kMostLog);
}

// Of both sides.
struct Counts {
  double x = 0, y = 0;
};

// Fewer samples of the same ratio: one factor for both sides.
Counts capped_samples(const SideRate& a, const SideRate& b) {
  double factor = std::min(1.0, kMostSamples / std::max(a.samples(), b.samples()));
  return {a.samples() * factor, b.samples() * factor};
}

// Not std::hypot(), whose last digits differ between systems.
double root_of_squares(double a, double b) { return std::sqrt(a * a + b * b); }

// Of two p values of one direction, the one that says less.
double less_certain(double p, double q) { return std::abs(p - .5) < std::abs(q - .5) ? p : q; }

}  // namespace

// Poisson counts.
const RatioEstimate::Model RatioEstimate::kSamples = {0, 1, kInfinity};

double RatioEstimate::ratio() const {
  if (nothing()) return 1;
  return a_.rate > 0 ? b_.rate / a_.rate : kInfinity;
}

// Falls as the ratio rises. Not for nothing against nothing.
double RatioEstimate::score(const Model& model, double log_ratio) const {
  // The most likely rate of a, if b is `ratio` times it and counts were Poisson's. For high ratios
  // both are divided by the ratio, and stay numbers.
  double ratio = portable_exp(log_ratio);
  double fitted_a = (a_.samples() + b_.samples()) / (a_.exposure + ratio * b_.exposure);
  double fitted_b = ratio * fitted_a;
  double by_chance = 1 / (fitted_a * a_.exposure) + 1 / (fitted_b * b_.exposure);
  double variance = model.between + model.overdispersion * by_chance;
  return (b_.rate / fitted_b - a_.rate / fitted_a) / std::sqrt(variance);
}

// The logarithm of the ratio that has this score.
double RatioEstimate::find_score(const Model& model, double wanted) const {
  double low = -kMostLog, high = kMostLog;
  if (score(model, low) <= wanted) return low;
  if (score(model, high) >= wanted) return high;
  for (int i = 0; i < kHalvings; i++) {
    double middle = (low + high) / 2;
    (score(model, middle) > wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

// The part of all samples that b would have.
double RatioEstimate::part_of_b(double ratio) const {
  if (std::isinf(ratio)) return 1;
  return ratio * b_.exposure / (a_.exposure + ratio * b_.exposure);
}

// Of the two models' scores, the chance above the one that says less.
double RatioEstimate::tail(double members, double samples) const {
  return less_certain(student_t_above(members, members_.freedom),
                      student_t_above(samples, kSamples.freedom));
}

RatioInterval RatioEstimate::interval_by(const Model& model, double level) const {
  double t = student_t_quantile((1 + level) / 2, model.freedom);
  return {b_.rate > 0 ? low_end(find_score(model, t)) : 0,
          a_.rate > 0 ? high_end(find_score(model, -t)) : kInfinity};
}

RatioInterval RatioEstimate::interval(double level) const {
  if (nothing()) return {0, kInfinity};
  if (kind_ == kMembers) {
    RatioInterval members = interval_by(members_, level), samples = interval_by(kSamples, level);
    return {std::min(members.low, samples.low), std::max(members.high, samples.high)};
  }
  // Ends of Clopper and Pearson's interval: at each, what was found has the chance `tail`.
  double tail = (1 - level) / 2;
  auto [x, y] = capped_samples(a_, b_);
  auto ratio = [&](double part) {
    return part < 1 ? part / (1 - part) * (a_.exposure / b_.exposure) : kInfinity;
  };
  return {y > kLeastSamples ? ratio(beta_quantile(tail, y, x + 1)) : 0,
          x > kLeastSamples ? ratio(beta_quantile(1 - tail, y + 1, x)) : kInfinity};
}

// Rises with the ratio. In parts, a ratio of infinity is a number.
double RatioEstimate::difference_at(double ratio) const {
  double samples = a_.samples() + b_.samples(), part = part_of_b(ratio);
  return samples * part / b_.exposure - samples * (1 - part) / a_.exposure;
}

// What is left of the variance of the total, if rates are shares. The difference of two binomial
// parts varies by p_a (1 - p_a) / n_a + p_b (1 - p_b) / n_b; the ratio has a part of that, so that
//
//     difference^2 / (n_a p_a + n_b p_b) - difference * (p_b / n_b - p_a / n_a)
//
// remains. Its first term is the variance of Poisson counts. Where two shares fill their sides,
// they cannot both be wrong by the same factor: for 95 % against 5 %, nothing remains.
double RatioEstimate::part_of_total() const {
  if (!of_shares()) return 1;
  const double samples = room_ * (a_.samples() + b_.samples());
  const double lost = b_.rate / (room_ * b_.exposure) - a_.rate / (room_ * a_.exposure);
  // Exposures were divided by the room, which is a part of the variance by samples.
  return std::max(0.0, 1 - samples * lost / (b_.rate - a_.rate)) / room_;
}

// Of the difference, if both rates were wrong by the same factor: by samples, the score interval of
// a Poisson count; by members, each side has half of the variance of the ratio, and what varies by
// more than itself is not known any better.
RatioEstimate::Reach RatioEstimate::reach_of_total(double level) const {
  const double difference = std::abs(b_.rate - a_.rate);
  if (difference == 0) return {};
  const double part = part_of_total();
  const double probability = (1 + level) / 2, samples = a_.samples() + b_.samples();
  const double z = student_t_quantile(probability, kSamples.freedom), middle = z * z / 2;
  const double half = z * std::sqrt(samples + middle / 2),
               of_sample = difference * std::sqrt(part) / samples;
  Reach reach{of_sample * (half - middle), of_sample * (half + middle)};
  if (kind_ == kMembers) {
    const double of_members = std::min(1.0, part);
    const double variance =
        members_.between / 2 * of_members * of_members + members_.overdispersion / samples * part;
    const double t = student_t_quantile(probability, members_.freedom);
    const double by_members = difference * std::min(1.0, t * std::sqrt(variance));
    reach = {std::max(reach.inward, by_members), std::max(reach.outward, by_members)};
  }
  return reach;
}

// Ratio and total of two Poisson counts are independent, so that the errors add up as squares. The
// total does not decide whether the rates differ: of an end that excludes 0, a part remains.
DifferenceInterval RatioEstimate::difference_interval(double level) const {
  constexpr double kRemainder = .01;
  if (nothing()) return {};
  const RatioInterval ratios = interval(level);
  const double low = difference_at(ratios.low), high = difference_at(ratios.high);
  const double found = b_.rate - a_.rate;
  const Reach total = reach_of_total(level);
  const double below = found > 0 ? total.inward : total.outward;
  const double above = found > 0 ? total.outward : total.inward;
  DifferenceInterval wide{found - root_of_squares(found - low, below),
                          found + root_of_squares(high - found, above)};
  if (low > 0) wide.low = std::max(wide.low, kRemainder * low);
  if (high < 0) wide.high = std::min(wide.high, kRemainder * high);
  if (of_shares()) wide = {std::max(wide.low, -1.0), std::min(wide.high, 1.0)};
  return wide;
}

double RatioEstimate::p_above(double ratio) const {
  if (nothing()) return 1;
  if (kind_ == kSampling) {
    auto [x, y] = capped_samples(a_, b_);
    return y > 0 ? beta_below(part_of_b(ratio), y, x + 1) : 1;
  }
  double log_ratio = log_of_ratio(ratio);
  return tail(score(members_, log_ratio), score(kSamples, log_ratio));
}

double RatioEstimate::p_below(double ratio) const {
  if (nothing()) return 1;
  if (kind_ == kSampling) {
    auto [x, y] = capped_samples(a_, b_);
    return x > 0 ? beta_above(part_of_b(ratio), y + 1, x) : 1;
  }
  double log_ratio = log_of_ratio(ratio);
  return tail(-score(members_, log_ratio), -score(kSamples, log_ratio));
}

double RatioEstimate::p_value(double ratio) const {
  return std::min(1.0, 2 * std::min(p_above(ratio), p_below(ratio)));
}

}  // namespace pgo::verify

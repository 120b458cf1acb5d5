#include "pgo/paired_runs/alpha_spending.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "pgo/base/portable_math.h"
#include "pgo/verify/distribution.h"

namespace pgo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kPoints = 801;  // of the density; the error of critical values is below 1e-4

double normal_above(double z) { return verify::student_t_above(z, kInfinity); }
double normal_quantile(double probability) {
  return verify::student_t_quantile(probability, kInfinity);
}
double normal_density(double z) {
  return portable_exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
}

// The part of `error` that may be spent when this fraction of the data is available: half on each
// side, by the one-sided function 2 - 2 Phi(z / sqrt(information)).
double spent_error(double information, double error) {
  return 4 * normal_above(normal_quantile(1 - error / 4) / std::sqrt(information));
}

// The density of the sum of all data so far, among the cases that have not stopped. The variance of
// the sum is the information.
struct Density {
  double half_width = 0;       // from -half_width to half_width
  std::vector<double> values;  // kPoints, evenly spaced

  double step() const { return 2 * half_width / (kPoints - 1); }
  double at(size_t point) const { return -half_width + step() * static_cast<double>(point); }
  // Simpson's rule.
  double weight(size_t point) const {
    const double third = step() / 3;
    if (point == 0 || point == kPoints - 1) return third;
    return point % 2 == 1 ? 4 * third : 2 * third;
  }
};

// The probability that the next sum is beyond `limit` on either side.
double chance_beyond(const Density& density, double added_sd, double limit) {
  double sum = 0;
  for (size_t i = 0; i < kPoints; i++)
    sum += density.weight(i) * density.values[i] *
           (normal_above((limit - density.at(i)) / added_sd) +
            normal_above((limit + density.at(i)) / added_sd));
  return sum;
}

// The limit that the next sum exceeds, on either side, with the probability `error`.
double find_limit(const Density& density, double added_sd, double error) {
  double low = 0, high = 20 * (added_sd + density.half_width);
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    (chance_beyond(density, added_sd, middle) > error ? low : high) = middle;
  }
  return high;
}

Density after_look(const Density& density, double added_sd, double limit) {
  Density next{limit, std::vector<double>(kPoints)};
  for (size_t to = 0; to < kPoints; to++)
    for (size_t from = 0; from < kPoints; from++)
      next.values[to] += density.weight(from) * density.values[from] *
                         normal_density((next.at(to) - density.at(from)) / added_sd) / added_sd;
  return next;
}

}  // namespace

std::vector<double> spend_error(std::span<const double> information, double error) {
  std::vector<double> levels;
  Density density;
  double before = 0, spent = 0;
  for (double now : information) {
    const double added_sd = std::sqrt(now - before);
    const double may_spend = spent_error(now, error) - spent;
    double limit = 0;
    if (density.values.empty()) {
      limit = std::sqrt(now) * normal_quantile(1 - may_spend / 2);
      density = {limit, std::vector<double>(kPoints)};
      for (size_t i = 0; i < kPoints; i++)
        density.values[i] = normal_density(density.at(i) / added_sd) / added_sd;
    } else {
      limit = find_limit(density, added_sd, may_spend);
      density = after_look(density, added_sd, limit);
    }
    levels.push_back(2 * normal_above(limit / std::sqrt(now)));
    before = now;
    spent += may_spend;
  }
  return levels;
}

}  // namespace pgo

#include "pgo/verify/distribution.h"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <limits>

namespace pgo::verify {
namespace {

namespace policies = boost::math::policies;
// In double, which every processor has alike, and without exceptions.
using Policy = policies::policy<policies::promote_double<false>, policies::promote_float<false>,
                                policies::domain_error<policies::ignore_error>,
                                policies::pole_error<policies::ignore_error>,
                                policies::overflow_error<policies::ignore_error>,
                                policies::rounding_error<policies::ignore_error>,
                                policies::evaluation_error<policies::ignore_error>>;
using Normal = boost::math::normal_distribution<double, Policy>;
using StudentT = boost::math::students_t_distribution<double, Policy>;
using Beta = boost::math::beta_distribution<double, Policy>;

// From here on Student's t is the normal distribution to ten digits.
constexpr double kManyFreedoms = 1e10;
// No double below 1 is nearer to 1 than this.
constexpr double kLeastProbability = 1e-16;
// Beyond, the share above is 0 in double for the normal distribution, and 1e-100 to a power for t.
constexpr double kFarOut = 1e100;

double inside(double probability) {
  return std::clamp(probability, kLeastProbability, 1 - kLeastProbability);
}

}  // namespace

double student_t_quantile(double probability, double freedom) {
  double p = inside(probability);
  if (freedom >= kManyFreedoms) return boost::math::quantile(Normal(), p);
  return boost::math::quantile(StudentT(freedom), p);
}

double student_t_above(double t, double freedom) {
  t = std::clamp(t, -kFarOut, kFarOut);
  if (freedom >= kManyFreedoms) return boost::math::cdf(boost::math::complement(Normal(), t));
  return boost::math::cdf(boost::math::complement(StudentT(freedom), t));
}

double beta_below(double x, double a, double b) {
  return boost::math::cdf(Beta(a, b), std::clamp(x, 0.0, 1.0));
}

double beta_above(double x, double a, double b) {
  return boost::math::cdf(boost::math::complement(Beta(a, b), std::clamp(x, 0.0, 1.0)));
}

double beta_quantile(double probability, double a, double b) {
  return boost::math::quantile(Beta(a, b), inside(probability));
}

double digamma(double x) { return boost::math::digamma(x, Policy()); }
double trigamma(double x) { return boost::math::trigamma(x, Policy()); }

// Newton's method for 1 / trigamma, which is convex and nearly linear (Smyth 2004, appendix); from
// the left it never overshoots.
double trigamma_inverse(double y) {
  if (y > 1e7) return 1 / std::sqrt(y);
  if (y < 1e-6) return 1 / y;
  double x = .5 + 1 / y;
  for (int i = 0; i < 50; i++) {
    // The third derivative of log gamma by a difference: only the step's size depends on it.
    double value = trigamma(x), h = 1e-4 * x;
    double slope = (trigamma(x + h) - trigamma(x - h)) / (2 * h);
    double step = value * (1 - value / y) / slope;
    x += step;
    if (-step < 1e-12 * x) break;
  }
  return x;
}

}  // namespace pgo::verify

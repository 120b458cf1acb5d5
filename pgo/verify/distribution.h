// Probabilities and quantiles of the distributions that a comparison needs, by Boost.Math. Its
// headers take seconds to compile, so only distribution.cc includes them.
//
// Arguments outside of what a function says are the caller's mistake; the result is then the
// nearest sensible number, never NaN.
#pragma once

namespace pgo::verify {

// Student's t with `freedom` > 0 degrees of freedom; infinity: the normal distribution.
// The t that a share `probability` in (0, 1) of the distribution is below.
double student_t_quantile(double probability, double freedom);
// The share that is above `t`, exact far out in the tail.
double student_t_above(double t, double freedom);

// The beta distribution of the shapes a, b > 0 on [0, 1].
double beta_below(double x, double a, double b);
double beta_above(double x, double a, double b);
double beta_quantile(double probability, double a, double b);

// The first and second derivative of the logarithm of the gamma function, for x > 0, and the x > 0
// at which the second has the value `y` > 0.
double digamma(double x);
double trigamma(double x);
double trigamma_inverse(double y);

}  // namespace pgo::verify

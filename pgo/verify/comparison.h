// Comparison: the rows of two sides, each with its ratio, how certain that is, and a verdict.
//
// For row i and cluster c (a host, or a pair; member_design.h) the relative rate
// rate(i, c) / rate(i) - 1 has the variance
//
//     room^2 sigma_i^2 (between + sampling * heavier(i) / (room * samples(i, c)))
//
// with room = 1 - share, or 1 per unit. samples(i, c) are those that the row's weight there would
// have if all samples weighed the same, and heavier(i) of them are worth one of the row's. So
// counts of sampling alone have the variance of binomial ones, room / samples.
//
// `between` and `sampling` are common to all rows (variance_trend.h), sigma_i^2 is the row's own,
// moved towards that of all (moderated_variance.h). A share near 1 cannot vary much, since what
// others gain it loses: d log(share) = (1 - share) d log(odds), which `room` is. The ratio of the
// two rates then has a score statistic with Student's t (ratio_estimate.h).
//
//     PGO_TRY(Comparison flat, compare(before, after, {}));
//     for (const RowComparison& row : flat.rows)
//       if (row.verdict == Verdict::kChanged) ... row.estimate.ratio(), row.estimate.interval(.95)
//
// Rows of one call are one family of tests: cumulative rows take a call of their own. Nothing here
// depends on the order of members, on threads or on a random number. O(rows * members).
#pragma once

#include "pgo/verify/member_design.h"
#include "pgo/verify/moderated_variance.h"
#include "pgo/verify/ratio_estimate.h"
#include "pgo/verify/variance_trend.h"

namespace pgo::verify {

// A row is thin when its share of both sides together, weighed by their samples, is below this:
// doubling it would cost or save a thousandth, which is lost among how much whole programs vary.
inline constexpr double kThinShare = .001;
// ... or when one side would have fewer independent samples of it than this if nothing had changed.
// Fewer are not nearly normal, and a table has many rows in which to be wrong
// (docs/measurements/diff.md). And of a function that is gone, none of 20 has the p value e^-20,
// which is also small among ten thousand rows; none of ten has not.
inline constexpr double kThinSamples = 20;

enum class Verdict {
  kChanged,            // by more than chance, of members or pairs
  kNoise,              // chance explains it
  kTooThin,            // too small to be a finding, whatever its ratio
  kOnlySamplingKnown,  // more than the chance of sampling, but hosts vary, and how is not known
};

struct CompareOptions {
  Measure measure = Measure::kShare;
  Pairing pairing = Pairing::kWherePossible;
  double false_discoveries = .05;  // the expected share among the rows called changed
};

struct RowComparison {
  double rate_a = 0, rate_b = 0;
  double samples_a = 0, samples_b = 0;  // as counted, of members that are not left out
  RatioEstimate estimate;               // of rate_b / rate_a
  double p = 1;                         // of a ratio of 1
  double q = 1;                         // Benjamini and Hochberg's, among rows that are not thin
  Verdict verdict = Verdict::kNoise;

  double difference() const { return rate_b - rate_a; }
  // Of the difference, in shares or whatever rates are: finite for rows that are new or gone, too.
  DifferenceInterval difference_interval(double level) const {
    return estimate.difference_interval(level);
  }
};

struct Comparison {
  std::vector<RowComparison> rows;  // as those of the sides
  Basis basis = Basis::kSampling;
  size_t clusters_a = 0, clusters_b = 0;
  std::vector<LeftOut> left_out_a, left_out_b;
  bool few_hosts = false;  // what is found holds for these hosts only
  PairsFound found;
  VarianceTrend trend;
  VariancePrior prior;
};

// Both sides have the same rows. Fails as design_members() does.
Result<Comparison> compare(const Side& a, const Side& b, const CompareOptions& options);

}  // namespace pgo::verify

// RatioEstimate: what is known of the ratio of two rates, b / a: itself, intervals of any level,
// and p values of any ratio that it might be.
//
// Two kinds of knowledge:
//
// - Members vary. The statistic is a score statistic: for a ratio r, the rates that fit both sides
//   best are found (pooled, b r times a), and
//
//       z(r) = (rate_b / fitted_b - rate_a / fitted_a) / sqrt(variance of that, if r were true)
//
//   is compared with Student's t. The interval holds all r with |z(r)| <= t. With the variance of
//   Poisson counts alone, this is the score interval of a ratio of two rates, which is Wilson's
//   (1927) for a / (a + b): it needs no logarithm of a zero, and is finite only on the side where
//   something is known. With the variance of hosts alone, it is the t interval of a relative
//   difference. Members that are alike by accident do not make a result more certain than their
//   samples could: the same statistic with the variance of Poisson counts alone, which is known
//   and so has the normal distribution, must agree. The larger p value and the wider interval
//   count.
// - Only the number of samples is known. Given the sum of two Poisson counts, the second is
//   binomial; the interval for its part is Clopper and Pearson's (1934), by quantiles of beta
//   distributions, also for counts that are not whole. It holds the truth at least as often as it
//   says, also where one side has a hundred times the samples of the other, or a count is zero.
//
// A p value and an interval belong together: p(r) <= .05 where the 95 % interval excludes r.
#pragma once

namespace pgo::verify {

// From `low` to `high`; 0 and infinity: nothing is known in that direction.
struct RatioInterval {
  double low = 0, high = 0;
};

// Of b - a, in the unit of the rates.
struct DifferenceInterval {
  double low = 0, high = 0;
};

// Of one side: its rate, and how many samples a rate of 1 would have; of those samples that are
// worth as much as independent ones of equal weight.
struct SideRate {
  double rate = 0;
  double exposure = 0;

  double samples() const { return rate * exposure; }
};

class RatioEstimate {
 public:
  // Only the chance of sampling is known. `room`: of shares, 1 less the pooled one, by which their
  // exposures were divided (comparison.h); otherwise 1.
  RatioEstimate(SideRate a, SideRate b, double room = 1)
      : a_(a), b_(b), room_(room), kind_(kSampling) {}
  // Hosts vary, too: `between` is the variance of the relative difference however many samples
  // there are; that of samples is multiplied by `overdispersion`. Their sum is known with `freedom`
  // degrees of freedom.
  RatioEstimate(SideRate a, SideRate b, double between, double overdispersion, double freedom,
                double room = 1)
      : a_(a), b_(b), room_(room), members_{between, overdispersion, freedom} {}

  // b / a: infinity for something against nothing, 1 for nothing against nothing.
  double ratio() const;
  // `level`: .95, say.
  RatioInterval interval(double level) const;
  // Of the difference b - a, from the ends of interval(): at each, the rates that have this ratio
  // and together all samples that were found; and from how far chance moves these together, which
  // is most of the error where one side has nothing, unless rates are shares near 1. It has 0
  // inside where interval() has 1 inside, has b - a inside, and is finite; of shares, it is within
  // -1 to 1. 0 to 0 for nothing against nothing.
  DifferenceInterval difference_interval(double level) const;
  // The chance of a ratio as far from `ratio` or farther on either side, if that were true.
  double p_value(double ratio = 1) const;
  // The chance of a ratio as high or higher, if it were `ratio` or less.
  double p_above(double ratio) const;
  double p_below(double ratio) const;
  bool only_sampling_known() const { return kind_ == kSampling; }

 private:
  enum Kind { kSampling, kMembers };

  // The variance of the relative difference is between + overdispersion * that of samples.
  struct Model {
    double between = 0, overdispersion = 1, freedom = 0;
  };

  static const Model kSamples;

  double score(const Model& model, double log_ratio) const;
  double find_score(const Model& model, double score) const;
  double tail(double members, double samples) const;
  RatioInterval interval_by(const Model& model, double level) const;
  double difference_at(double ratio) const;
  // How far a difference is uncertain as a part of the total of both rates: towards 0, and away
  // from it.
  struct Reach {
    double inward = 0, outward = 0;
  };
  Reach reach_of_total(double level) const;
  double part_of_total() const;
  bool of_shares() const { return room_ < 1; }
  double part_of_b(double ratio) const;
  bool nothing() const { return a_.rate <= 0 && b_.rate <= 0; }

  SideRate a_, b_;
  double room_ = 1;
  Model members_;
  Kind kind_ = kMembers;
};

}  // namespace pgo::verify

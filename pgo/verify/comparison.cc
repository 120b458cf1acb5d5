#include "pgo/verify/comparison.h"

#include <algorithm>

#include "pgo/verify/multiple_tests.h"
#include "pgo/verify/row_rates.h"

namespace pgo::verify {
namespace {

// How variances depend on samples is learned from rows with so many in a cluster, on average: of
// fewer, squares of differences are anything but normal.
constexpr double kTrendSamples = 5;

// ... and from rows of at most 95 %: of what is nearly everything, how it varies is divided by
// nearly nothing.
constexpr double kTrendRoom = .05;

class Comparer {
 public:
  Comparer(const Side& a, const Side& b, const MemberDesign& design, const CompareOptions& options)
      : design_(design),
        options_(options),
        reader_(a, b, design, options.measure),
        rows_(a.rows.size()) {
    // The variance of the difference is this many times that of a cluster.
    for (const Cluster& cluster : design.a.clusters) weights_ += cluster.weight * cluster.weight;
    if (design.basis != Basis::kPairs)
      for (const Cluster& cluster : design.b.clusters) weights_ += cluster.weight * cluster.weight;
  }

  Comparison compare() {
    Comparison result;
    if (design_.basis != Basis::kSampling) learn(result);
    for (size_t row = 0; row < rows_; row++) result.rows.push_back(compare_row(row, result));
    judge(result);
    result.basis = design_.basis;
    result.clusters_a = design_.a.clusters.size();
    result.clusters_b = design_.b.clusters.size();
    result.left_out_a = design_.a.left_out;
    result.left_out_b = design_.b.left_out;
    result.few_hosts = design_.few_hosts;
    result.found = design_.found;
    return result;
  }

 private:
  // Thin by the rate that fits both sides if nothing had changed. As far as rates vary by samples,
  // that says nothing of whether they differ, so leaving thin rows out does not bias the tests of
  // the others (Bourgon, Gentleman and Huber 2010). The plain mean of sides of unequal size does:
  // it is high where the small side's rate is high by chance. Samples that come in bursts say as
  // much as fewer independent ones.
  bool is_thin(const RowRates& row, const VarianceTrend& trend) const {
    return row.pooled < kThinShare * pooled_everything() ||
           least_samples(row) < kThinSamples * trend.sampling;
  }
  // The rate of everything, pooled as that of a row.
  double pooled_everything() const {
    double a = design_.a.exposure, b = design_.b.exposure;
    return (design_.a.weight_per_denominator * a + design_.b.weight_per_denominator * b) / (a + b);
  }
  // Of a side, if nothing had changed.
  double least_samples(const RowRates& row) const {
    return row.pooled / row.heavier * std::min(design_.a.exposure, design_.b.exposure);
  }

  // Of a row that is in pairs on one side only, hosts themselves differ, not their differences.
  bool lacks_partner(const RowRates& row) const {
    return design_.basis == Basis::kPairs && (row.a.rate <= 0 || row.b.rate <= 0);
  }

  // What rows have in common. A row that only a side of one cluster has tells nothing of how it
  // varies.
  void learn(Comparison& result) {
    std::vector<size_t> all, good;
    auto clusters =
        static_cast<double>(std::max(design_.a.clusters.size(), design_.b.clusters.size()));
    for (size_t row = 0; row < rows_; row++) {
      const RowRates& rates = reader_.read(row);
      if (is_thin(rates, {}) || rates.room < kTrendRoom) continue;
      if (reader_.trend_point().freedom <= 0 || lacks_partner(rates)) continue;
      all.push_back(row);
      if (least_samples(rates) >= kTrendSamples * clusters) good.push_back(row);
    }
    const std::vector<size_t>& used = good.size() < kMinModeratedRows ? all : good;
    std::vector<TrendPoint> points;
    for (size_t row : used) {
      reader_.read(row);
      points.push_back(reader_.trend_point());
    }
    result.trend = fit_variance_trend(points);
    std::vector<Variance> variances;
    for (size_t row : used) {
      reader_.read(row);
      variances.push_back(reader_.variance(result.trend));
    }
    result.prior = fit_variance_prior(variances);
  }

  RowComparison compare_row(size_t number, const Comparison& common) {
    const RowRates& row = reader_.read(number);
    RowComparison result{.rate_a = row.a.rate,
                         .rate_b = row.b.rate,
                         .samples_a = row.a.samples,
                         .samples_b = row.b.samples,
                         .estimate = estimate(row, common)};
    result.p = result.estimate.p_value();
    if (is_thin(row, common.trend)) result.verdict = Verdict::kTooThin;
    return result;
  }

  RatioEstimate estimate(const RowRates& row, const Comparison& common) const {
    double worth = 1 / (row.heavier * row.room);
    SideRate a{row.a.rate, design_.a.exposure * worth};
    SideRate b{row.b.rate, design_.b.exposure * worth};
    Variance variance;
    if (design_.basis != Basis::kSampling)
      variance = moderate(reader_.variance(common.trend), prior_of_row(common));
    if (variance.freedom <= 0) return {a, b, row.room};
    double between = variance.value * row.room * row.room * common.trend.between * weights_;
    return {a, b, between, variance.value * common.trend.sampling, variance.freedom, row.room};
  }

  // Two things are uncertain of the row read last: how it differs from what is expected of rows
  // with so many samples, and what is expected of them.
  VariancePrior prior_of_row(const Comparison& common) const {
    VariancePrior prior = common.prior;
    double expected = common.trend.freedom_at(reader_.trend_point().poisson);
    if (prior.freedom > 0 && expected > 0) prior.freedom = 1 / (1 / prior.freedom + 1 / expected);
    return prior;
  }

  void judge(Comparison& result) const {
    std::vector<double> p;
    for (const RowComparison& row : result.rows)
      if (row.verdict != Verdict::kTooThin) p.push_back(row.p);
    std::vector<double> q = benjamini_hochberg(p);
    size_t next = 0;
    for (RowComparison& row : result.rows) {
      if (row.verdict == Verdict::kTooThin) continue;
      row.q = q[next++];
      if (row.q > options_.false_discoveries) continue;
      row.verdict =
          row.estimate.only_sampling_known() ? Verdict::kOnlySamplingKnown : Verdict::kChanged;
    }
  }

  const MemberDesign& design_;
  const CompareOptions& options_;
  RowReader reader_;
  size_t rows_;
  double weights_ = 0;
};

}  // namespace

Result<Comparison> compare(const Side& a, const Side& b, const CompareOptions& options) {
  if (a.rows.size() != b.rows.size())
    return fail(ErrorKind::kInternal, "the two sides of a comparison have different rows");
  PGO_TRY(MemberDesign design, design_members(a, b, options.measure, options.pairing));
  return Comparer(a, b, design, options).compare();
}

}  // namespace pgo::verify

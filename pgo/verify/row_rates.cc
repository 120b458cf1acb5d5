#include "pgo/verify/row_rates.h"

#include <algorithm>

namespace pgo::verify {
namespace {

// A row that is all there is does not vary; this keeps its variance a number.
constexpr double kLeastRoom = 1e-9;
// One cluster has none; rounding may leave it a little.
constexpr double kLeastFreedom = 1e-3;

}  // namespace

RowReader::RowReader(const Side& a, const Side& b, const MemberDesign& design, Measure measure)
    : a_(a), b_(b), design_(design), measure_(measure) {
  size_t members = std::max(a.members.size(), b.members.size());
  values_.resize(members);
  samples_.resize(members);
}

// Adds up in the design's order. A member has one cell at most, so the order of members and of
// cells changes no bit.
void RowReader::read_side(const Side& side, const SideDesign& design, size_t row, SideRow& into) {
  into.rate = into.samples = 0;
  into.rates.assign(design.clusters.size(), 0.0);
  if (side.rows[row].empty()) return;
  std::fill_n(values_.begin(), side.members.size(), 0.0);
  std::fill_n(samples_.begin(), side.members.size(), 0.0);
  for (const Cell& cell : side.rows[row]) {
    values_[cell.member] = cell.value;
    samples_[cell.member] = cell.samples;
  }
  for (uint32_t m : design.order) {
    const MemberPlace& place = design.places[m];
    if (!place.cluster || values_[m] <= 0) continue;
    into.rates[*place.cluster] += place.factor * values_[m];
    into.samples += samples_[m];
    nominal_ += values_[m] * (side.members[m].samples / side.members[m].weight);
  }
  for (size_t c = 0; c < into.rates.size(); c++) {
    into.rate += into.rates[c];
    into.rates[c] /= design.clusters[c].weight;
  }
}

const RowRates& RowReader::read(size_t row) {
  nominal_ = 0;
  read_side(a_, design_.a, row, row_.a);
  read_side(b_, design_.b, row, row_.b);
  double counted = row_.a.samples + row_.b.samples;
  row_.heavier = counted > 0 ? nominal_ / counted : 1;
  double a = design_.a.exposure, b = design_.b.exposure;
  row_.pooled = (row_.a.rate * a + row_.b.rate * b) / (a + b);
  row_.room = measure_ == Measure::kShare ? std::clamp(1 - row_.pooled, kLeastRoom, 1.0) : 1;
  return row_;
}

void RowReader::Scatter::add_group(std::span<const double> values,
                                   std::span<const double> poisson_values,
                                   const std::vector<Cluster>& clusters,
                                   const VarianceTrend& trend) {
  // Sums over clusters; `part` is a, `f` what the trend expects.
  double mean = 0, part2 = 0, all = 0, all_poisson = 0;
  for (size_t c = 0; c < clusters.size(); c++) {
    double part = clusters[c].weight;
    mean += part * values[c];
    part2 += part * part;
    all += part * part * trend.at(poisson_values[c]);
    all_poisson += part * part * poisson_values[c];
  }
  // Q = y' B y with B = diag(a^2) - a^2 a' - a (a^2)' + sum(a^2) a a', and Var(Q) = 2 sum_cd B_cd^2
  // f_c f_d, multiplied out. With b = a - sum(a^2) / 2, B_cd is -a_c a_d (b_c + b_d) for c != d.
  double diagonal = 0, moment0 = 0, moment1 = 0, moment2 = 0;
  for (size_t c = 0; c < clusters.size(); c++) {
    double part = clusters[c].weight, square = part * part, f = trend.at(poisson_values[c]);
    double b = part - part2 / 2, weighed = square * f;
    squares += square * (values[c] - mean) * (values[c] - mean);
    expected += square * (f * (1 - 2 * part) + all);
    poisson += square * (poisson_values[c] * (1 - 2 * part) + all_poisson);
    diagonal += weighed * weighed * (1 - 4 * b);
    moment0 += weighed;
    moment1 += weighed * b;
    moment2 += weighed * b * b;
  }
  product += diagonal + 2 * moment0 * moment2 + 2 * moment1 * moment1;
}

RowReader::Scatter RowReader::scatter(const VarianceTrend& trend) const {
  Scatter result;
  std::vector<double> values(design_.a.clusters.size()), poisson(values.size());
  // Of a row that a side does not have at all, nothing is known of how it varies there.
  auto add_side = [&](const SideRow& side, const SideDesign& design, double sign) {
    if (side.rate <= 0) return;
    for (size_t c = 0; c < values.size(); c++) {
      values[c] += sign * side.rates[c] / (side.rate * row_.room);
      poisson[c] += poisson_of(design.clusters[c], side.rate);
    }
  };
  add_side(row_.a, design_.a, -1);
  if (design_.basis != Basis::kPairs) {
    if (row_.a.rate > 0) result.add_group(values, poisson, design_.a.clusters, trend);
    values.assign(design_.b.clusters.size(), 0.0);
    poisson.assign(values.size(), 0.0);
  }
  add_side(row_.b, design_.b, 1);
  bool any = row_.b.rate > 0 || (design_.basis == Basis::kPairs && row_.a.rate > 0);
  if (any) result.add_group(values, poisson, design_.b.clusters, trend);
  return result;
}

Variance RowReader::variance(const VarianceTrend& trend) const {
  Scatter sums = scatter(trend);
  if (sums.freedom() < kLeastFreedom) return {};
  return {sums.squares / sums.expected, sums.freedom()};
}

TrendPoint RowReader::trend_point() const {
  // As if clusters varied alike.
  Scatter sums = scatter({.between = 1, .sampling = 0});
  if (sums.freedom() < kLeastFreedom) return {};
  return {sums.squares / sums.expected, sums.poisson / sums.expected, sums.freedom()};
}

}  // namespace pgo::verify

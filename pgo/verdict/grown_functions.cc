#include "pgo/verdict/grown_functions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

namespace pgo {
namespace {

constexpr double kKnownLevel = .90;  // two-sided: below the upper end with 95 % confidence

// Code may move within this place: the source file, or the binary if the file is unknown.
std::string place_of(const RowKey& key) {
  return key.file.empty() ? "binary " + key.binary : "file " + key.file;
}

// The cost of rows that are gone, by place.
std::map<std::string, double> gone_costs(const DiffResult& result) {
  std::map<std::string, double> gone;
  for (const DiffRow& row : result.rows)
    if (row.flat.rate_b <= 0) gone[place_of(row.key)] += row.flat.rate_a;
  return gone;
}

// The mean of the row's shares of both sides.
double share_of(const DiffResult& result, const DiffRow& row) {
  double everything_a = 1, everything_b = 1;
  if (result.total) everything_a = result.total->rate_a, everything_b = result.total->rate_b;
  if (everything_a <= 0 || everything_b <= 0) return 0;
  return (row.flat.rate_a / everything_a + row.flat.rate_b / everything_b) / 2;
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (size_t i = 0; i < order.size(); i++) {
    largest = std::max(largest, p[order[i]] * static_cast<double>(p.size() - i));
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

FunctionVerdict judge_functions(const DiffResult& result, const Limits& limits) {
  FunctionVerdict verdict;
  std::vector<size_t> rows;
  std::vector<double> p;
  double tested = 0, known = 0;
  const double limit = 1 + limits.function_growth;
  std::map<std::string, double> gone = gone_costs(result);
  for (size_t i = 0; i < result.rows.size(); i++) {
    const DiffRow& row = result.rows[i];
    const double share = share_of(result, row);
    if (share < limits.function_share || row.flat.verdict == verify::Verdict::kTooThin) continue;
    tested += share;
    double& moved = gone[place_of(row.key)];
    if (row.flat.rate_a <= 0 && moved * limit >= row.flat.rate_b) {
      moved -= row.flat.rate_b / limit;
      verdict.moved.push_back(i);
      continue;
    }
    if (row.flat.estimate.interval(kKnownLevel).high <= limit) known += share;
    rows.push_back(i);
    p.push_back(row.flat.estimate.p_above(limit));
  }
  verdict.tested = rows.size();
  verdict.known = tested > 0 ? known / tested : 0;
  std::vector<double> adjusted = holm(p);
  for (size_t i = 0; i < rows.size(); i++)
    if (adjusted[i] <= kFunctionError) verdict.grown.push_back({rows[i], adjusted[i]});
  std::stable_sort(verdict.grown.begin(), verdict.grown.end(),
                   [&](const GrownFunction& a, const GrownFunction& b) {
                     return result.rows[a.row].flat.difference() >
                            result.rows[b.row].flat.difference();
                   });
  return verdict;
}

}  // namespace pgo

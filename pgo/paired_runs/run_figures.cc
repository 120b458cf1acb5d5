#include "pgo/paired_runs/run_figures.h"

#include <algorithm>
#include <cstring>

namespace pgo {
namespace {

constexpr double kMicroseconds = 1e6;  // of a second

double median(std::vector<double> values) {
  auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

template <typename Figure>
std::vector<FigurePair> values_of(std::span<const TurnPair> pairs, Figure figure) {
  std::vector<FigurePair> values;
  for (const TurnPair& pair : pairs) values.emplace_back(figure(pair[0]), figure(pair[1]));
  return values;
}

bool all_above_zero(std::span<const FigurePair> values) {
  return std::all_of(values.begin(), values.end(),
                     [](const FigurePair& pair) { return pair.first > 0 && pair.second > 0; });
}

double cpu_of(const Turn& turn) { return turn.cpu; }

double cpu_of_request(const Turn& turn) { return turn.cpu / static_cast<double>(turn.requests); }

void add_memory(std::span<const TurnPair> pairs, std::vector<RunFigure>& figures) {
  const std::vector<FigurePair> values =
      values_of(pairs, [](const Turn& turn) { return static_cast<double>(turn.peak_memory); });
  if (all_above_zero(values)) figures.push_back(run_figure("peak memory", "bytes", values));
}

std::optional<double> load_value(const Turn& turn, const char* name) {
  for (const LoadFigure& figure : turn.load)
    if (std::strcmp(figure.name, name) == 0) return figure.value;
  return std::nullopt;
}

void add_load_figure(std::span<const TurnPair> pairs, const LoadFigure& sample,
                     std::vector<RunFigure>& figures) {
  std::vector<FigurePair> values;
  for (const TurnPair& pair : pairs) {
    const auto before = load_value(pair[0], sample.name), after = load_value(pair[1], sample.name);
    if (!before || !after) return;
    values.emplace_back(*before, *after);
  }
  figures.push_back(run_figure(sample.name, sample.unit, values));
}

}  // namespace

RunFigure run_figure(const char* name, const char* unit, std::span<const FigurePair> values) {
  RunFigure figure{name, unit, {}, {}};
  if (all_above_zero(values)) figure.estimate = estimate_ratio(values, kRunsError);
  std::array<std::vector<double>, 2> sides;
  for (const auto& [before, after] : values) {
    sides[0].push_back(before);
    sides[1].push_back(after);
  }
  for (size_t side = 0; side < 2; side++) figure.medians[side] = median(std::move(sides[side]));
  return figure;
}

bool know_requests(std::span<const TurnPair> pairs) {
  return std::all_of(pairs.begin(), pairs.end(), [](const TurnPair& pair) {
    return pair[0].requests > 0 && pair[1].requests > 0;
  });
}

std::optional<double> equal_wall_time(std::span<const TurnPair> pairs) {
  constexpr double kLateness = .02;  // seconds
  constexpr double kLeast = .01,
                   kMost = .04;  // of the median; the latter limits that of short loads
  std::vector<double> times;
  for (const TurnPair& pair : pairs)
    for (const Turn& turn : pair) times.push_back(turn.wall);
  std::sort(times.begin(), times.end());
  if (times.empty() || times[0] <= 0) return std::nullopt;
  const size_t quarter = times.size() / 4;
  const double spread = times[times.size() - 1 - quarter] - times[quarter];
  const double middle = median(std::move(times));
  if (spread > std::clamp(kLateness, kLeast * middle, kMost * middle)) return std::nullopt;
  return middle;
}

PairEstimate estimate_cost(std::span<const TurnPair> pairs, double error) {
  return estimate_ratio(values_of(pairs, know_requests(pairs) ? cpu_of_request : cpu_of), error);
}

std::vector<RunFigure> run_figures(std::span<const TurnPair> pairs) {
  const bool has_requests = !pairs.empty() && know_requests(pairs);
  std::vector<RunFigure> figures = {run_figure("CPU time", "s", values_of(pairs, cpu_of))};
  auto add = [&](const char* name, const char* unit, auto figure) {
    figures.push_back(run_figure(name, unit, values_of(pairs, figure)));
  };
  if (has_requests)
    add("CPU time per request", "µs",
        [](const Turn& turn) { return kMicroseconds * cpu_of_request(turn); });
  add("user time", "s", [](const Turn& turn) { return turn.user; });
  add("system time", "s", [](const Turn& turn) { return turn.system; });
  add("wall time", "s", [](const Turn& turn) { return turn.wall; });
  add_memory(pairs, figures);
  if (has_requests)
    add("requests", "", [](const Turn& turn) { return static_cast<double>(turn.requests); });
  if (!pairs.empty())
    for (const LoadFigure& sample : pairs[0][0].load) add_load_figure(pairs, sample, figures);
  return figures;
}

}  // namespace pgo

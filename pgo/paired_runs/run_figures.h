// The figures of a report: what both sides cost in pairs of turns.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "pgo/paired_runs/pair_statistics.h"
#include "pgo/paired_runs/turn.h"

namespace pgo {

using TurnPair = std::array<Turn, 2>;  // before, after

struct RunFigure {
  const char* name = "";  // "wall time"
  const char* unit = "";  // "s", "bytes"
  std::array<double, 2> medians{};
  // At 95 %, without the correction for several looks. None if a value is 0, because the kernel's
  // clock has ticks of up to a hundredth of a second.
  std::optional<PairEstimate> estimate;
};

// Whether the loads of all turns tell how many requests they did. Then the cost is that of a
// request, since a load that runs for a fixed time does more of them on a faster server.
bool know_requests(std::span<const TurnPair> pairs);

// The median wall time of all turns, if those between the quartiles took the same time: to 1 %, or
// to the 20 ms by which programs end late. Loads that run for a fixed time do, and on a quiet
// machine those of equal work may. None without pairs.
std::optional<double> equal_wall_time(std::span<const TurnPair> pairs);

// The ratios of CPU times, which are above 0, per request where these are known, at the level
// 1 - `error`. Two pairs at least.
PairEstimate estimate_cost(std::span<const TurnPair> pairs, double error);

// CPU time, that per request, user, system and wall time; peak memory, requests and the load's
// figures. Those that not all turns have are left out.
std::vector<RunFigure> run_figures(std::span<const TurnPair> pairs);

// A figure with the values of each pair.
RunFigure run_figure(const char* name, const char* unit, std::span<const FigurePair> values);

}  // namespace pgo

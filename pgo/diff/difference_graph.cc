#include "pgo/diff/difference_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/diff/diff.h"

namespace pgo {
namespace {

void use_comparable_names(StackProfile& profile, const FoldedNames& folded) {
  for (StackFunction& function : profile.functions)
    function.name = profile.strings.add(comparable_name(profile, function, folded).shown);
}

// Only the function that the linker knows is left of each place.
void drop_inlined(StackProfile& profile) {
  FlatLists<StackLine> lines;
  for (size_t at = 0; at < profile.lines.size(); at++) {
    std::span<const StackLine> all = profile.lines[at];
    lines.add(all.last(all.empty() ? 0 : 1));
  }
  profile.lines = std::move(lines);
}

FlameMark mark_of(verify::Verdict verdict) {
  switch (verdict) {
    case verify::Verdict::kChanged: return FlameMark::kChanged;
    case verify::Verdict::kNoise: return FlameMark::kNoise;
    case verify::Verdict::kTooThin: return FlameMark::kThin;
    case verify::Verdict::kOnlySamplingKnown: return FlameMark::kSamplingOnly;
  }
  return FlameMark::kNone;
}

// Rates of rows in the values of a tree.
class TreeValues {
 public:
  explicit TreeValues(const FlameTree& tree)
      : most_(static_cast<double>(tree.in_shares ? kFlameWhole : 1000 * kFlameWhole)),
        of_one_(tree.in_shares ? static_cast<double>(kFlameWhole) : 1 / tree.value_size) {}

  FlameValues rates(const verify::RowComparison& row) const {
    return {value(row.rate_a), value(row.rate_b)};
  }
  FlameCertainty certainty(const verify::RowComparison& row) const {
    FlameCertainty certainty{.mark = mark_of(row.verdict), .q = {}, .interval = {}};
    if (row.verdict == verify::Verdict::kTooThin) return certainty;
    certainty.q = row.q;
    verify::DifferenceInterval interval = row.difference_interval(.95);
    if (std::isfinite(interval.low) && std::isfinite(interval.high))
      certainty.interval = {value(interval.low), value(interval.high)};
    return certainty;
  }

 private:
  int64_t value(double rate) const {
    return static_cast<int64_t>(std::clamp(rate * of_one_, -most_, most_));
  }

  double most_, of_one_;
};

// What the sides' values are divided by to be rates. The stacks are those that were recorded.
std::array<double, 2> counts_of(const DiffResult& result) {
  std::array<double, 2> counts{};
  for (size_t side = 0; side < 2; side++)
    counts[side] = result.measure == verify::Measure::kPerUnit
                       ? result.sides[side].recorded_units
                       : static_cast<double>(result.sides[side].members.size());
  return counts;
}

}  // namespace

void DifferenceGraph::add(StackProfile& profile, const SampleWeight& weight, size_t side) {
  if (options_.physical) drop_inlined(profile);
  use_comparable_names(profile, options_.folded_names);
  builder_.add_profile(profile, weight.type(), side);
}

void DifferenceGraph::rename_binaries(
    const std::function<std::string(const std::string&)>& name_of) {
  builder_.rename([&](FlameFrame& frame) {
    const std::string binary = name_of(frame.module);
    if (!binary.empty() && frame.name == name_without_function(frame.module))
      frame.name = name_without_function(binary);
    frame.module = binary;
  });
}

Result<FlameTree> DifferenceGraph::build(const DiffResult& result) const {
  FlameOptions options;
  for (size_t side = 0; side < 2; side++)
    options.wholes[side] = whole_number(result.sides[side].recorded_weight);
  PGO_TRY(FlameTree tree, builder_.build(options));
  if (result.measure == verify::Measure::kShare)
    tree.to_shares();
  else
    PGO_CHECK(tree.to_costs_of_one(counts_of(result), word_of_one(result.measure)));
  tree.type = result.type;
  tree.unit = result.unit;
  tree.sides[0].name = "before", tree.sides[1].name = "after";
  if (options_.owners != nullptr)
    for (FlameFunction& function : tree.functions) {
      const FlameFrame& frame = tree.frames[function.frame];
      function.team = options_.owners->team_of(frame.name, frame.file);
    }
  if (result.by != RowsBy::kFunction) return tree;
  // Functions of one name and binary in several source files are one frame, which has no certainty.
  std::map<std::pair<std::string, std::string>, const DiffRow*> rows;
  for (const DiffRow& row : result.rows) {
    auto [known, is_new] = rows.try_emplace({row.key.name, row.key.binary}, &row);
    if (!is_new) known->second = nullptr;
  }
  const TreeValues values(tree);
  for (FlameFunction& function : tree.functions) {
    const FlameFrame& frame = tree.frames[function.frame];
    auto row = rows.find({frame.name, frame.module});
    if (row == rows.end() || row->second == nullptr) continue;
    // The table weighs members of pairs alike and leaves some out; the graph adds up all.
    function.flat = values.rates(row->second->flat);
    function.cumulative = values.rates(row->second->cumulative);
    function.flat_certainty = values.certainty(row->second->flat);
    function.cumulative_certainty = values.certainty(row->second->cumulative);
  }
  return tree;
}

}  // namespace pgo

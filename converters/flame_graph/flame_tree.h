// FlameTree: what a flame graph draws. Stacks that begin alike, from the root, share frames; each
// frame has the sum of the stacks through it. Of one profile a frame has one value; of a comparison
// it has one for each side.
//
//   FlameTreeBuilder builder(1);
//   builder.add_profile(profile, shown_type(profile), 0);
//   PGO_TRY(FlameTree tree, builder.build({}));
//
// A comparison adds profiles to side 0 (before) and side 1 (after), by shares mostly: with
// FlameScale{kFlameWhole / members, total} every member of a side counts alike. Who compares then
// says of frames and functions how certain their differences are (FlameCertainty).
//
// Names are as pprof shows them: the function's, or "[libc.so.6]" for code that only has a mapping.
// Inlined functions are frames of their own, recursion stays. The tree is bounded: frames below a
// share of the whole, and what is deeper than a limit, become one leaf "(other)" of their parent,
// and FlameOmitted counts them. Frames are in the order of their names, "(other)" is the last.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pgo/base/flat_lists.h"
#include "pgo/base/result.h"
#include "pgo/profile/interner.h"
#include "pgo/profile/stack_profile.h"

namespace pgo {

// What a whole side is when values are shares (FlameTree::in_shares).
inline constexpr int64_t kFlameWhole = 1'000'000'000'000;

struct FlameFrame {
  std::string name;
  std::string module;  // file name of the binary; empty: not known
  std::string file;    // of the source; empty: not known

  bool operator==(const FlameFrame&) const = default;
};
using FlameFrameId = uint32_t;                  // position in FlameTree::frames
inline constexpr FlameFrameId kFlameRoot = 0;   // "all"
inline constexpr FlameFrameId kFlameOther = 1;  // "(other)"

// Of side 0 and side 1. Of one profile the second is 0.
using FlameValues = std::array<int64_t, 2>;

// What statistics say of a difference.
enum class FlameMark : uint8_t {
  kNone,          // nothing
  kChanged,       // it is real
  kNoise,         // the members of a side differ as much
  kThin,          // too few samples, or too small a share, to tell
  kSamplingOnly,  // larger than the chance of sampling, but how hosts differ is not known
};

struct FlameCertainty {
  FlameMark mark = FlameMark::kNone;
  // The share of false findings to expect among those that are at least as certain.
  std::optional<double> q;
  // What the difference (after less before) is between, in the unit of the tree.
  std::optional<std::pair<int64_t, int64_t>> interval;

  bool operator==(const FlameCertainty&) const = default;
};

// A frame of the tree. Its children follow it, each with its own: that is preorder.
struct FlameNode {
  FlameFrameId frame = kFlameRoot;
  uint32_t depth = 0;   // 0: the root, which only nodes[0] is
  FlameValues self{};   // of stacks that end here
  FlameValues total{};  // and of all that go through it

  bool operator==(const FlameNode&) const = default;
};

// A row of the table: a function wherever it is. A stack counts once in `cumulative`, however often
// it has the function. Functions of frames in "(other)" have their rows, too.
struct FlameFunction {
  FlameFrameId frame = kFlameRoot;
  FlameValues flat{}, cumulative{};
  FlameCertainty flat_certainty = {}, cumulative_certainty = {};
  std::string team = {};  // that owns it; empty: none, or not known. The caller fills it.

  bool operator==(const FlameFunction&) const = default;
};

// What the tree does not show.
struct FlameOmitted {
  double min_share = 0;          // what "(other)" consists of: frames with a smaller share
  uint64_t small_stacks = 0;     // stacks that end in an "(other)" for that reason
  uint32_t max_depth = 0;        // frames that a stack may have
  uint64_t deep_stacks = 0;      // stacks with more; they end in "(other)" after this number
  uint64_t functions = 0;        // rows beyond FlameOptions::max_functions
  uint64_t negative_stacks = 0;  // stacks with a negative sum, which have no width
  int64_t negative_sum = 0;

  bool operator==(const FlameOmitted&) const = default;
};

struct FlameSide {
  std::string name;   // of a comparison: "before", "1.41"
  int64_t whole = 0;  // what 100 % is

  bool operator==(const FlameSide&) const = default;
};

struct FlameTree {
  std::string type, unit;        // what is counted: "cpu", "nanoseconds"
  bool in_shares = false;        // values are parts of kFlameWhole instead
  double value_size = 1;         // how much of `unit` a value of 1 is
  std::string per;               // "unit of work": values are costs of one; empty: of everything
  std::vector<FlameSide> sides;  // one, or two of a comparison
  std::vector<FlameFrame> frames;
  std::vector<FlameNode> nodes;  // preorder
  // One for each node. The caller that compares profiles fills it; empty: no node has a mark.
  std::vector<FlameCertainty> certainties;
  std::vector<FlameFunction> functions;  // the largest flat share first
  uint64_t stacks = 0;                   // different ones
  FlameOmitted omitted;

  bool is_comparison() const { return sides.size() == 2; }
  // The largest share that `values` has of a side, 0 to 1.
  double share(const FlameValues& values) const;
  // The sum of "(other)".
  FlameValues other() const;
  // Makes values parts of kFlameWhole, each side's of its own whole. What stacks end in is rounded;
  // the sums of frames are sums of these.
  void to_shares();
  // Makes values what one of `counts` costs, such as a unit of work: each side's are divided by its
  // count, which is above 0. The larger side's whole becomes kFlameWhole, which `value_size` tells.
  // Error: kUnsupported, and no change, if one side costs more than 10^9 times as much: the values
  // of the other would have no digits.
  Result<void> to_costs_of_one(const std::array<double, 2>& counts, std::string one);
};

// Values are multiplied by `times` / `by` and rounded, halves away from 0.
struct FlameScale {
  int64_t times = 1, by = 1;
};

struct FlameOptions {
  uint32_t max_depth = 500;         // frames of a stack
  size_t max_functions = 2000;      // rows of the table, those with the largest cumulative shares
  size_t max_nodes = 50'000;        // min_share is doubled until there are so many
  double min_share = 0.0001;        // of the largest side
  std::array<int64_t, 2> wholes{};  // what 100 % of a side is; 0: the sum of its stacks
};

class FlameTreeBuilder {
 public:
  // One side, or two.
  explicit FlameTreeBuilder(size_t sides);

  // The number for add_stack(). Frames of one name and module are one; of different files, the
  // first in order is kept.
  uint32_t add_frame(const FlameFrame& frame);
  void add_stack(std::span<const uint32_t> root_first, size_t side, int64_t value);
  // All samples of a profile, whatever their labels. `type` is a position in sample_types.
  void add_profile(const StackProfile& profile, size_t type, size_t side,
                   const FlameScale& scale = {});

  // Changes names or modules of frames that were added; those that become alike are one in build().
  void rename(const std::function<void(FlameFrame&)>& change);

  // The same for any order of what was added. Leaves type, unit, in_shares, names of sides and
  // certainties to the caller. Errors: kEmpty when no side has a stack with a value above 0,
  // kUnsupported when the stacks have more than 2^30 frames. O(frames of stacks * log of stacks).
  Result<FlameTree> build(const FlameOptions& options) const;

 private:
  uint32_t add_group(std::span<const uint32_t> root_first);
  void add_groups(std::span<const uint32_t> root_first, size_t side, int64_t value);

  size_t sides_;
  uint64_t seed_;
  std::vector<FlameFrame> frames_;
  // What a location stands for, a function and those inlined into it, is a group of frames. Stacks
  // consist of groups, so that one with many inlined functions is not repeated in each stack.
  FlatLists<uint32_t> groups_, stacks_;
  std::vector<FlameValues> values_;  // of each stack
  Interner frame_numbers_, group_numbers_, stack_numbers_;
};

}  // namespace pgo

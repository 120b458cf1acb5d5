#include "converters/flame_graph/flame_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "pgo/base/file_name.h"
#include "pgo/base/hash.h"
#include "pgo/profile/stack_selection.h"

namespace pgo {
namespace {

__extension__ using Wide = __int128;

constexpr uint64_t kMaxFrames = uint64_t{1} << 30;
constexpr uint32_t kDeepest = 2'000;  // growing a tree recurses

uint64_t hash_list(uint64_t seed, std::span<const uint32_t> list) {
  uint64_t hash = hash_more(seed, list.size());
  for (uint32_t item : list) hash = hash_more(hash, item);
  return mix(hash, kHashFactor);
}

int64_t scaled(int64_t value, const FlameScale& scale) {
  Wide by = std::max<int64_t>(scale.by, 1);
  Wide product = static_cast<Wide>(value) * scale.times;
  Wide rounded = (product + (product < 0 ? -by / 2 : by / 2)) / by;
  constexpr Wide kLeast = std::numeric_limits<int64_t>::min();
  constexpr Wide kMost = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::clamp(rounded, kLeast, kMost));
}

void add_to(FlameValues& sum, const FlameValues& values) {
  for (size_t side = 0; side < sum.size(); side++) sum[side] = sum_of(sum[side], values[side]);
}

bool is_zero(const FlameValues& values) { return values == FlameValues{}; }

double largest_share(const FlameValues& values, const FlameValues& wholes) {
  double largest = 0;
  for (size_t side = 0; side < values.size(); side++)
    if (wholes[side] > 0)
      largest =
          std::max(largest, static_cast<double>(values[side]) / static_cast<double>(wholes[side]));
  return largest;
}

// The stacks that something is drawn of. Frames have the numbers of their places in the order of
// names from here on, plus 1, so that 0 can stand for the end of a stack.
struct Stacks {
  FlatLists<uint32_t> groups;        // of frames
  const FlatLists<uint32_t>& lists;  // of groups
  std::vector<uint32_t> chosen;      // positions in `lists`
  std::vector<FlameValues> values;   // of each of `chosen`
  size_t frames = 0;                 // how many there are
  FlameValues wholes{};
};

// Grows the nodes of a tree from its root to its leaves: stacks that are alike so far are sorted by
// their next frame, and those of one frame make a node. What is too small is not gone into.
class TreeGrower {
 public:
  // Frames of nodes are those of `stacks` plus 1.
  TreeGrower(const Stacks& stacks, uint32_t max_depth, double min_share, size_t max_nodes)
      : stacks_(stacks), max_depth_(std::min(max_depth, kDeepest)), max_nodes_(max_nodes) {
    omitted_.min_share = min_share;
    omitted_.max_depth = max_depth_;
    entries_.reserve(stacks.chosen.size());
    for (size_t i = 0; i < stacks.chosen.size(); i++)
      entries_.push_back({stacks.lists[stacks.chosen[i]], {}, 0, stacks.values[i]});
  }

  // False when there would be more nodes than that.
  bool grow() {
    nodes_.push_back({kFlameRoot, 0, {}, sum(0, entries_.size())});
    return grow_children(0, entries_.size(), 0);
  }
  std::vector<FlameNode> take_nodes() { return std::move(nodes_); }
  const FlameOmitted& omitted() const { return omitted_; }

 private:
  // What is left of a stack below the node that is growing. All that sorting needs is in one place:
  // most of the time goes into waiting for memory.
  struct Entry {
    std::span<const uint32_t> groups;
    std::span<const uint32_t> frames;  // of the group before those
    uint32_t next = 0;                 // frame; 0: the stack ends here
    FlameValues values{};
  };

  void step(Entry& entry) const {
    while (entry.frames.empty() && !entry.groups.empty()) {
      entry.frames = stacks_.groups[entry.groups.front()];
      entry.groups = entry.groups.subspan(1);
    }
    entry.next = entry.frames.empty() ? 0 : entry.frames.front();
    if (entry.next != 0) entry.frames = entry.frames.subspan(1);
  }

  FlameValues sum(size_t begin, size_t end) const {
    FlameValues total{};
    for (size_t i = begin; i < end; i++) add_to(total, entries_[i].values);
    return total;
  }

  bool add_node(const FlameNode& node) {
    if (nodes_.size() >= max_nodes_) return false;
    nodes_.push_back(node);
    return true;
  }

  // The children of the last node, which entries_[begin] to entries_[end] go through.
  bool grow_children(size_t begin, size_t end, uint32_t depth) {
    size_t parent = nodes_.size() - 1;
    std::span<Entry> entries = std::span(entries_).subspan(begin, end - begin);
    for (Entry& entry : entries) step(entry);
    if (!std::ranges::is_sorted(entries, {}, &Entry::next))
      std::ranges::sort(entries, {}, &Entry::next);
    FlameValues other{};
    for (size_t run = begin, run_end = begin; run < end; run = run_end) {
      uint32_t frame = entries_[run].next;
      while (run_end < end && entries_[run_end].next == frame) run_end++;
      FlameValues total = sum(run, run_end);
      bool is_deep = depth >= max_depth_;
      if (frame == 0) {
        nodes_[parent].self = total;
      } else if (is_deep || largest_share(total, stacks_.wholes) < omitted_.min_share) {
        (is_deep ? omitted_.deep_stacks : omitted_.small_stacks) += run_end - run;
        add_to(other, total);
      } else {
        if (!add_node({frame + 1, depth + 1, {}, total})) return false;
        if (!grow_children(run, run_end, depth + 1)) return false;
      }
    }
    return is_zero(other) || add_node({kFlameOther, depth + 1, other, other});
  }

  const Stacks& stacks_;
  uint32_t max_depth_;
  size_t max_nodes_;
  std::vector<Entry> entries_;
  std::vector<FlameNode> nodes_;
  FlameOmitted omitted_;
};

// The rows of all functions; their frames are those of `stacks` plus 1, as in the nodes.
std::vector<FlameFunction> count_functions(const Stacks& stacks) {
  std::vector<FlameValues> flat(stacks.frames + 1), cumulative(stacks.frames + 1);
  std::vector<uint32_t> last_seen(stacks.frames + 1, ~uint32_t{0});
  for (uint32_t i = 0; i < stacks.chosen.size(); i++) {
    uint32_t leaf = 0;
    for (uint32_t group : stacks.lists[stacks.chosen[i]])
      for (uint32_t frame : stacks.groups[group]) {
        leaf = frame;
        if (std::exchange(last_seen[frame], i) != i) add_to(cumulative[frame], stacks.values[i]);
      }
    if (leaf != 0) add_to(flat[leaf], stacks.values[i]);
  }
  std::vector<FlameFunction> functions;
  for (uint32_t frame = 1; frame <= stacks.frames; frame++)
    if (!is_zero(cumulative[frame]))
      functions.push_back({frame + 1, flat[frame], cumulative[frame]});
  return functions;
}

// Leaves the `most` with the largest cumulative shares, in the order of the table; returns how many
// others there were.
uint64_t choose_functions(std::vector<FlameFunction>& functions, const Stacks& stacks,
                          size_t most) {
  auto sort_by = [&](auto key) {
    std::ranges::sort(functions, [&](const auto& a, const auto& b) { return key(a) < key(b); });
  };
  sort_by([&](const FlameFunction& row) {
    return std::tuple(-largest_share(row.cumulative, stacks.wholes), row.frame);
  });
  uint64_t others = functions.size() - std::min(functions.size(), most);
  functions.resize(functions.size() - others);
  sort_by([&](const FlameFunction& row) {
    return std::tuple(-largest_share(row.flat, stacks.wholes),
                      -largest_share(row.cumulative, stacks.wholes), row.frame);
  });
  return others;
}

// Leaves the frames that nodes and functions have. `by_name`: positions in `frames`.
void choose_frames(FlameTree& tree, std::span<const FlameFrame> frames,
                   std::span<const uint32_t> by_name) {
  std::vector<FlameFrameId> numbers(frames.size() + 2);
  for (const FlameNode& node : tree.nodes) numbers[node.frame] = 1;
  for (const FlameFunction& row : tree.functions) numbers[row.frame] = 1;
  tree.frames = {{"all", {}, {}}, {"(other)", {}, {}}};
  numbers[kFlameRoot] = kFlameRoot, numbers[kFlameOther] = kFlameOther;
  for (size_t i = 0; i < by_name.size(); i++) {
    if (numbers[i + 2] == 0) continue;
    numbers[i + 2] = static_cast<FlameFrameId>(tree.frames.size());
    tree.frames.push_back(frames[by_name[i]]);
  }
  for (FlameNode& node : tree.nodes) node.frame = numbers[node.frame];
  for (FlameFunction& row : tree.functions) row.frame = numbers[row.frame];
}

// `wholes`: what the sides are to have.
void rescale(FlameTree& tree, const FlameValues& wholes) {
  auto rescale_values = [&](FlameValues& values) {
    for (size_t side = 0; side < tree.sides.size(); side++)
      values[side] = scaled(values[side], {wholes[side], tree.sides[side].whole});
  };
  for (FlameNode& node : tree.nodes) rescale_values(node.self), node.total = node.self;
  // Children come after their parents: backwards, each total is complete when it is added on.
  std::vector<size_t> parents, path;
  for (size_t at = 0; at < tree.nodes.size(); at++) {
    path.resize(tree.nodes[at].depth);
    parents.push_back(path.empty() ? 0 : path.back());
    path.push_back(at);
  }
  for (size_t at = tree.nodes.size(); at-- > 1;)
    add_to(tree.nodes[parents[at]].total, tree.nodes[at].total);
  for (FlameFunction& function : tree.functions)
    rescale_values(function.flat), rescale_values(function.cumulative);
  for (size_t side = 0; side < tree.sides.size(); side++) tree.sides[side].whole = wholes[side];
}

std::string_view function_name(const StackProfile& profile, const StackFunction& function) {
  std::string_view name = profile.text(function.name);
  if (name.empty()) name = profile.text(function.system_name);
  return name.empty() ? "[unknown]" : name;
}

}  // namespace

double FlameTree::share(const FlameValues& values) const {
  FlameValues wholes{};
  for (size_t side = 0; side < sides.size(); side++) wholes[side] = sides[side].whole;
  return largest_share(values, wholes);
}

void FlameTree::to_shares() {
  rescale(*this, {kFlameWhole, kFlameWhole});
  in_shares = true;
}

Result<void> FlameTree::to_costs_of_one(const std::array<double, 2>& counts, std::string one) {
  constexpr double kLeastRatio = 1e-9;
  std::array<double, 2> costs{};
  for (size_t side = 0; side < sides.size(); side++)
    costs[side] = static_cast<double>(sides[side].whole) / counts[side];
  const double largest = std::max(costs[0], costs[1]);
  FlameValues wholes{};
  for (size_t side = 0; side < sides.size(); side++) {
    const double ratio = costs[side] / largest;
    if (sides[side].whole > 0 && ratio < kLeastRatio)
      return fail(
          ErrorKind::kUnsupported,
          "flame graph: one " + one +
              " costs more than 10^9 times as much on one side as on the other, which one "
              "picture cannot show: are the numbers of both sides right? If they are, leave "
              "out the flame graph");
    wholes[side] = std::llround(ratio * static_cast<double>(kFlameWhole));
  }
  rescale(*this, wholes);
  value_size *= largest / static_cast<double>(kFlameWhole);
  per = std::move(one);
  return ok();
}

FlameValues FlameTree::other() const {
  FlameValues sum{};
  for (const FlameNode& node : nodes)
    if (node.frame == kFlameOther) add_to(sum, node.self);
  return sum;
}

FlameTreeBuilder::FlameTreeBuilder(size_t sides)
    : sides_(std::clamp<size_t>(sides, 1, 2)), seed_(process_seed()) {}

uint32_t FlameTreeBuilder::add_frame(const FlameFrame& frame) {
  uint32_t number = frame_numbers_.find_or_add(
      mix(hash_text(seed_, frame.name), hash_text(~seed_, frame.module)),
      [&](uint32_t known) {
        return frames_[known].name == frame.name && frames_[known].module == frame.module;
      },
      [&] {
        frames_.push_back(frame);
        return frames_.size() - 1;
      });
  std::string& file = frames_[number].file;
  if (file.empty() || (!frame.file.empty() && frame.file < file)) file = frame.file;
  return number;
}

uint32_t FlameTreeBuilder::add_group(std::span<const uint32_t> root_first) {
  return group_numbers_.find_or_add(
      hash_list(seed_, root_first),
      [&](uint32_t known) { return std::ranges::equal(groups_[known], root_first); },
      [&] {
        groups_.add(root_first);
        return groups_.size() - 1;
      });
}

void FlameTreeBuilder::add_groups(std::span<const uint32_t> root_first, size_t side,
                                  int64_t value) {
  uint32_t number = stack_numbers_.find_or_add(
      hash_list(~seed_, root_first),
      [&](uint32_t known) { return std::ranges::equal(stacks_[known], root_first); },
      [&] {
        stacks_.add(root_first);
        values_.emplace_back();
        return values_.size() - 1;
      });
  values_[number][side] = sum_of(values_[number][side], value);
}

void FlameTreeBuilder::add_stack(std::span<const uint32_t> root_first, size_t side, int64_t value) {
  std::vector<uint32_t> groups;
  for (uint32_t frame : root_first) groups.push_back(add_group({&frame, 1}));
  add_groups(groups, side, value);
}

void FlameTreeBuilder::add_profile(const StackProfile& profile, size_t type, size_t side,
                                   const FlameScale& scale) {
  auto module_of = [&](const StackLocation& location) {
    if (location.mapping == kNoMapping) return std::string();
    const StackMapping& mapping = profile.mappings[static_cast<size_t>(location.mapping)];
    return std::string(file_name(profile.text(mapping.filename)));
  };
  std::vector<uint32_t> group_of, frames, groups;
  for (size_t i = 0; i < profile.locations.size(); i++) {
    std::string module = module_of(profile.locations[i]);
    frames.clear();
    std::span<const StackLine> lines = profile.lines[i];
    for (size_t line = lines.size(); line > 0; line--) {
      const StackFunction& function =
          profile.functions[static_cast<size_t>(lines[line - 1].function)];
      frames.push_back(add_frame({std::string(function_name(profile, function)), module,
                                  std::string(profile.text(function.filename))}));
    }
    if (lines.empty())
      frames.push_back(add_frame({module.empty() ? "[unknown]" : "[" + module + "]", module, {}}));
    group_of.push_back(add_group(frames));
  }
  // Samples that differ in labels only are one stack.
  std::vector<int64_t> sums(profile.stacks.size());
  for (size_t i = 0; i < profile.samples.size(); i++) {
    int64_t& sum = sums[static_cast<size_t>(profile.samples[i].stack)];
    sum = sum_of(sum, profile.values_of(i)[type]);
  }
  for (size_t i = 0; i < sums.size(); i++) {
    if (sums[i] == 0) continue;
    groups.clear();
    std::span<const LocationId> leaf_first = profile.stacks[i];
    for (size_t at = leaf_first.size(); at > 0; at--)
      groups.push_back(group_of[static_cast<size_t>(leaf_first[at - 1])]);
    add_groups(groups, side, scaled(sums[i], scale));
  }
}

void FlameTreeBuilder::rename(const std::function<void(FlameFrame&)>& change) {
  for (FlameFrame& frame : frames_) change(frame);
}

Result<FlameTree> FlameTreeBuilder::build(const FlameOptions& options) const {
  FlameTree tree;
  std::vector<uint32_t> by_name(frames_.size()), number_of(frames_.size());
  std::iota(by_name.begin(), by_name.end(), 0u);
  std::ranges::sort(by_name, [&](uint32_t a, uint32_t b) {
    return std::tie(frames_[a].name, frames_[a].module) <
           std::tie(frames_[b].name, frames_[b].module);
  });
  for (uint32_t i = 0; i < by_name.size(); i++) {
    const FlameFrame& frame = frames_[by_name[i]];
    const FlameFrame* before = i == 0 ? nullptr : &frames_[by_name[i - 1]];
    bool is_known =
        before != nullptr && before->name == frame.name && before->module == frame.module;
    number_of[by_name[i]] = is_known ? number_of[by_name[i - 1]] : i + 1;
  }

  Stacks stacks{{}, stacks_, {}, {}, frames_.size(), {}};
  for (size_t group = 0; group < groups_.size(); group++) {
    for (uint32_t frame : groups_[group]) stacks.groups.push(number_of[frame]);
    stacks.groups.end_list();
  }
  uint64_t frames = 0;
  for (uint32_t i = 0; i < values_.size(); i++) {
    FlameValues values = values_[i];
    for (int64_t& value : values) {
      if (value >= 0) continue;
      tree.omitted.negative_stacks++;
      tree.omitted.negative_sum = sum_of(tree.omitted.negative_sum, value);
      value = 0;
    }
    if (is_zero(values)) continue;
    stacks.chosen.push_back(i);
    stacks.values.push_back(values);
    add_to(stacks.wholes, values);
    for (uint32_t group : stacks_[i]) frames += groups_[group].size();
    if (frames > kMaxFrames)
      return fail(ErrorKind::kUnsupported, "flame graph: the stacks have more than " +
                                               std::to_string(kMaxFrames) +
                                               " frames; choose some of the samples");
  }
  if (stacks.chosen.empty())
    return fail(ErrorKind::kEmpty, "flame graph: no stack has a value above 0");
  tree.stacks = stacks.chosen.size();
  for (size_t side = 0; side < sides_; side++) {
    if (options.wholes[side] > 0) stacks.wholes[side] = options.wholes[side];
    tree.sides.push_back({"", stacks.wholes[side]});
  }

  for (double min_share = std::max(options.min_share, 1e-9);; min_share *= 2) {
    // In the end all is smaller than that: only the root is left, with "(other)".
    TreeGrower grower(stacks, options.max_depth, min_share, std::max<size_t>(options.max_nodes, 2));
    if (!grower.grow()) continue;
    tree.nodes = grower.take_nodes();
    FlameOmitted omitted = grower.omitted();
    omitted.negative_stacks = tree.omitted.negative_stacks;
    omitted.negative_sum = tree.omitted.negative_sum;
    tree.omitted = omitted;
    break;
  }
  tree.functions = count_functions(stacks);
  tree.omitted.functions = choose_functions(tree.functions, stacks, options.max_functions);
  choose_frames(tree, frames_, by_name);
  return tree;
}

}  // namespace pgo

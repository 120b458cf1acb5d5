// BranchWindows: how often branches ran in a cycle, by branch stacks whose entries have cycle
// counts. Skylake and newer processors of Intel write these; an entry's are the cycles since the
// branch before it.
//
// A branch stack is a window: the last n branches before a sample. If each branch of a run were the
// newest of one window, then each would be in n windows. But samples of an event that counts cycles
// are at random times: a branch is the newest of a window in proportion to the cycles until the
// next branch. These are not known, since the sample is before their end. Their mean m(t) after
// branches to one target t is: from windows that have such a branch and the next one. Hence
//
//     runs of b = sum over windows of (weight of the sample / m(newest target)) * (times of b / n)
//
// All branches divided by all cycles of windows would be wrong for programs that are slow in some
// places: windows in slow code are many, and long.
//
// A sample in the kernel whose branch stack has only branches of the process stands for cycles in
// which no function of the process was called.
#pragma once

#include <cstdint>
#include <vector>

#include "converters/perf_data/recording.h"
#include "converters/perf_data/stacks/call_chain.h"
#include "converters/perf_data/stacks/code_places.h"
#include "converters/perf_data/stacks/place_cache.h"
#include "converters/perf_data/stacks/stack_table.h"
#include "pgo/profile/stack_profile.h"

namespace pgo::perf_data {

// The unit of rates: times in so many cycles.
inline constexpr double kRateCycles = 0x1p40;

struct SampledBranches {
  // Normalized. Each branch is a stack of two addresses: the target, and the branch instruction.
  // Its values: how often windows have it, and how often it ran in kRateCycles. In processes only.
  StackProfile profile;
  uint64_t weight = 0;  // of the samples whose branch stacks have cycle counts
  uint64_t stacks = 0;  // samples with branch stacks, with cycle counts or without

  bool operator==(const SampledBranches&) const = default;
};

// Can the branch stacks of this event be windows? All taken branches are in them, and its samples
// count cycles.
bool has_branch_windows(const EventAttr& event);

class BranchWindows {
 public:
  // Adds the window of a sample in `space`, of a process whose mappings are `root`. Branch stacks
  // without any cycle count are none. O(entries).
  void add(const Sample& sample, uint64_t weight, CodeSpace space, const CodePlaces& places,
           MapTree::Root root);
  // Adds what another thread has counted.
  void add(const BranchWindows& other);

  // O(n log n) for n branches. Memory: one counter for each branch and newest target that was seen.
  SampledBranches finish(const Recording& recording, const std::vector<bool>& chosen_events,
                         const CodePlaces& places) const;

 private:
  struct Entry {
    RuntimeAddr from, to;
    uint64_t cycles = 0;  // 0: not known

    bool is_in_process() const;
  };

  void read(const Sample& sample);
  StackTable::PlaceId place(const CodePlaces& places, MapTree::Root root, RuntimeAddr address);
  void add_gaps(const CodePlaces& places, MapTree::Root root);

  // Three kinds of rows. {newest target}: windows, and their weight. {target, target}: how often
  // the cycles from a branch there to the next branch are known, and these cycles. {target, branch,
  // newest target}: times, and the sum of weight / n in parts of kWeightParts.
  StackTable table_;
  PlaceCache cache_;
  std::vector<Entry> entries_;  // of the sample at hand
  uint64_t stacks_ = 0;
};

}  // namespace pgo::perf_data

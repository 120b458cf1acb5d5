#include "converters/perf_data/stacks/branch_windows.h"

#include <algorithm>
#include <array>

#include "converters/perf_data/event_choice.h"
#include "converters/perf_data/stacks/profile_builder.h"
#include "pgo/profile/accounting.h"

namespace pgo::perf_data {
namespace {

// The newest target of samples that were taken later than what their windows show; none is there.
constexpr CodePlace kBehindWindow{CodePlace::kNowhere, ~uint64_t{0}};
constexpr uint64_t kWeightParts = 1024;

// Kernels may write 0 for addresses of theirs.
bool is_of_kernel(RuntimeAddr address) { return address.value == 0 || address >= kKernelBegin; }

// Sums of cycles from branches to the next ones.
struct Gaps {
  double count = 0, cycles = 0;

  double mean() const { return cycles / count; }
};

}  // namespace

bool has_branch_windows(const EventAttr& event) {
  return event.has_branch_stacks() && (event.branch_sample_type & kBranchAny) != 0 &&
         counts_cycles(event);
}

StackTable::PlaceId BranchWindows::place(const CodePlaces& places, MapTree::Root root,
                                         RuntimeAddr address) {
  return cache_.get(root, address, [&] { return table_.add_place(places.find(root, address)); });
}

bool BranchWindows::Entry::is_in_process() const {
  return !is_of_kernel(from) && !is_of_kernel(to);
}

// Slots that were never used are left out.
void BranchWindows::read(const Sample& sample) {
  // A perf_branch_entry has from, to, and flags; bits 4 to 19 of the flags count cycles.
  constexpr uint64_t kCyclesShift = 4, kCyclesMask = 0xffff;
  entries_.clear();
  for (uint64_t i = 0; i < sample.branch_count; i++) {
    const uint8_t* at = sample.branches + i * kBranchEntrySize;
    const Entry entry{RuntimeAddr{load_le<uint64_t>(at)}, RuntimeAddr{load_le<uint64_t>(at + 8)},
                      (load_le<uint64_t>(at + 16) >> kCyclesShift) & kCyclesMask};
    if (entry.from.value != 0 || entry.to.value != 0) entries_.push_back(entry);
  }
}

// Where a branch goes to the process and the next one comes from the kernel, the cycles between are
// of both.
void BranchWindows::add_gaps(const CodePlaces& places, MapTree::Root root) {
  for (size_t i = 1; i < entries_.size(); i++) {
    const Entry &before = entries_[i], &after = entries_[i - 1];
    if (after.cycles == 0 || is_of_kernel(after.from) != is_of_kernel(before.to)) continue;
    const StackTable::PlaceId target = place(places, root, before.to);
    table_.count({0, std::array{target, target}, 1, after.cycles});
  }
}

void BranchWindows::add(const Sample& sample, uint64_t weight, CodeSpace space,
                        const CodePlaces& places, MapTree::Root root) {
  read(sample);
  if (entries_.empty()) return;
  stacks_++;
  if (std::ranges::all_of(entries_, [](const Entry& entry) { return entry.cycles == 0; })) return;
  if ((space == CodeSpace::kProcess) == is_of_kernel(entries_[0].to)) {
    table_.count({0, std::array{table_.add_place(kBehindWindow)}, 1, weight});
    return add_gaps(places, root);
  }
  const StackTable::PlaceId newest = place(places, root, entries_[0].to);
  table_.count({0, std::array{newest}, 1, weight});
  const uint64_t part = saturating_multiply(weight, kWeightParts) / entries_.size();
  for (const Entry& entry : entries_) {
    if (!entry.is_in_process()) continue;
    const std::array row{place(places, root, entry.to), place(places, root, entry.from), newest};
    table_.count({0, row, 1, part});
  }
  add_gaps(places, root);
}

void BranchWindows::add(const BranchWindows& other) {
  table_.add(other.table_);
  stacks_ = saturating_add(stacks_, other.stacks_);
}

SampledBranches BranchWindows::finish(const Recording& recording,
                                      const std::vector<bool>& chosen_events,
                                      const CodePlaces& places) const {
  SampledBranches sampled;
  sampled.stacks = stacks_;
  std::vector<Gaps> gaps(table_.places().size());
  __extension__ using Wide = unsigned __int128;
  Wide weight = 0, all_cycles = 0, all_gaps = 0;  // sums of integers: rows are in any order
  for (size_t i = 0; i < table_.size(); i++) {
    const StackTable::Row row = table_[i];
    if (row.stack.size() == 1) weight += row.weight;
    if (row.stack.size() != 2) continue;
    gaps[row.stack[0]] = {static_cast<double>(row.samples), static_cast<double>(row.weight)};
    all_gaps += row.samples, all_cycles += row.weight;
  }
  StackTable branches;
  if (all_gaps != 0) sampled.weight = static_cast<uint64_t>(std::min<Wide>(weight, ~uint64_t{0}));
  for (size_t i = 0; i < table_.size() && sampled.weight != 0; i++) {
    const StackTable::Row row = table_[i];
    if (row.stack.size() != 3) continue;
    // Of a target that is only the newest one, the mean of all is the best guess.
    const Gaps& own = gaps[row.stack[2]];
    const double mean = own.count > 0
                            ? own.mean()
                            : static_cast<double>(all_cycles) / static_cast<double>(all_gaps);
    const double runs = static_cast<double>(row.weight) / kWeightParts / mean;
    const std::array stack{branches.add_place(table_.places()[row.stack[0]]),
                           branches.add_place(table_.places()[row.stack[1]])};
    branches.count(
        {0, stack, row.samples,
         static_cast<uint64_t>(kRateCycles * (runs / static_cast<double>(weight)) + .5)});
  }
  sampled.profile = build_profile({recording, chosen_events, places, branches, {""}, {}});
  return sampled;
}

}  // namespace pgo::perf_data

// InlineStacks: the inline stacks of the code of a unit, innermost frame first. Places with the
// same frame and line share one stack.
//
//   InlineStacks<Frame> stacks(frame_table, budget);
//   uint32_t number = stacks.number_of(frame_table.find(addr), [&](uint32_t frame) { … });
//   stacks.lists()[number]
//
// `Frame` has a function number, which the caller provides for each frame of the table, and a line:
// that of the code, or in an outer frame that of the call.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "pgo/base/flat_lists.h"
#include "pgo/dwarf/entry_budget.h"
#include "pgo/dwarf/frame_table.h"

namespace pgo {

template <typename Frame>
class InlineStacks {
 public:
  // Each new stack uses one unit of `budget` per frame.
  InlineStacks(const FrameTable& frames, EntryBudget& budget) : frames_(frames), budget_(budget) {}

  // The number of the stack at `place`. O(log stacks), plus the number of frames for a new stack.
  template <typename FunctionOf>
  uint32_t number_of(const FrameTable::Place& place, const FunctionOf& function_of) {
    auto [found, is_new] =
        numbers_.try_emplace({place.frame, place.line.line}, static_cast<uint32_t>(lists_.size()));
    if (!is_new) return found->second;
    uint32_t line = place.line.line;
    for (uint32_t i = place.frame; i != FrameTable::kNoFrame; i = frames_.frames()[i].parent) {
      lists_.push({function_of(i), line});
      line = frames_.frames()[i].call.line;
    }
    lists_.end_list();
    budget_.use(lists_[found->second].size());
    return found->second;
  }

  const FlatLists<Frame>& lists() const { return lists_; }
  FlatLists<Frame> take_lists() { return std::move(lists_); }

 private:
  const FrameTable& frames_;
  EntryBudget& budget_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers_;  // by frame and line
  FlatLists<Frame> lists_;
};

}  // namespace pgo

// EntryBudget: how many subroutines and ranges of code the units of a file may have together
// (DebugInfo::entry_limit()), or bytes of line programs (DebugInfo::line_limit()). Shared by all
// threads of a pass; whether it is used up does not depend on them, but which units were read by
// then does, so that none of them counts.
#pragma once

#include <atomic>
#include <cstdint>

namespace pgo {

class EntryBudget {
 public:
  explicit EntryBudget(uint64_t limit) : limit_(limit) {}

  bool allows(uint64_t more) const { return used_ + more <= limit_; }
  void use(uint64_t entries) { used_ += entries; }
  bool is_used_up() const { return !allows(0); }

 private:
  uint64_t limit_;
  std::atomic<uint64_t> used_{0};
};

}  // namespace pgo

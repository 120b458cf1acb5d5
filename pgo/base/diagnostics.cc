#include "pgo/base/diagnostics.h"

namespace pgo {

void Diagnostics::warn(const std::string& kind, const std::string& message, uint64_t count) {
  Entry& entry = entries_[kind];
  if (entry.count == 0) entry.first = message;
  entry.count += count;
}

void Diagnostics::add(const Diagnostics& other) {
  for (const auto& [kind, theirs] : other.entries_) {
    auto [place, is_new] = entries_.try_emplace(kind, theirs);
    if (is_new) continue;
    Entry& ours = place->second;
    ours.count += theirs.count;
    if (theirs.first < ours.first) ours.first = theirs.first;
  }
}

}  // namespace pgo

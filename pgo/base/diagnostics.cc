#include "pgo/base/diagnostics.h"

namespace pgo {

void Diagnostics::warn(const std::string& kind, const std::string& message, uint64_t count) {
  Entry& entry = entries_[kind];
  if (entry.count == 0) entry.first = message;
  entry.count += count;
}

void Diagnostics::add(const Diagnostics& other) {
  for (const auto& [kind, entry] : other.entries_) warn(kind, entry.first, entry.count);
}

}  // namespace pgo

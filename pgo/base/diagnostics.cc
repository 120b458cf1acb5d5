#include "pgo/base/diagnostics.h"

#include <algorithm>

namespace pgo {

void Diagnostics::warn(const std::string& kind, const std::string& message, uint64_t count) {
  Entry& entry = entries_[kind];
  entry.count += count;
  std::vector<std::string>& messages = entry.messages;
  if (messages.size() < kShown &&
      std::find(messages.begin(), messages.end(), message) == messages.end())
    messages.push_back(message);
}

void Diagnostics::add(const Diagnostics& other) {
  for (const auto& [kind, theirs] : other.entries_) add(kind, theirs);
}

void Diagnostics::add(const std::string& kind, const Entry& theirs) {
  Entry& ours = entries_[kind];
  ours.count += theirs.count;
  std::vector<std::string>& messages = ours.messages;
  messages.insert(messages.end(), theirs.messages.begin(), theirs.messages.end());
  std::sort(messages.begin(), messages.end());
  messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
  if (messages.size() > kShown) messages.resize(kShown);
}

}  // namespace pgo

#include "pgo/dwarf/debug_damage.h"

#include <llvm/Support/Error.h>

#include <iterator>

namespace pgo {
namespace {

std::string damaged(const std::string& reason) {
  return "its debug information is damaged: " + reason;
}

}  // namespace

void DebugDamage::add(const std::string& section, llvm::Error error) {
  add(section, llvm::toString(std::move(error)));
}

void DebugDamage::add(const std::string& section, const std::string& reason) {
  insert(section + ": " + reason);
}

void DebugDamage::add(llvm::Error error) { insert(llvm::toString(std::move(error))); }

void DebugDamage::insert(std::string reason) {
  // Messages are one line each.
  for (char& c : reason)
    if (c == '\n') c = ' ';
  std::lock_guard lock(mutex_);
  reasons_.insert(std::move(reason));
  if (reasons_.size() > kMaxReasons) reasons_.erase(std::prev(reasons_.end()));
}

bool DebugDamage::empty() const {
  std::lock_guard lock(mutex_);
  return reasons_.empty();
}

std::string DebugDamage::first() const {
  std::lock_guard lock(mutex_);
  return reasons_.empty() ? "" : damaged(*reasons_.begin());
}

std::vector<std::string> DebugDamage::reasons() const {
  std::lock_guard lock(mutex_);
  return {reasons_.begin(), reasons_.end()};
}

Diagnostics DebugDamage::diagnostics(const std::string& path) const {
  std::lock_guard lock(mutex_);
  Diagnostics diagnostics;
  for (const std::string& reason : reasons_)
    diagnostics.warn(kKind, path + ": " + damaged(reason) +
                                "; the code described there is missing from the profile");
  return diagnostics;
}

}  // namespace pgo

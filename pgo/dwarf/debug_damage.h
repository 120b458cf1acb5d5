// DebugDamage: what could not be read of one file's debug information, gathered from many threads.
// Readers go on behind what is broken, as LLVM's do; what they skip lands here, so that a profile
// that lacks it does not pass for a whole one.
//
// Each reason counts once, however many contexts and walks stumble over it, so that the answer does
// not depend on the number of threads.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"

namespace llvm {
class Error;
}  // namespace llvm

namespace pgo {

class DebugDamage {
 public:
  static constexpr const char* kKind = "damaged-debug-information";
  // Of a file with more, those that sort first are kept: which ones must not depend on the order.
  static constexpr size_t kMaxReasons = 1000;

  // `section` is the one that the error is about.
  void add(const std::string& section, llvm::Error error);
  void add(const std::string& section, const std::string& reason);
  // For errors that say themselves where they are, as those of LLVM's contexts do.
  void add(llvm::Error error);

  bool empty() const;
  // "its debug information is damaged: .debug_line: …", of the reason that sorts first; empty when
  // there is none.
  std::string first() const;
  std::vector<std::string> reasons() const;
  // All reasons as warnings about the file at `path`, under kKind.
  Diagnostics diagnostics(const std::string& path) const;

 private:
  void insert(std::string reason);

  mutable std::mutex mutex_;
  std::set<std::string> reasons_;
};

}  // namespace pgo

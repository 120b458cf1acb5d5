// Progress of long work, told to whoever wants to show it. Libraries never print.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace pgo {

struct Progress {
  // What is counted: bytes, or things of a name ("compile units").
  static constexpr const char* kBytes = "bytes";

  std::string what;           // "reading hosts/a.perf"
  uint64_t done = 0;          // in all, of this `what`
  uint64_t total = 0;         // 0: not known
  const char* unit = kBytes;  // outlives the call
};

// Called from one thread at a time; may be empty. A new `what` begins a new step.
using ProgressFn = std::function<void(const Progress&)>;

// Calls `progress`, if there is one.
inline void report_progress(const ProgressFn& progress, const Progress& step) {
  if (progress) progress(step);
}

}  // namespace pgo

// ThreadNames: what each thread was called at a time. Built once from a recording's process events;
// a new thread or process has the name of the one that made it, until it takes another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "converters/perf_data/recording.h"

namespace pgo::perf_data {

class ThreadNames {
 public:
  using NameId = uint32_t;
  static constexpr NameId kUnknown = 0;  // the empty name
  static constexpr NameId kIdle = 1;     // "swapper", as perf calls the threads that do nothing

  ThreadNames() = default;
  // Takes less memory than the process events that it reads.
  explicit ThreadNames(const Recording& recording);

  // O(log names of the thread).
  NameId find(uint32_t tid, Moment moment) const;
  // Of the thread that a sample of `event` was taken in. No record names the threads that do
  // nothing.
  NameId find(const Sample& sample, Moment moment, const EventAttr& event) const;
  std::string_view text(NameId name) const { return texts_[name]; }
  // Each name once.
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Naming {
    Moment moment;
    NameId name = kUnknown;
  };

  std::vector<std::string> texts_{"", "swapper"};
  std::unordered_map<uint32_t, std::vector<Naming>> namings_;  // by tid, in time order
};

}  // namespace pgo::perf_data

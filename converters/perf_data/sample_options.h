// SampleOptions: which samples of a recording count, and how they are read: what the readers of
// address profiles and of stack profiles have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "converters/perf_data/thread_names.h"

namespace pgo::perf_data {

struct SampleOptions {
  std::string comm;                 // only threads of this name; empty: all
  std::vector<std::string> events;  // by name, as choose_events() takes them
  unsigned jobs = 0;                // threads; 0: all cores
  std::vector<uint32_t> pids;       // empty: all
  // First and last time in nanoseconds, inclusive.
  std::optional<std::pair<uint64_t, uint64_t>> time;
  std::function<void(uint64_t)> progress;  // gets the bytes read so far; one call at a time

  bool wants_process(uint32_t pid) const;
  bool wants_time(uint64_t at) const { return !time || (at >= time->first && at <= time->second); }
  // Does a sample of `event` count, by its process, thread and time? `names` may be empty where
  // `comm` is.
  bool wants(const Sample& sample, Moment moment, const EventAttr& event,
             const ThreadNames& names) const {
    return wants_process(sample.pid) && wants_time(sample.time) &&
           (comm.empty() || names.text(names.find(sample, moment, event)) == comm);
  }
};

}  // namespace pgo::perf_data

#include "converters/perf_data/thread_names.h"

#include <algorithm>
#include <iterator>

#include "pgo/base/hash.h"
#include "pgo/profile/interner.h"

namespace pgo::perf_data {

ThreadNames::ThreadNames(const Recording& recording) {
  Interner known_names;
  const uint64_t seed = process_seed();
  auto number = [&](const std::string& name) {
    if (name.empty()) return kUnknown;
    return known_names.find_or_add(
        hash_text(seed, name), [&](uint32_t known) { return texts_[known] == name; },
        [&] {
          texts_.push_back(name);
          return texts_.size() - 1;
        });
  };
  known_names.find_or_add(
      hash_text(seed, texts_[kIdle]), [](uint32_t) { return false; }, [] { return kIdle; });
  for (const ProcessEvent& event : recording.process_events) {
    if (event.kind == ProcessEvent::Kind::kComm || event.kind == ProcessEvent::Kind::kExec)
      namings_[event.tid].push_back({event.moment, number(event.name)});
    else if (event.kind == ProcessEvent::Kind::kFork)
      namings_[event.tid].push_back({event.moment, find(event.parent_tid, event.moment)});
  }
}

ThreadNames::NameId ThreadNames::find(uint32_t tid, Moment moment) const {
  auto found = namings_.find(tid);
  if (found == namings_.end()) return kUnknown;
  const std::vector<Naming>& namings = found->second;
  auto after =
      std::upper_bound(namings.begin(), namings.end(), moment,
                       [](Moment wanted, const Naming& naming) { return wanted < naming.moment; });
  return after == namings.begin() ? kUnknown : std::prev(after)->name;
}

ThreadNames::NameId ThreadNames::find(const Sample& sample, Moment moment,
                                      const EventAttr& event) const {
  if (sample.tid == 0 && (event.sample_type & kSampleTid) != 0) return kIdle;
  return find(sample.tid, moment);
}

}  // namespace pgo::perf_data

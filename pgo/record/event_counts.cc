#include "pgo/record/event_counts.h"

#include <cstring>

#include "pgo/base/mapped_file.h"
#include "pgo/record/plugin/count_state.h"
#include "pgo/record/plugin_notes.h"

namespace pgo {

Result<CountedEvents> parse_event_counts(Bytes file) {
  static_assert(sizeof(CountState) <= kSlotsOffset && sizeof(CountSlot) == 64);
  if (file.size() < kSlotsOffset + kCountSlots * sizeof(CountSlot))
    return fail(ErrorKind::kInternal, "a file of counts has " + std::to_string(file.size()) +
                                          " bytes, which is too short");
  CountState state;
  std::memcpy(&state, file.data(), sizeof state);
  if (state.slots > kCountSlots)
    return fail(ErrorKind::kUnsupported, "more than " + std::to_string(kCountSlots) +
                                             " threads and processes were started, which is more "
                                             "than can be counted; give the command less work");
  CountedEvents events;
  for (size_t i = 0; i < state.slots; i++) {
    CountSlot slot;
    std::memcpy(&slot, file.data() + kSlotsOffset + i * sizeof slot, sizeof slot);
    events.counts.instructions += slot.instructions;
    events.counts.taken_branches += slot.taken_branches;
  }
  events.notes = notes_of(state.notes);
  events.further_notes = state.notes.count - events.notes.size();
  return events;
}

Result<CountedEvents> read_event_counts(const std::string& path) {
  PGO_TRY(MappedFile file, MappedFile::open(path));
  return parse_event_counts(file.bytes());
}

}  // namespace pgo

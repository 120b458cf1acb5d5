#include "pgo/record/event_counts.h"

#include <gtest/gtest.h>

#include <cstring>

#include "pgo/record/plugin/count_state.h"

namespace pgo::event_counts_test {
namespace {

std::vector<uint8_t> make_file(const CountState& state, const std::vector<CountSlot>& slots) {
  std::vector<uint8_t> file(kSlotsOffset + kCountSlots * sizeof(CountSlot));
  std::memcpy(file.data(), &state, sizeof state);
  if (!slots.empty())
    std::memcpy(file.data() + kSlotsOffset, slots.data(), slots.size() * sizeof(CountSlot));
  return file;
}

TEST(EventCounts, AddUpTheSlotsInUse) {
  CountState state{};
  state.slots = 2;
  Result<CountedEvents> events =
      parse_event_counts(make_file(state, {{1000, 10, {}}, {200, 2, {}}, {7, 7, {}}}));
  ASSERT_TRUE(events);
  EXPECT_EQ(events->counts, (EventCounts{1200, 12}));
  EXPECT_TRUE(events->notes.empty());
}

TEST(EventCounts, HaveTheNotes) {
  CountState state{};
  state.notes.count = kMaxNotes + 2;
  std::strcpy(state.notes.text[0], "first");
  std::memset(state.notes.text[1], 'x', kNoteSize);  // not ended
  Result<CountedEvents> events = parse_event_counts(make_file(state, {}));
  ASSERT_TRUE(events);
  ASSERT_EQ(events->notes.size(), size_t{kMaxNotes});
  EXPECT_EQ(events->notes[0], "first");
  EXPECT_EQ(events->notes[1], std::string(kNoteSize, 'x'));
  EXPECT_EQ(events->further_notes, 2u);
}

TEST(EventCounts, RefuseWhatIsNotWhole) {
  EXPECT_EQ(parse_event_counts({}).error().kind, ErrorKind::kInternal);
  std::vector<uint8_t> file = make_file({}, {});
  file.pop_back();
  EXPECT_EQ(parse_event_counts(file).error().message,
            "a file of counts has 1052671 bytes, which is too short");
  CountState state{};
  state.slots = kCountSlots + 1;
  EXPECT_EQ(parse_event_counts(make_file(state, {})).error().message,
            "more than 16384 threads and processes were started, which is more than can be "
            "counted; give the command less work");
}

}  // namespace
}  // namespace pgo::event_counts_test

#include "converters/perf_data/stacks/profile_builder.h"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "converters/perf_data/event_choice.h"

namespace pgo::perf_data {
namespace {

int64_t to_value(uint64_t count) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::min(count, kMax));
}

// Makes the profile of what was counted.
class ProfileBuilder {
 public:
  explicit ProfileBuilder(const CountedStacks& counted) : counted_(counted), table_(counted.table) {
    for (const CodePlace& place : table_.places())
      pieces_.push_back(counted.places.piece_of(place));
  }

  StackProfile build() {
    put_types();
    put_times();
    put_main_mapping();
    for (size_t i = 0; i < table_.places().size(); i++) put_location(i);
    for (size_t i = 0; i < table_.size(); i++) put_sample(table_[i]);
    profile_.normalize();
    return std::move(profile_);
  }

 private:
  void put_types();
  void put_times();
  std::vector<uint64_t> weights_of_files() const;
  void put_main_mapping();
  void put_location(size_t place);
  MappingId mapping_of(size_t piece);
  LabelsId labels_of(uint32_t label);
  void put_sample(const StackTable::Row& row);

  const CountedStacks& counted_;
  const StackTable& table_;
  std::vector<std::optional<size_t>> pieces_;  // of each place
  StackProfile profile_;
  std::vector<MappingId> mappings_ = std::vector<MappingId>(counted_.places.pieces().size(),
                                                            kNoMapping);  // of each piece, once put
  std::vector<std::optional<LabelsId>> labels_ =
      std::vector<std::optional<LabelsId>>(counted_.labels.size());
  std::vector<LocationId> stack_;
};

// The period of a clock that was asked for so many samples a second is known, too.
int64_t period_of(const EventAttr& event) {
  constexpr uint64_t kSecond = 1'000'000'000;
  if (!event.is_frequency()) return to_value(event.period_or_frequency);
  bool is_known = event.is_clock() && event.period_or_frequency != 0;
  return is_known ? to_value(kSecond / event.period_or_frequency) : 0;
}

void ProfileBuilder::put_types() {
  std::optional<std::string> name;
  bool is_clock = false;
  for (size_t i = 0; i < counted_.chosen_events.size(); i++) {
    if (!counted_.chosen_events[i]) continue;
    const EventAttr& event = counted_.recording.events[i];
    name = name ? std::min(*name, any_core_name(event.name)) : any_core_name(event.name);
    is_clock |= event.is_clock();
    profile_.period = std::max(profile_.period, period_of(event));
  }
  StringId count = profile_.strings.add("count");
  ValueType of_event{profile_.strings.add(name.value_or("")),
                     is_clock ? profile_.strings.add("nanoseconds") : count};
  profile_.sample_types = {{profile_.strings.add("samples"), count}, of_event};
  profile_.period_type = of_event;
}

void ProfileBuilder::put_times() {
  const TimeSpan& times = counted_.times;
  if (times.empty()) return;
  profile_.duration = to_value(times.last - times.first);
  if (!counted_.recording.clock) return;
  __extension__ using Wide = __int128;
  const ClockReference& clock = *counted_.recording.clock;
  Wide begin = Wide{times.first} - clock.record_time + clock.wall_time;
  if (begin > 0 && begin <= std::numeric_limits<int64_t>::max())
    profile_.time = static_cast<int64_t>(begin);
}

// Of all stacks that are in a file anywhere.
std::vector<uint64_t> ProfileBuilder::weights_of_files() const {
  std::vector<uint64_t> weights(counted_.places.files().size());
  std::vector<size_t> counted(weights.size(), table_.size());  // the row that a file was seen in
  for (size_t i = 0; i < table_.size(); i++) {
    StackTable::Row row = table_[i];
    for (StackTable::PlaceId place : row.stack) {
      uint32_t file = table_.places()[place].file;
      if (file == CodePlace::kNowhere || counted[file] == i) continue;
      counted[file] = i;
      weights[file] = saturating_add(weights[file], row.weight);
    }
  }
  return weights;
}

// Programs before other files, and files before what is none; then by weight.
void ProfileBuilder::put_main_mapping() {
  std::vector<uint64_t> weights = weights_of_files();
  auto is_more_main = [&](size_t a, size_t b) {
    auto key = [&](size_t piece) {
      uint32_t number = counted_.places.pieces()[piece].file;
      const CodeFile& file = counted_.places.files()[number];
      return std::tuple(file.is_program, file.kind == Dropped::kOtherBinary, weights[number]);
    };
    auto name = [&](size_t piece) {
      const CodeFile& file = counted_.places.files()[counted_.places.pieces()[piece].file];
      return std::tie(file.path, file.id, file.executable);
    };
    if (key(a) != key(b)) return key(a) > key(b);
    if (name(a) != name(b)) return name(a) < name(b);
    return counted_.places.pieces()[a].begin_offset < counted_.places.pieces()[b].begin_offset;
  };
  std::optional<size_t> main;
  for (const std::optional<size_t>& piece : pieces_)
    if (piece && (!main || (*piece != *main && is_more_main(*piece, *main)))) main = piece;
  if (main) mapping_of(*main);
}

MappingId ProfileBuilder::mapping_of(size_t piece) {
  MappingId& id = mappings_[piece];
  if (id != kNoMapping) return id;
  const CodePiece& code = counted_.places.pieces()[piece];
  const CodeFile& file = counted_.places.files()[code.file];
  StackMapping mapping;
  mapping.filename = profile_.strings.add(file.path);
  mapping.build_id = profile_.strings.add(file.id.hex());
  mapping.begin = code.begin;
  mapping.end = {saturating_add(code.begin.value, code.end_offset - code.begin_offset)};
  mapping.file_offset = code.begin_offset;
  return id = profile_.add_mapping(mapping);
}

// Locations have the numbers of their places.
void ProfileBuilder::put_location(size_t number) {
  const CodePlace& place = table_.places()[number];
  std::optional<size_t> piece = pieces_[number];
  StackLocation location;
  location.address = {place.at};
  if (piece) {
    location.mapping = mapping_of(*piece);
    location.address = counted_.places.pieces()[*piece].address(place);
  }
  profile_.add_location(location, {});
}

LabelsId ProfileBuilder::labels_of(uint32_t label) {
  std::optional<LabelsId>& id = labels_[label];
  if (id) return *id;
  std::string_view text = counted_.labels[label];
  if (text.empty())
    id = profile_.add_labels({});
  else
    id = profile_.add_labels({{profile_.strings.add("comm"), profile_.strings.add(text), {}, 0}});
  return *id;
}

void ProfileBuilder::put_sample(const StackTable::Row& row) {
  stack_.clear();
  for (StackTable::PlaceId place : row.stack) stack_.push_back(LocationId{place});
  profile_.add_sample({profile_.add_stack(stack_), labels_of(row.label)},
                      {to_value(row.samples), to_value(row.weight)});
}

}  // namespace

StackProfile build_profile(const CountedStacks& counted) { return ProfileBuilder(counted).build(); }

}  // namespace pgo::perf_data

#include "converters/perf_data/stacks/stack_reader.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "converters/perf_data/block_reader.h"
#include "converters/perf_data/event_choice.h"
#include "converters/perf_data/malformed_sample.h"
#include "converters/perf_data/stacks/call_chain.h"
#include "converters/perf_data/stacks/stack_table.h"

namespace pgo::perf_data {
namespace {

// What all threads of a run share; nothing of it changes while they run.
struct Run {
  const Recording& recording;
  const StackOptions& options;
  const CodePlaces& places;
  const ThreadNames& names;
  std::vector<bool> chosen_events;

  // Labels of stacks are names of threads, or this one: of the threads that do nothing, which no
  // record names.
  uint32_t idle_label() const { return static_cast<uint32_t>(names.texts().size()); }
  std::string_view text_of(uint32_t label) const {
    return label == idle_label() ? "swapper" : names.text(label);
  }
};

// Finds numbers of places that were looked up before: a program is mostly in few places.
class PlaceCache {
 public:
  // The number that `find` returns for `address` in a process whose mappings are `root`.
  template <typename Find>
  StackTable::PlaceId get(MapTree::Root root, RuntimeAddr address, const Find& find) {
    Entry& entry = entries_[hash_more(root, address.value) >> (64 - kBits)];
    if (entry.root != root || entry.address != address) entry = {address, root, find()};
    return entry.place;
  }

 private:
  static constexpr unsigned kBits = 14;
  static constexpr MapTree::Root kNoRoot = ~MapTree::Root{0};
  struct Entry {
    RuntimeAddr address;
    MapTree::Root root = kNoRoot;
    StackTable::PlaceId place = 0;
  };

  std::vector<Entry> entries_{size_t{1} << kBits};
};

// First and last of some times.
struct TimeSpan {
  uint64_t first = std::numeric_limits<uint64_t>::max(), last = 0;

  bool empty() const { return first > last; }
  void add(const TimeSpan& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
};

// What one thread has counted.
class Worker {
 public:
  explicit Worker(const Run& run) : run_(run) {}

  void read(Bytes records, uint64_t position) {
    for_each_record(records, [&](RecordHeader header, Bytes record, size_t offset) {
      if (header.type == kSample) read_sample(record, position + offset);
    });
  }
  void finish() {}
  // Adds what `other` has counted, which forgets it.
  void add(Worker& other);

  const StackTable& table() const { return table_; }
  const Accounting& samples() const { return samples_; }
  const MalformedSamples& malformed() const { return malformed_; }
  const TimeSpan& times() const { return times_; }
  uint64_t deferred() const { return deferred_; }

 private:
  void read_sample(Bytes record, uint64_t position);
  void drop(Dropped reason) { samples_[reason]++; }
  void drop_malformed(uint64_t position, const char* reason) {
    drop(Dropped::kMalformed);
    malformed_.add(position, reason);
  }
  uint32_t label_of(const Sample& sample, Moment moment, const EventAttr& event) const;
  void resolve(const Sample& sample, Moment moment);

  const Run& run_;
  StackTable table_;
  PlaceCache cache_;
  CallChain chain_;
  std::vector<StackTable::PlaceId> stack_;  // of the sample at hand
  Accounting samples_;
  MalformedSamples malformed_;
  TimeSpan times_;
  uint64_t deferred_ = 0;  // samples whose callers are partly in records of their own
};

void Worker::read_sample(Bytes record, uint64_t position) {
  samples_.seen++;
  std::optional<size_t> number = run_.recording.event_of_sample(record);
  if (!number) return drop_malformed(position, "does not name an event of the recording");
  if (!run_.chosen_events[*number]) return drop(Dropped::kOtherEvent);
  const SampleLayout& layout = run_.recording.layouts[*number];
  const EventAttr& event = run_.recording.events[*number];
  std::optional<Sample> sample = layout.parse(record);
  if (!sample) return drop_malformed(position, "is too short for the fields of its event");
  if (layout.has_time() && run_.options.wants_time(sample->time))
    times_.add({sample->time, sample->time});
  Moment moment{run_.recording.ordered_by_time ? sample->time : 0, position};
  if (!run_.options.wants(*sample, moment, run_.names)) return drop(Dropped::kFiltered);

  chain_.read(*sample, cpu_mode_of(record), event);
  if (chain_.frames().empty()) return drop(Dropped::kNoAddress);
  if (chain_.is_deferred()) deferred_++;
  resolve(*sample, moment);
  table_.count({label_of(*sample, moment, event), stack_, 1, weight_of(*sample, event)});
  samples_.used++;
}

// Puts the places of the chain's addresses into stack_.
void Worker::resolve(const Sample& sample, Moment moment) {
  const MapTree::Root of_process = run_.places.state(sample.pid, moment);
  std::optional<MapTree::Root> of_kernel;
  stack_.clear();
  for (const Frame& frame : chain_.frames()) {
    MapTree::Root root = MapTree::kEmpty;
    if (frame.space == CodeSpace::kProcess) {
      root = of_process;
    } else if (frame.space == CodeSpace::kKernel) {
      if (!of_kernel) of_kernel = run_.places.state(kKernelPid, moment);
      root = *of_kernel;
    }
    stack_.push_back(cache_.get(root, frame.address, [&] {
      return table_.add_place(run_.places.find(root, frame.address));
    }));
  }
}

uint32_t Worker::label_of(const Sample& sample, Moment moment, const EventAttr& event) const {
  if (sample.tid == 0 && (event.sample_type & kSampleTid) != 0) return run_.idle_label();
  return run_.names.find(sample.tid, moment);
}

void Worker::add(Worker& other) {
  table_.add(std::exchange(other.table_, {}));
  samples_.add(std::exchange(other.samples_, {}));
  malformed_.add(std::exchange(other.malformed_, {}));
  times_.add(std::exchange(other.times_, {}));
  deferred_ += std::exchange(other.deferred_, 0);
}

// Adds all up in the first: pairs of workers, on all cores, then pairs of those.
void add_up(std::vector<Worker>& workers, unsigned jobs) {
  for (size_t step = 1; step < workers.size(); step *= 2)
    parallel_for((workers.size() - step + 2 * step - 1) / (2 * step), jobs, [&](size_t pair) {
      workers[2 * step * pair].add(workers[2 * step * pair + step]);
    });
}

int64_t to_value(uint64_t count) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::min(count, kMax));
}

// Makes the profile of what was counted.
class ProfileBuilder {
 public:
  ProfileBuilder(const Run& run, const StackTable& table) : run_(run), table_(table) {
    for (const CodePlace& place : table.places()) pieces_.push_back(run.places.piece_of(place));
  }

  StackProfile build(const TimeSpan& times) {
    put_types();
    put_times(times);
    put_main_mapping();
    for (size_t i = 0; i < table_.places().size(); i++) put_location(i);
    for (size_t i = 0; i < table_.size(); i++) put_sample(table_[i]);
    profile_.normalize();
    return std::move(profile_);
  }

 private:
  void put_types();
  void put_times(const TimeSpan& times);
  std::vector<uint64_t> weights_of_files() const;
  void put_main_mapping();
  void put_location(size_t place);
  MappingId mapping_of(size_t piece);
  LabelsId labels_of(uint32_t label);
  void put_sample(const StackTable::Row& row);

  const Run& run_;
  const StackTable& table_;
  std::vector<std::optional<size_t>> pieces_;  // of each place
  StackProfile profile_;
  std::vector<MappingId> mappings_ =
      std::vector<MappingId>(run_.places.pieces().size(), kNoMapping);  // of each piece, once put
  std::vector<std::optional<LabelsId>> labels_ =
      std::vector<std::optional<LabelsId>>(run_.names.texts().size() + 1);
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
  for (size_t i = 0; i < run_.chosen_events.size(); i++) {
    if (!run_.chosen_events[i]) continue;
    const EventAttr& event = run_.recording.events[i];
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

void ProfileBuilder::put_times(const TimeSpan& times) {
  if (times.empty()) return;
  profile_.duration = to_value(times.last - times.first);
  if (!run_.recording.clock) return;
  __extension__ using Wide = __int128;
  const ClockReference& clock = *run_.recording.clock;
  Wide begin = Wide{times.first} - clock.record_time + clock.wall_time;
  if (begin > 0 && begin <= std::numeric_limits<int64_t>::max())
    profile_.time = static_cast<int64_t>(begin);
}

// Of all stacks that are in a file anywhere.
std::vector<uint64_t> ProfileBuilder::weights_of_files() const {
  std::vector<uint64_t> weights(run_.places.files().size());
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
      uint32_t number = run_.places.pieces()[piece].file;
      const CodeFile& file = run_.places.files()[number];
      return std::tuple(file.is_program, file.kind == Dropped::kOtherBinary, weights[number]);
    };
    auto name = [&](size_t piece) {
      const CodeFile& file = run_.places.files()[run_.places.pieces()[piece].file];
      return std::tie(file.path, file.id);
    };
    if (key(a) != key(b)) return key(a) > key(b);
    if (name(a) != name(b)) return name(a) < name(b);
    return run_.places.pieces()[a].begin_offset < run_.places.pieces()[b].begin_offset;
  };
  std::optional<size_t> main;
  for (const std::optional<size_t>& piece : pieces_)
    if (piece && (!main || (*piece != *main && is_more_main(*piece, *main)))) main = piece;
  if (main) mapping_of(*main);
}

MappingId ProfileBuilder::mapping_of(size_t piece) {
  MappingId& id = mappings_[piece];
  if (id != kNoMapping) return id;
  const CodePiece& code = run_.places.pieces()[piece];
  const CodeFile& file = run_.places.files()[code.file];
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
    location.address = run_.places.pieces()[*piece].address(place);
  }
  profile_.add_location(location, {});
}

LabelsId ProfileBuilder::labels_of(uint32_t label) {
  std::optional<LabelsId>& id = labels_[label];
  if (id) return *id;
  std::string_view text = run_.text_of(label);
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

void warn_of_missing_callers(const Recording& recording, const std::vector<bool>& chosen,
                             uint64_t deferred, Diagnostics& diagnostics) {
  for (size_t i = 0; i < chosen.size(); i++)
    if (chosen[i] && recording.event_samples[i] != 0 &&
        (recording.events[i].sample_type & kSampleStackUser) != 0)
      diagnostics.warn("stack-copies",
                       recording.path + ": event '" + recording.events[i].name +
                           "' has copies of stacks (perf record --call-graph dwarf), which are not "
                           "unwound: callers in processes are missing. --call-graph fp or lbr "
                           "records them",
                       recording.event_samples[i]);
  if (deferred != 0)
    diagnostics.warn("deferred-callers",
                     recording.path +
                         ": callers in processes are missing where perf recorded them later than "
                         "their samples (perf record --call-graph fp,defer); record without defer",
                     deferred);
}

}  // namespace

Result<RecordedStacks> read_stacks(const Recording& recording, const StackOptions& options) {
  RecordedStacks stacks;
  PGO_TRY(std::vector<bool> chosen,
          choose_cost_events(recording, options.events, stacks.diagnostics));
  for (size_t i = 0; i < chosen.size(); i++)
    stacks.of_branches |= chosen[i] && counts_branches(recording.events[i]);

  // Count, on all cores.
  const CodePlaces places(recording);
  const ThreadNames names(recording);
  const Run run{recording, options, places, names, chosen};
  std::vector<Worker> workers;
  for (size_t i = workers_for(recording, options.jobs); i > 0; i--) workers.emplace_back(run);
  read_blocks(recording, options.progress, workers);

  // Add up.
  add_up(workers, options.jobs);
  const Worker& all = workers[0];
  stacks.profile = ProfileBuilder(run, all.table()).build(all.times());
  stacks.samples = all.samples();
  stacks.lost = recording.lost;
  all.malformed().warn(recording.path, stacks.diagnostics);
  warn_of_missing_callers(recording, chosen, all.deferred(), stacks.diagnostics);
  stacks.diagnostics.add(recording.diagnostics);
  return stacks;
}

}  // namespace pgo::perf_data

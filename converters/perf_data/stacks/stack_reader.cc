#include "converters/perf_data/stacks/stack_reader.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "converters/perf_data/block_reader.h"
#include "converters/perf_data/event_choice.h"
#include "converters/perf_data/malformed_sample.h"
#include "converters/perf_data/stacks/call_chain.h"
#include "converters/perf_data/stacks/place_cache.h"
#include "converters/perf_data/stacks/profile_builder.h"

namespace pgo::perf_data {
namespace {

// What all threads of a run share; nothing of it changes while they run.
struct Run {
  const Recording& recording;
  const StackOptions& options;
  const CodePlaces& places;
  const ThreadNames& names;
  std::vector<bool> chosen_events;
  std::vector<bool> window_events;  // those whose branch stacks are counted
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
  const std::optional<BranchWindows>& windows() const { return windows_; }

 private:
  void read_sample(Bytes record, uint64_t position);
  void drop(Dropped reason) { samples_[reason]++; }
  void drop_malformed(uint64_t position, const char* reason) {
    drop(Dropped::kMalformed);
    malformed_.add(position, reason);
  }
  void resolve(MapTree::Root of_process, Moment moment);
  void add_window(const Sample& sample, uint64_t weight, MapTree::Root of_process);

  const Run& run_;
  StackTable table_;
  PlaceCache cache_;
  CallChain chain_;
  std::vector<StackTable::PlaceId> stack_;  // of the sample at hand
  Accounting samples_;
  MalformedSamples malformed_;
  TimeSpan times_;
  uint64_t deferred_ = 0;  // samples whose callers are partly in records of their own
  std::optional<BranchWindows> windows_;  // once there is one
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
  if (!run_.options.wants(*sample, moment, event, run_.names)) return drop(Dropped::kFiltered);

  chain_.read(*sample, cpu_mode_of(record), event);
  if (chain_.frames().empty()) return drop(Dropped::kNoAddress);
  if (chain_.is_deferred()) deferred_++;
  const MapTree::Root of_process = run_.places.state(sample->pid, moment);
  resolve(of_process, moment);
  const uint64_t weight = weight_of(*sample, event);
  table_.count({run_.names.find(*sample, moment, event), stack_, 1, weight});
  if (run_.window_events[*number]) add_window(*sample, weight, of_process);
  samples_.used++;
}

// Puts the places of the chain's addresses into stack_.
void Worker::resolve(MapTree::Root of_process, Moment moment) {
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

void Worker::add_window(const Sample& sample, uint64_t weight, MapTree::Root of_process) {
  if (!windows_) windows_.emplace();
  windows_->add(sample, weight, chain_.frames()[0].space, run_.places, of_process);
}

void Worker::add(Worker& other) {
  table_.add(std::exchange(other.table_, {}));
  samples_.add(std::exchange(other.samples_, {}));
  malformed_.add(std::exchange(other.malformed_, {}));
  times_.add(std::exchange(other.times_, {}));
  deferred_ += std::exchange(other.deferred_, 0);
  std::optional<BranchWindows> windows = std::exchange(other.windows_, std::nullopt);
  if (!windows_)
    windows_ = std::move(windows);
  else if (windows)
    windows_->add(*windows);
}

// Adds all up in the first: pairs of workers, on all cores, then pairs of those.
void add_up(std::vector<Worker>& workers, unsigned jobs) {
  for (size_t step = 1; step < workers.size(); step *= 2)
    parallel_for((workers.size() - step + 2 * step - 1) / (2 * step), jobs, [&](size_t pair) {
      workers[2 * step * pair].add(workers[2 * step * pair + step]);
    });
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
  std::vector<bool> window_events(chosen.size());
  for (size_t i = 0; options.counts_branches && i < chosen.size(); i++)
    window_events[i] = chosen[i] && has_branch_windows(recording.events[i]);
  const Run run{recording, options, places, names, chosen, window_events};
  std::vector<Worker> workers;
  for (size_t i = workers_for(recording, options.jobs); i > 0; i--) workers.emplace_back(run);
  read_blocks(recording, options.progress, workers);

  // Add up.
  add_up(workers, options.jobs);
  const Worker& all = workers[0];
  std::vector<std::string_view> labels(names.texts().begin(), names.texts().end());
  stacks.profile =
      build_profile({recording, chosen, places, all.table(), std::move(labels), all.times()});
  if (all.windows()) stacks.branches = all.windows()->finish(recording, chosen, places);
  stacks.samples = all.samples();
  stacks.lost = recording.lost;
  all.malformed().warn(recording.path, stacks.diagnostics);
  warn_of_missing_callers(recording, chosen, all.deferred(), stacks.diagnostics);
  stacks.diagnostics.add(recording.diagnostics);
  return stacks;
}

}  // namespace pgo::perf_data

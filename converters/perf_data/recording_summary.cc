#include "converters/perf_data/recording_summary.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "converters/perf_data/cpu_mode.h"
#include "pgo/base/parallel.h"

namespace pgo::perf_data {
namespace {

// What one thread has counted.
class Count {
 public:
  Count(const Recording& recording, const AddressSpaces& spaces, size_t files, bool in_time_order)
      : recording_(recording),
        spaces_(spaces),
        in_time_order_(in_time_order),
        events_(recording.events.size()),
        files_(files) {}

  void read(Bytes records, uint64_t position) {
    for_each_record(records, [&](RecordHeader header, Bytes record, size_t offset) {
      records_++;
      if (header.type == kSample) read_sample(record, position + offset);
    });
  }

  void add_to(RecordingSummary& summary, std::vector<uint64_t>& files,
              std::unordered_map<uint32_t, uint64_t>& processes) const {
    summary.records += records_;
    summary.samples.add(samples_);
    for (size_t i = 0; i < events_.size(); i++) {
      summary.events[i].samples += events_[i].samples;
      summary.events[i].with_branches += events_[i].with_branches;
      summary.events[i].branch_records += events_[i].branch_records;
    }
    for (size_t i = 0; i < files_.size(); i++) files[i] += files_[i];
    for (const auto& [pid, count] : processes_) processes[pid] += count;
    if (!time_) return;
    if (!summary.time) summary.time = time_;
    summary.time->first = std::min(summary.time->first, time_->first);
    summary.time->second = std::max(summary.time->second, time_->second);
  }

 private:
  void read_sample(Bytes record, uint64_t position) {
    samples_.seen++;
    std::optional<size_t> event = recording_.event_of_sample(record);
    std::optional<Sample> sample =
        event ? recording_.layouts[*event].parse(record) : std::optional<Sample>();
    if (!event || !sample) {
      samples_[Dropped::kMalformed]++;
      return;
    }
    RecordingSummary::Event& counts = events_[*event];
    counts.samples++;
    if (recording_.events[*event].has_branch_stacks() && sample->branch_count != 0) {
      counts.with_branches++;
      counts.branch_records += sample->branch_count;
    }
    processes_[sample->pid]++;
    if (recording_.layouts[*event].has_time()) {
      if (!time_) time_ = {sample->time, sample->time};
      time_->first = std::min(time_->first, sample->time);
      time_->second = std::max(time_->second, sample->time);
    }
    place(*sample, *event, {in_time_order_ ? sample->time : 0, position},
          reason_for_unmapped(record));
  }

  void place(const Sample& sample, size_t event, Moment moment, Dropped unmapped) {
    bool has_ip = (recording_.events[event].sample_type & kSampleIp) != 0;
    if (!has_ip && sample.branch_count == 0) {
      samples_[Dropped::kNoBranches]++;
      return;
    }
    RuntimeAddr addr = has_ip ? sample.ip : RuntimeAddr{load_le<uint64_t>(sample.branches)};
    if (addr >= kKernelBegin) {
      samples_[Dropped::kKernel]++;
      return;
    }
    const MapPiece* piece = spaces_.maps().find(spaces_.state(sample.pid, moment), addr);
    if (piece != nullptr && piece->binary != MapPiece::kNoBinary) {
      samples_.used++;
      files_[piece->binary]++;
    } else {
      samples_[piece != nullptr ? piece->outside : unmapped]++;
    }
  }

  const Recording& recording_;
  const AddressSpaces& spaces_;
  bool in_time_order_;
  uint64_t records_ = 0;
  Accounting samples_;
  std::vector<RecordingSummary::Event> events_;
  std::vector<uint64_t> files_;
  std::unordered_map<uint32_t, uint64_t> processes_;
  std::optional<std::pair<uint64_t, uint64_t>> time_;
};

// The name that each process had at last; a child begins with its parent's.
std::unordered_map<uint32_t, std::string> process_names(const Recording& recording) {
  std::unordered_map<uint32_t, std::string> names;
  for (const ProcessEvent& event : recording.process_events) {
    if (event.kind == ProcessEvent::Kind::kFork && event.pid != event.parent_pid) {
      auto parent = names.find(event.parent_pid);
      if (parent != names.end()) names[event.pid] = std::string(parent->second);
    } else if ((event.kind == ProcessEvent::Kind::kComm ||
                event.kind == ProcessEvent::Kind::kExec) &&
               event.pid == event.tid) {
      names[event.pid] = event.name;
    }
  }
  return names;
}

void read_all(const Recording& recording, std::vector<Count>& counts) {
  if (recording.compressed) {
    RecordStream stream(recording.data, recording.block_size);
    while (std::optional<RecordBlock> block = stream.next())
      counts[0].read(block->records, block->position);
    return;
  }
  parallel_for(counts.size(), static_cast<unsigned>(counts.size()), [&](size_t i) {
    for (size_t block = i; block < recording.blocks.size(); block += counts.size())
      counts[i].read(recording.blocks[block], recording.block_positions[block]);
  });
}

}  // namespace

RecordingSummary summarize_recording(const Recording& recording, unsigned jobs) {
  std::vector<RecordedFile> files;
  AddressSpaces spaces = AddressSpaces::of_recorded_files(recording, files);
  size_t threads =
      recording.compressed ? 1 : std::min<size_t>(resolve_jobs(jobs), recording.blocks.size());
  std::vector<Count> counts(std::max<size_t>(threads, 1),
                            Count(recording, spaces, files.size(), recording.ordered_by_time));
  read_all(recording, counts);

  RecordingSummary summary;
  summary.events.resize(recording.events.size());
  std::vector<uint64_t> file_samples(files.size());
  std::unordered_map<uint32_t, uint64_t> process_samples;
  for (const Count& count : counts) count.add_to(summary, file_samples, process_samples);
  for (const RecordingSummary::Event& event : summary.events) {
    summary.with_branches += event.with_branches;
    summary.branch_records += event.branch_records;
  }
  for (size_t i = 0; i < files.size(); i++)
    if (file_samples[i] != 0) summary.files.push_back({files[i], file_samples[i]});
  std::unordered_map<uint32_t, std::string> names = process_names(recording);
  for (const auto& [pid, samples] : process_samples)
    summary.processes.push_back({pid, names[pid], samples});
  std::sort(summary.files.begin(), summary.files.end(), [](const auto& a, const auto& b) {
    return a.samples != b.samples
               ? a.samples > b.samples
               : std::tie(a.file.path, a.file.id) < std::tie(b.file.path, b.file.id);
  });
  std::sort(summary.processes.begin(), summary.processes.end(), [](const auto& a, const auto& b) {
    return a.samples != b.samples ? a.samples > b.samples : a.pid < b.pid;
  });
  return summary;
}

}  // namespace pgo::perf_data

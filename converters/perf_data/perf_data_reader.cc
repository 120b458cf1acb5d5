#include "converters/perf_data/perf_data_reader.h"

#include <limits>
#include <map>

#include "converters/perf_data/address_space.h"
#include "converters/perf_data/block_reader.h"
#include "converters/perf_data/branch_stack.h"
#include "converters/perf_data/cpu_mode.h"
#include "converters/perf_data/event_choice.h"
#include "converters/perf_data/llvm_profgen.h"
#include "converters/perf_data/malformed_sample.h"
#include "pgo/elf/image_match.h"
#include "pgo/profile/quality.h"

namespace pgo::perf_data {
namespace {

// What all threads of a run share; nothing of it changes while they run.
struct Run {
  const Recording& recording;
  const std::vector<TargetBinary>& binaries;
  std::vector<const CodeMap*> codes;
  const ReadOptions& options;
  const AddressSpaces& spaces;
  const ThreadNames& names;
  std::vector<bool> chosen_events;
};

// What one thread has counted.
class Worker {
 public:
  explicit Worker(const Run& run)
      : run_(run),
        stacks_(run.spaces.maps(), run.codes),
        event_samples_(run.recording.events.size()),
        event_has_records_(run.recording.events.size()),
        other_samples_(run.spaces.other_files().size()) {}

  void read(Bytes records, uint64_t position) {
    for_each_record(records, [&](RecordHeader header, Bytes record, size_t offset) {
      if (header.type == kSample) read_sample(record, position + offset);
    });
  }

  void finish() { stacks_.finish(); }
  void add_to(AddressProfile& profile) const;
  const MalformedSamples& malformed() const { return malformed_; }
  const std::vector<uint64_t>& event_samples() const { return event_samples_; }
  bool has_records(size_t event) const { return event_has_records_[event]; }
  const std::vector<uint64_t>& other_samples() const { return other_samples_; }

 private:
  struct PcCount {
    uint64_t samples = 0, weight = 0;
  };

  void read_sample(Bytes record, uint64_t position);
  void drop(Dropped reason) { samples_[reason]++; }
  void drop_malformed(uint64_t position, const char* reason) {
    drop(Dropped::kMalformed);
    malformed_.add(position, reason);
  }
  // A sample of `record` whose address, or whole branch stack, is not used.
  void drop_placed(Dropped reason, Bytes record) {
    drop(reason == Dropped::kUnmapped ? reason_for_unmapped(record) : reason);
  }
  void count_other(const Sample& sample, MapTree::Root root);
  void read_pc(const Sample& sample, MapTree::Root root, size_t event, Bytes record);
  ElfAddr addr(uint32_t binary, uint32_t index) const {
    return run_.codes[binary]->begin() + index;
  }

  const Run& run_;
  BranchStackReader stacks_;
  // By binary and offset into its code.
  std::map<std::pair<uint32_t, uint32_t>, PcCount> pc_samples_;
  std::vector<uint64_t> event_samples_;
  std::vector<bool> event_has_records_;
  std::vector<uint64_t> other_samples_;  // by MapPiece::file
  Accounting samples_;
  MalformedSamples malformed_;
};

void Worker::read_sample(Bytes record, uint64_t position) {
  samples_.seen++;
  std::optional<size_t> event = run_.recording.event_of_sample(record);
  if (!event) return drop_malformed(position, "does not name an event of the recording");
  event_samples_[*event]++;
  if (!run_.chosen_events[*event]) return drop(Dropped::kOtherEvent);
  std::optional<Sample> sample = run_.recording.layouts[*event].parse(record);
  if (!sample) return drop_malformed(position, "is too short for the fields of its event");
  Moment moment{run_.recording.ordered_by_time ? sample->time : 0, position};
  if (!run_.options.wants(*sample, moment, run_.recording.events[*event], run_.names))
    return drop(Dropped::kFiltered);

  MapTree::Root root = run_.spaces.state(sample->pid, moment);
  count_other(*sample, root);
  const EventAttr& attr = run_.recording.events[*event];
  if (!attr.has_branch_stacks()) return read_pc(*sample, root, *event, record);
  // Of a recording by single steps, that is where no burst began.
  if (sample->branch_count == 0 && attr.name == kSteppedEvent)
    return read_pc(*sample, root, *event, record);
  if (sample->branch_count == 0) return drop(Dropped::kNoBranches);
  event_has_records_[*event] = true;
  if (stacks_.read(*sample, root))
    samples_.used++;
  else
    drop_placed(stacks_.last_drop(), record);
}

// Where the sample was taken, whatever counts of its branch stack.
void Worker::count_other(const Sample& sample, MapTree::Root root) {
  if (other_samples_.empty() || sample.ip >= kKernelBegin) return;
  BranchStackReader::Place place = stacks_.place(sample.ip, root);
  if (place.inside() || place.outside != Dropped::kOtherBinary) return;
  const MapPiece* piece = run_.spaces.maps().find(root, sample.ip);
  if (piece != nullptr && piece->file != MapPiece::kNoFile) other_samples_[piece->file]++;
}

void Worker::read_pc(const Sample& sample, MapTree::Root root, size_t event, Bytes record) {
  uint64_t weight = weight_of(sample, run_.recording.events[event]);
  BranchStackReader::Place place = stacks_.place(sample.ip, root);
  if (!place.inside()) return drop_placed(place.outside, record);
  PcCount& count = pc_samples_[{place.binary, place.index}];
  count.samples++;
  count.weight = saturating_add(count.weight, weight);
  samples_.pending++;
}

void Worker::add_to(AddressProfile& profile) const {
  auto maybe_addr = [&](uint32_t binary, uint32_t index) {
    return index == TraceKey::kNothing ? OptElfAddr() : OptElfAddr(addr(binary, index));
  };
  for (const TraceTable::Slot& slot : stacks_.traces().slots()) {
    if (slot.count == 0) continue;
    const TraceKey& key = slot.key;
    uint32_t binary = key.binary();
    profile.binaries[binary].traces.push_back(
        {maybe_addr(binary, key.from), maybe_addr(binary, key.to), maybe_addr(binary, key.last),
         key.reading(), slot.count});
  }
  for (const TraceTable::Slot& slot : stacks_.mispredicts().slots()) {
    if (slot.count == 0) continue;
    uint32_t binary = slot.key.binary();
    profile.binaries[binary].mispredicts.push_back(
        {maybe_addr(binary, slot.key.from), maybe_addr(binary, slot.key.to), slot.count});
  }
  for (const auto& [place, count] : pc_samples_)
    profile.binaries[place.first].pc_samples.push_back(
        {addr(place.first, place.second), count.samples, count.weight});
  profile.samples.add(samples_);
  profile.branches.add(stacks_.branches());
}

// Whichever side lacks the build ID.
std::string describe_name_match(const Recording& recording, const ElfImage& image) {
  if (image.build_id().empty())
    return recording.path + ": " + image.path() +
           " has no build ID and was matched by its file name; link it with -Wl,--build-id";
  return recording.path + ": has no build ID for " + image.path() +
         ", which was matched by its file name";
}

// Costs of instructions, by which counts are inferred, are known of the clock only.
std::string describe_precision(const EventAttr& event) {
  return "samples of " + event.name +
         " name the instruction that took the time; inference expects the instruction after it, "
         "which samples of a timer name (perf record -e cpu-clock:u). How much this loses was not "
         "measured";
}

std::string describe_call_stacks(const Recording& recording, const EventAttr& event) {
  return recording.path + ": event '" + event.name +
         "' has LBR call stacks (perf record --call-graph lbr), which are not branch records (perf "
         "record -b): its samples are used as PC samples";
}

// When its samples were taken, if it has the times of the samples and of the day.
std::optional<Origins::Window> window_of(const Recording& recording) {
  if (!recording.clock || !recording.sample_times) return std::nullopt;
  __extension__ using Wide = __int128;
  const Wide offset = Wide{recording.clock->wall_time} - recording.clock->record_time;
  const Wide begin = offset + recording.sample_times->first,
             end = offset + recording.sample_times->second + 1;
  if (begin <= 0 || end > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return Origins::Window{static_cast<int64_t>(begin), static_cast<int64_t>(end)};
}

}  // namespace

Result<AddressProfile> read_samples(const Recording& recording,
                                    const std::vector<TargetBinary>& binaries,
                                    const ReadOptions& options) {
  std::vector<OtherFile> others;
  return read_samples(recording, binaries, options, others);
}

Result<AddressProfile> read_samples(const Recording& recording,
                                    const std::vector<TargetBinary>& binaries,
                                    const ReadOptions& options, std::vector<OtherFile>& others) {
  // Choose the samples.
  bool like_llvm_profgen = options.compatibility == Compatibility::kLlvmProfgen;
  AddressProfile profile;
  PGO_TRY(std::vector<bool> chosen_events,
          like_llvm_profgen && options.events.empty()
              ? all_events_as_llvm_profgen(recording)
              : choose_events(recording, options.events, profile.diagnostics));

  // Build every process's address space over time.
  std::vector<const ElfImage*> images;
  std::vector<const CodeMap*> codes;
  for (const TargetBinary& binary : binaries) {
    images.push_back(binary.image);
    codes.push_back(binary.code);
  }
  PGO_TRY(AddressSpaces spaces,
          like_llvm_profgen ? AddressSpaces::as_llvm_profgen(recording, *images.at(0), options.pids)
                            : Result<AddressSpaces>(AddressSpaces(recording, images)));
  // Without --comm nobody asks, and they take as much memory as the recording's process events.
  ThreadNames names = options.comm.empty() ? ThreadNames() : ThreadNames(recording);
  Run run{recording, binaries, codes, options, spaces, names, chosen_events};
  if (like_llvm_profgen) PGO_CHECK(check_layout_as_llvm_profgen(recording, spaces));

  // Count, on all cores.
  std::vector<Worker> workers;
  for (size_t i = workers_for(recording, options.jobs); i > 0; i--) workers.emplace_back(run);
  read_blocks(recording, options.progress, workers);

  // Add up.
  for (const TargetBinary& binary : binaries)
    profile.binaries.push_back({binary.image->build_id(), binary.image->path(), {}, {}, {}, {}});
  MalformedSamples malformed;
  for (const Worker& worker : workers) {
    worker.add_to(profile);
    malformed.add(worker.malformed());
  }
  malformed.warn(recording.path, profile.diagnostics);
  for (size_t i = 0; i < recording.events.size(); i++) {
    uint64_t samples = 0;
    BranchRecords records = BranchRecords::kNone;
    for (const Worker& worker : workers) {
      samples += worker.event_samples()[i];
      if (worker.has_records(i)) records = BranchRecords::kSome;
    }
    const EventAttr& event = recording.events[i];
    if (!chosen_events[i]) continue;
    profile.events.push_back(
        {event.name, samples, event.period_or_frequency, event.is_frequency(), records});
    if (samples != 0 && event.is_precise() && !event.has_branch_stacks())
      profile.diagnostics.warn("precise-event", describe_precision(event));
    if (samples != 0 && event.has_lbr_call_stacks())
      profile.diagnostics.warn("lbr-call-stacks", describe_call_stacks(recording, event));
  }
  for (size_t i = 0; i < spaces.other_files().size(); i++) {
    uint64_t samples = 0;
    for (const Worker& worker : workers) samples += worker.other_samples()[i];
    if (samples != 0) others.push_back({spaces.other_files()[i], samples});
  }
  profile.lost = recording.lost;
  profile.origins = Origins::of({}, window_of(recording));
  profile.diagnostics.add(recording.diagnostics);
  profile.diagnostics.add(spaces.diagnostics());
  for (size_t i = 0; i < images.size(); i++)
    if (const BinaryMatch& match = spaces.matches()[i];
        match.by_name && !match.by_build_id && !like_llvm_profgen)
      profile.diagnostics.warn(kMatchedByName, describe_name_match(recording, *images[i]));
  profile.normalize(options.jobs);
  return profile;
}

}  // namespace pgo::perf_data

#include "converters/perf_data/recording.h"

#include <algorithm>
#include <set>

#include "converters/perf_data/cpu_mode.h"
#include "pgo/profile/accounting.h"

namespace pgo::perf_data {
namespace {

constexpr uint64_t kMaxAttrSize = 4096;  // 136 today; far beyond it the header is garbage
constexpr size_t kMaxEventName = 1024;   // of each event that shares the name; the rest is cut off

Failure input_failure(const std::string& path, const std::string& what) {
  return fail(ErrorKind::kInput, path + ": " + what);
}

// Is this file, whose code ran in the kernel, the kernel itself? If not, it is a module.
bool is_kernel_image(std::string_view path) {
  return path.starts_with("[kernel.") || (!path.starts_with('[') && path.find(".ko") == path.npos);
}

// A build ID record, alone (HEADER_BUILD_ID) or as an item of the BUILD_ID feature:
//   header, i32 pid, u8 id[20], u8 size if misc says so, u8 pad[3], char path[]
void add_build_id(Bytes record, Recording& recording) {
  ByteCursor cursor(record);
  cursor.skip(4);
  uint16_t misc = cursor.u16();
  cursor.skip(6);
  Bytes id = cursor.take(20);
  size_t size = cursor.u8();
  cursor.skip(3);
  std::string path(until_nul(cursor.take(cursor.remaining())));
  if (!cursor.ok() || path.empty()) return;
  if ((misc & kMiscBuildIdSize) == 0 || size > id.size()) {
    // Without a size, a shorter id was padded with zeros. Linkers make ids of 20, 16 or 8 bytes,
    // whose own last bytes may be 0.
    auto is_padded_from = [&](size_t begin) {
      return std::all_of(id.begin() + static_cast<std::ptrdiff_t>(begin), id.end(),
                         [](uint8_t byte) { return byte == 0; });
    };
    size = is_padded_from(8) ? 8 : is_padded_from(16) ? 16 : id.size();
  }
  BuildId build_id(id.first(size));
  if (build_id.empty()) return;
  if (cpu_mode_of(record) == CpuMode::kKernel && is_kernel_image(path) &&
      (recording.kernel_build_id.empty() || path.starts_with('[')))
    recording.kernel_build_id = build_id;
  recording.kept_bytes += sizeof(std::pair<std::string, BuildId>) + path.size();
  auto [known, is_new] = recording.build_ids.emplace(std::move(path), build_id);
  if (is_new || known->second.empty() || known->second == build_id ||
      known->second.matches(build_id))
    return;
  // A build that was replaced while recording, or two containers: which mapping is of which build
  // is not known here.
  known->second = BuildId();
}

void add_build_ids(Bytes feature, Recording& recording) {
  while (feature.size() >= kRecordHeaderSize) {
    size_t size = load_header(feature.data()).size;
    if (size < kRecordHeaderSize || size > feature.size()) break;
    add_build_id(feature.first(size), recording);
    feature = feature.subspan(size);
  }
}

//   u32 events, u32 attr size, events x {attr, u32 ids, u32 length, char name[length], u64 ids[]}
void add_event_names(Bytes feature, Recording& recording) {
  ByteCursor cursor(feature);
  uint32_t events = cursor.u32(), attr_size = cursor.u32();
  for (uint32_t i = 0; i < events && cursor.ok(); i++) {
    cursor.skip(attr_size);
    uint32_t ids = cursor.u32();
    std::string_view name = until_nul(cursor.take(cursor.u32()));
    if (ids == 0 && cursor.ok() && !name.empty() && i < recording.events.size())
      recording.events[i].name = std::string(name.substr(0, kMaxEventName));
    for (uint32_t j = 0; j < ids && cursor.ok(); j++) {
      uint64_t id = cursor.u64();
      if (cursor.ok()) recording.name_event(id, name);
    }
  }
}

//   u32 length, char text[length]: padded with NULs
std::string read_description(Bytes feature) {
  ByteCursor cursor(feature);
  Bytes text = cursor.take(cursor.u32());
  return std::string(until_nul(text).substr(0, Recording::kMaxDescription));
}

//   u32 version, u32 clock id, u64 wall clock, u64 clock of the records: nanoseconds. (perf's
//   documentation has the last two the other way round.)
std::optional<ClockReference> read_clock(Bytes feature) {
  ByteCursor cursor(feature);
  uint32_t version = cursor.u32();
  cursor.skip(4);
  ClockReference clock;
  clock.wall_time = cursor.u64();
  clock.record_time = cursor.u64();
  return cursor.ok() && version == 1 ? std::optional(clock) : std::nullopt;
}

//   u64 time of the first sample, u64 time of the last
std::optional<std::pair<uint64_t, uint64_t>> read_sample_times(Bytes feature) {
  ByteCursor cursor(feature);
  const uint64_t first = cursor.u64(), last = cursor.u64();
  return cursor.ok() && first <= last ? std::optional(std::pair(first, last)) : std::nullopt;
}

void add_feature(uint64_t feature, Bytes contents, Recording& recording) {
  if (feature == kFeatureBuildId) add_build_ids(contents, recording);
  if (feature == kFeatureEventDesc) add_event_names(contents, recording);
  if (feature == kFeatureHostname) recording.hostname = read_description(contents);
  if (feature == kFeatureCpuDescription) recording.cpu_model = read_description(contents);
  if (feature == kFeatureClockData) recording.clock = read_clock(contents);
  if (feature == kFeatureSampleTime) recording.sample_times = read_sample_times(contents);
}

struct Section {
  uint64_t offset = 0, size = 0;
};

std::optional<Bytes> slice(Bytes bytes, Section section) {
  return pgo::slice(bytes, section.offset, section.size);
}

Section read_section(ByteCursor& cursor) {
  Section section;
  section.offset = cursor.u64();
  section.size = cursor.u64();
  return section;
}

Result<void> check_event_count(const Recording& recording) {
  if (recording.events.size() <= kMaxEvents) return ok();
  return input_failure(recording.path, "describes more than " + std::to_string(kMaxEvents) +
                                           " events: is it damaged?");
}

Result<void> read_attrs(Bytes bytes, Section section, uint64_t entry_size, Recording& recording) {
  std::optional<Bytes> attrs = slice(bytes, section);
  if (!attrs) return input_failure(recording.path, "the event attributes lie outside the file");
  if (entry_size < kAttrMinSize + 16 || entry_size > kMaxAttrSize)
    return input_failure(recording.path, "the size of an event attribute is " +
                                             std::to_string(entry_size) + ", expected 80 to 4096");
  uint64_t id_bytes = 0;
  for (; attrs->size() >= entry_size; attrs = attrs->subspan(static_cast<size_t>(entry_size))) {
    Bytes entry = attrs->first(static_cast<size_t>(entry_size));
    std::optional<EventAttr> attr = parse_attr(entry.first(entry.size() - 16));
    if (!attr) return input_failure(recording.path, "an event attribute has an impossible size");
    ByteCursor cursor(entry.last(16));
    std::optional<Bytes> ids = slice(bytes, read_section(cursor));
    if (!ids) return input_failure(recording.path, "the ids of an event lie outside the file");
    id_bytes += ids->size();
    if (id_bytes > bytes.size())
      return input_failure(recording.path, "its events share their ids: the header is damaged");
    for (size_t i = 0; i + 8 <= ids->size(); i += 8)
      attr->ids.push_back(load_le<uint64_t>(ids->data() + i));
    recording.add_event(std::move(*attr));
    PGO_CHECK(check_event_count(recording));
  }
  return ok();
}

// Once for each recording, however many of its parts are missing.
void warn_truncated(Recording& recording, const std::string& what) {
  if (recording.is_truncated) return;
  recording.is_truncated = true;
  recording.diagnostics.warn(Recording::kTruncated, recording.path + ": " + what);
}

// The {offset, size} of each feature whose bit is set, and what is there.
void read_features(Bytes bytes, Bytes table, const uint64_t (&bits)[4], Recording& recording) {
  ByteCursor cursor(table);
  for (uint32_t bit = 0; bit < 256; bit++) {
    if ((bits[bit / 64] >> (bit % 64) & 1) == 0) continue;
    Section section = read_section(cursor);
    std::optional<Bytes> contents = slice(bytes, section);
    if (cursor.ok() && contents)
      add_feature(bit, *contents, recording);
    else
      warn_truncated(recording,
                     "ends before its features; some build IDs and names are "
                     "missing");
  }
}

// File mode: header, attributes and features; sets recording.data.
Result<void> read_file_header(Bytes bytes, Recording& recording) {
  if (bytes.size() < kFileHeaderSize)
    return input_failure(recording.path, "the header is cut short: 104 bytes expected, found " +
                                             std::to_string(bytes.size()));
  ByteCursor cursor(bytes);
  cursor.skip(16);
  uint64_t entry_size = cursor.u64();
  Section attrs = read_section(cursor), data = read_section(cursor);
  read_section(cursor);
  uint64_t features[4];
  for (uint64_t& word : features) word = cursor.u64();

  if ((features[0] >> kFeatureDirFormat & 1) != 0)
    return fail(ErrorKind::kUnsupported,
                recording.path +
                    ": is part of a recording in directory format (perf record --threads), which "
                    "is not supported; record without --threads");
  PGO_CHECK(read_attrs(bytes, attrs, entry_size, recording));
  if (data.offset > bytes.size())
    return input_failure(recording.path, "the data starts at byte " + std::to_string(data.offset) +
                                             ", past the end of the file");
  std::optional<Bytes> whole = slice(bytes, data);
  recording.data = bytes.subspan(static_cast<size_t>(data.offset));
  if (!whole || data.size == 0) {
    warn_truncated(recording,
                   "perf did not finish this recording; its records are used, but build IDs and "
                   "names are missing");
    return ok();
  }
  recording.data = *whole;
  read_features(bytes, bytes.subspan(static_cast<size_t>(data.offset + data.size)), features,
                recording);
  return ok();
}

// HEADER_ATTR: perf_event_attr, u64 ids[]
void add_attr_record(Bytes record, Recording& recording) {
  Bytes body = record.subspan(kRecordHeaderSize);
  std::optional<EventAttr> attr = parse_attr(body);
  if (!attr) {
    recording.diagnostics.warn("bad-attribute",
                               recording.path + ": an event attribute is malformed");
    return;
  }
  uint32_t size = std::max<uint32_t>(load_le<uint32_t>(body.data() + 4), kAttrMinSize);
  for (size_t i = size; i + 8 <= body.size(); i += 8)
    attr->ids.push_back(load_le<uint64_t>(body.data() + i));
  recording.kept_bytes += sizeof(EventAttr) + sizeof(SampleLayout) + 8 * attr->ids.size();
  // One more than may be is found out after the block.
  if (recording.events.size() <= kMaxEvents) recording.add_event(std::move(*attr));
}

// What process events, build IDs and event attributes take, in bytes, at most; nothing is known
// that needs more. An event's time alone takes two bytes however well it is compressed.
uint64_t kept_limit(Bytes stored) {
  return (uint64_t{16} << 20) + saturating_multiply(64, stored.size());
}

// Compressed records can become thousands of times what they were.
Result<void> check_kept(const Recording& recording) {
  PGO_CHECK(check_event_count(recording));
  if (recording.kept_bytes <= kept_limit(recording.data)) return ok();
  return input_failure(recording.path, "its " + std::to_string(recording.data.size()) +
                                           " bytes of records inflate to more process events and "
                                           "build IDs than any recording has; is it damaged?");
}

// A record is of a moment; no kernel loses that many samples in one.
void add_lost(uint64_t count, Recording& recording) {
  constexpr uint64_t kMax = uint64_t{1} << 40;
  if (count <= kMax)
    recording.lost = saturating_add(recording.lost, count);
  else
    recording.diagnostics.warn("malformed-record", recording.path + ": a record of " +
                                                       std::to_string(count) +
                                                       " lost samples is damaged and is ignored");
}

// The contents of an EVENT_DESC feature that is a record; nothing of other records.
Bytes event_names_in(RecordHeader header, Bytes record) {
  constexpr size_t kContentsAt = kRecordHeaderSize + 8;
  bool is_of_names = header.type == kHeaderFeature && record.size() > kContentsAt &&
                     load_le<uint64_t>(record.data() + kRecordHeaderSize) == kFeatureEventDesc;
  return is_of_names ? record.subspan(kContentsAt) : Bytes();
}

// What one record of the first pass adds to the recording.
void add_record(RecordHeader header, Bytes record, uint64_t position, Recording& recording) {
  Bytes body = record.subspan(kRecordHeaderSize);
  switch (header.type) {
    case kSample:
      recording.sample_records++;
      if (auto event = recording.event_of_sample(record)) recording.event_samples.at(*event)++;
      return;
    case kMmap:
    case kMmap2:
    case kComm:
    case kFork: {
      std::optional<ProcessEvent> event;
      if (!recording.events.empty())
        event = parse_process_event(header, record,
                                    recording.layouts[recording.event_of_record(record)], position);
      if (event) {
        recording.kept_bytes += sizeof(ProcessEvent) + event->name.size();
        return recording.process_events.push_back(std::move(*event));
      }
      return recording.diagnostics.warn(
          "malformed-record", recording.path + ": a record of type " + std::to_string(header.type) +
                                  (recording.events.empty() ? " comes before any event"
                                                            : " is too short for its fields"));
    }
    case kLost:
      if (body.size() >= 16) add_lost(load_le<uint64_t>(body.data() + 8), recording);
      return;
    case kLostSamples:
      if (body.size() >= 8) add_lost(load_le<uint64_t>(body.data()), recording);
      return;
    case kHeaderAttr: return add_attr_record(record, recording);
    case kHeaderBuildId: return add_build_id(record, recording);
    case kHeaderFeature:
      if (body.size() >= 8) add_feature(load_le<uint64_t>(body.data()), body.subspan(8), recording);
      return;
    case kEventUpdate:
      // u64 what (2: the name), u64 event id, char name[]
      if (body.size() >= 16 && load_le<uint64_t>(body.data()) == 2)
        recording.name_event(load_le<uint64_t>(body.data() + 8), until_nul(body.subspan(16)));
      return;
    case kAuxtrace: recording.has_aux_data = true; return;
    default: return;  // of no use here; its size was enough to step over it
  }
}

// Where it matters: build IDs in the mappings themselves leave no question.
void warn_of_conflicting_build_ids(Recording& recording) {
  std::set<std::string> conflicting;
  for (const auto& [path, id] : recording.build_ids)
    if (id.empty()) conflicting.insert(path);
  if (conflicting.empty()) return;
  for (const ProcessEvent& event : recording.process_events)
    if (event.kind == ProcessEvent::Kind::kMap && event.build_id.empty() &&
        conflicting.erase(event.name) != 0)
      recording.diagnostics.warn("build-ids-of-one-path",
                                 recording.path + ": has build IDs of several files for " +
                                     event.name +
                                     ", so they are ignored for its mappings; perf record "
                                     "--buildid-mmap tells them apart");
}

}  // namespace

bool is_perf_data(Bytes bytes) {
  if (bytes.size() < kMagic.size()) return false;
  std::string_view magic = as_text(bytes.first(kMagic.size()));
  return magic == kMagic || magic == "2ELIFREP" || magic == "PERFFILE";
}

Result<Recording> scan_recording(Bytes bytes, const std::string& path,
                                 const std::function<void(uint64_t)>& progress, size_t block_size) {
  Recording recording;
  recording.path = path;
  recording.block_size = block_size;
  if (!is_perf_data(bytes)) return input_failure(path, "not a perf.data file");
  std::string_view magic = as_text(bytes.first(kMagic.size()));
  if (magic == "2ELIFREP")
    return fail(
        ErrorKind::kUnsupported,
        path +
            ": was recorded on a big-endian machine; only little-endian recordings are supported");
  if (magic == "PERFFILE")
    return fail(ErrorKind::kUnsupported,
                path + ": is of perf.data version 1 (before Linux 2.6.38), which is not supported");
  if (bytes.size() < kPipeHeaderSize)
    return input_failure(
        path, "the header is cut short: 16 bytes expected, found " + std::to_string(bytes.size()));
  uint64_t header_size = load_le<uint64_t>(bytes.data() + 8);
  recording.pipe_mode = header_size == kPipeHeaderSize;
  if (!recording.pipe_mode && header_size != kFileHeaderSize)
    return input_failure(path, "the header claims " + std::to_string(header_size) +
                                   " bytes; 104 (a file) or 16 (a pipe) expected");
  if (recording.pipe_mode)
    recording.data = bytes.subspan(kPipeHeaderSize);
  else
    PGO_CHECK(read_file_header(bytes, recording));

  RecordStream stream(recording.data, block_size);
  std::vector<uint8_t> event_names;  // of a pipe, which may have them before the events
  while (std::optional<RecordBlock> block = stream.next()) {
    for_each_record(block->records, [&](RecordHeader header, Bytes record, size_t offset) {
      add_record(header, record, block->position + offset, recording);
      if (Bytes names = event_names_in(header, record); !names.empty())
        event_names.assign(names.begin(), names.end());
    });
    PGO_CHECK(check_kept(recording));
    if (!stream.saw_compressed()) {
      recording.blocks.push_back(block->records);
      recording.block_positions.push_back(block->position);
    }
    if (progress) progress(block->position + block->records.size());
  }
  recording.compressed = stream.saw_compressed();
  if (recording.compressed) recording.blocks.clear();
  if (!stream.problem().empty())
    warn_truncated(recording, stream.problem() + "; the records before it are used");
  if (recording.events.empty())
    return input_failure(path, "describes no event: was it cut short while perf wrote its header?");
  add_event_names(event_names, recording);
  warn_of_conflicting_build_ids(recording);
  recording.ordered_by_time =
      std::all_of(recording.events.begin(), recording.events.end(), [](const EventAttr& event) {
        return event.sample_id_all() && (event.sample_type & kSampleTime) != 0;
      });
  if (!recording.ordered_by_time)
    for (ProcessEvent& event : recording.process_events) event.moment.time = 0;
  std::stable_sort(recording.process_events.begin(), recording.process_events.end(),
                   [](const auto& a, const auto& b) { return a.moment < b.moment; });
  return recording;
}

void Recording::add_event(EventAttr event) {
  size_t number = events.size();
  if (event.name.empty()) event.name = made_up_name(event);
  for (uint64_t id : event.ids) event_by_id_.emplace(id, number);
  const SampleLayout& layout = layouts.emplace_back(event);
  events.push_back(std::move(event));
  event_samples.push_back(0);
  if (number == 0) {
    id_offset_ = layout.id_offset();
    trailer_id_offset_ = layout.trailer_id_offset();
  }
  if (layout.id_offset() != id_offset_) id_offset_ = std::nullopt;
  if (layout.trailer_id_offset() != trailer_id_offset_) trailer_id_offset_ = std::nullopt;
}

void Recording::name_event(uint64_t id, std::string_view name) {
  auto found = event_by_id_.find(id);
  if (found != event_by_id_.end() && !name.empty())
    events[found->second].name = std::string(name.substr(0, kMaxEventName));
}

std::optional<size_t> Recording::event_of_sample(Bytes record) const {
  if (events.size() == 1) return size_t{0};
  if (!id_offset_ || record.size() < *id_offset_ + 8) return std::nullopt;
  uint64_t id = load_le<uint64_t>(record.data() + *id_offset_);
  auto found = event_by_id_.find(id);
  if (found != event_by_id_.end()) return found->second;
  // Records that tools have added carry no id; perf counts them for the first event.
  return id == 0 ? std::optional<size_t>(0) : std::nullopt;
}

size_t Recording::event_of_record(Bytes record) const {
  if (!trailer_id_offset_ || record.size() < *trailer_id_offset_ + kRecordHeaderSize) return 0;
  auto found =
      event_by_id_.find(load_le<uint64_t>(record.data() + record.size() - *trailer_id_offset_));
  return found == event_by_id_.end() ? 0 : found->second;
}

BuildId Recording::build_id_of(const ProcessEvent& map) const {
  if (!map.build_id.empty()) return map.build_id;
  auto found = build_ids.find(map.name);
  return found == build_ids.end() ? BuildId() : found->second;
}

}  // namespace pgo::perf_data

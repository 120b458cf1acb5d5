// Merges parts (their layout: plugin/recording_state.h) with a heap of the parts' next times. Runs
// of records from one part, which are long unless processes take turns, go to the sink in one
// piece.
//
// A part that is still being written is read as far as its header says at the start; the recorder
// raises that number after it has written a record.
#include "pgo/record/part_assembly.h"

#include <algorithm>
#include <cstring>
#include <queue>
#include <set>
#include <tuple>

#include "pgo/base/perf_data_layout.h"
#include "pgo/base/text_bytes.h"
#include "pgo/record/plugin/recording_state.h"
#include "pgo/record/plugin_notes.h"

namespace pgo {
namespace {

using namespace perf_data;

// What the recorder writes of what the layout leaves open.
constexpr size_t kAttrSize = 128;
constexpr size_t kAttrEntrySize = kAttrSize + 16;
constexpr size_t kSampleTimeAt = 24;  // header, ip, pid and tid

struct KnownBuildId {
  std::string path;
  std::vector<uint8_t> id;

  auto operator<=>(const KnownBuildId&) const = default;
};

// Little-endian fields, appended.
class FieldWriter {
 public:
  template <typename T>
  void put(T value) {
    put_bytes({reinterpret_cast<const uint8_t*>(&value), sizeof value});
  }
  void put_bytes(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  // A length, then the text and its NUL, padded with zeros to a multiple of 64 bytes.
  void put_string(std::string_view text) {
    put(static_cast<uint32_t>(padded_size(text)));
    put_padded(text);
  }
  void put_padded(std::string_view text) {
    size_t end = bytes_.size() + padded_size(text);
    put_bytes(as_bytes(text));
    bytes_.resize(end);
  }
  static size_t padded_size(std::string_view text) { return (text.size() + 64) / 64 * 64; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// The records of one part, from the next one on.
struct PartReader {
  size_t number = 0;
  Bytes records;
  size_t position = 0;
  size_t size = 0;    // of the next record
  uint64_t time = 0;  // of the next record

  bool at_end() const { return position == records.size(); }
  Bytes record() const { return records.subspan(position, size); }

  // Finds size and time of the record at `position`.
  Result<void> look() {
    if (at_end()) return ok();
    Bytes rest = records.subspan(position);
    size = rest.size() < kRecordHeaderSize ? 0 : load_le<uint16_t>(rest.data() + 6);
    if (size < kSampleTimeAt + 8 || size > rest.size()) {
      return fail(ErrorKind::kInternal, "part " + std::to_string(number) + ": no record at byte " +
                                            std::to_string(position) + " of its data");
    }
    bool is_sample = load_le<uint32_t>(rest.data()) == kSample;
    time = load_le<uint64_t>(rest.data() + (is_sample ? kSampleTimeAt : size - 8));
    return ok();
  }
};

Result<PartReader> open_part(Bytes file, size_t number) {
  uint64_t size = 0;
  if (file.size() >= kDataOffset && std::memcmp(file.data(), kMagic.data(), kMagic.size()) == 0) {
    size = load_le<uint64_t>(file.data() + kDataSizeAt);
    if (size <= file.size() - kDataOffset) {
      PartReader reader{.number = number, .records = file.subspan(kDataOffset, size)};
      PGO_CHECK(reader.look());
      return reader;
    }
  }
  return fail(ErrorKind::kInternal, "part " + std::to_string(number) + " of " +
                                        std::to_string(file.size()) +
                                        " bytes is incomplete: " + "its header claims " +
                                        std::to_string(size) + " bytes of records");
}

// What passes by on the way to the sink.
struct Observed {
  RecordingTotals totals;
  std::set<KnownBuildId> build_ids;
  uint64_t first_sample = 0, last_sample = 0;

  void observe(const PartReader& reader) {
    Bytes record = reader.record();
    switch (load_le<uint32_t>(record.data())) {
      case kSample:
        if (totals.samples++ == 0) first_sample = reader.time;
        last_sample = reader.time;
        break;
      case kFork:
        totals.threads++;
        if (load_le<uint32_t>(record.data() + 8) != load_le<uint32_t>(record.data() + 12))
          totals.processes++;
        break;
      case kMmap2: observe_mapping(record); break;
      default: break;
    }
  }

  void observe_mapping(Bytes record) {
    constexpr size_t kIdSizeAt = 40, kIdAt = 44, kPathAt = 72;
    if ((load_le<uint16_t>(record.data() + 4) & kMiscMmapBuildId) == 0) return;
    if (record.size() <= kPathAt) return;
    size_t size = std::min<size_t>(record[kIdSizeAt], 20);
    Bytes id = record.subspan(kIdAt, size);
    build_ids.insert({std::string(until_nul(record.subspan(kPathAt))), {id.begin(), id.end()}});
  }
};

std::vector<uint8_t> make_header(Bytes first_part, uint64_t data_size) {
  FieldWriter out;
  out.put_bytes(first_part.first(8));
  out.put<uint64_t>(kFileHeaderSize);
  out.put<uint64_t>(kAttrEntrySize);
  out.put<uint64_t>(kFileHeaderSize);
  out.put<uint64_t>(kAttrEntrySize);
  out.put<uint64_t>(kFileHeaderSize + kAttrEntrySize);
  out.put<uint64_t>(data_size);
  out.put<uint64_t>(0);
  out.put<uint64_t>(0);
  uint64_t features = 0;
  for (unsigned feature : {kFeatureBuildId, kFeatureArch, kFeatureCommandLine, kFeatureEventDesc,
                           kFeatureBranchStack, kFeatureSampleTime}) {
    features |= uint64_t{1} << feature;
  }
  for (uint64_t word : {features, uint64_t{0}, uint64_t{0}, uint64_t{0}}) out.put(word);
  out.put_bytes(first_part.subspan(kFileHeaderSize, kAttrEntrySize));
  return out.bytes();
}

std::vector<uint8_t> make_build_ids(const std::set<KnownBuildId>& build_ids) {
  FieldWriter out;
  for (const auto& [path, id] : build_ids) {
    out.put<uint32_t>(kHeaderBuildId);
    out.put<uint16_t>(kMiscUser | kMiscBuildIdSize);
    out.put(static_cast<uint16_t>(36 + FieldWriter::padded_size(path)));
    out.put<int32_t>(-1);
    std::vector<uint8_t> padded = id;
    padded.resize(20);
    out.put_bytes(padded);
    out.put(static_cast<uint32_t>(id.size()));
    out.put_padded(path);
  }
  return out.bytes();
}

std::vector<uint8_t> make_command_line(const std::vector<std::string>& command) {
  FieldWriter out;
  out.put(static_cast<uint32_t>(command.size()));
  for (const std::string& argument : command) out.put_string(argument);
  return out.bytes();
}

std::vector<uint8_t> make_event_description(const std::string& event, Bytes attr) {
  FieldWriter out;
  out.put<uint32_t>(1);
  out.put(static_cast<uint32_t>(attr.size()));
  out.put_bytes(attr);
  out.put<uint32_t>(0);  // no ids: there is one event
  out.put_string(event);
  return out.bytes();
}

// The feature sections in ascending order of their bits, behind the table of where they are.
std::vector<uint8_t> make_features(const Observed& observed, const RecordingLabel& label,
                                   Bytes attr, uint64_t offset) {
  FieldWriter arch, times;
  arch.put_string("x86_64");
  times.put(observed.first_sample);
  times.put(observed.last_sample);
  const std::vector<uint8_t> sections[] = {
      make_build_ids(observed.build_ids),        arch.bytes(), make_command_line(label.command),
      make_event_description(label.event, attr), {},           times.bytes()};
  FieldWriter table, contents;
  offset += 16 * std::size(sections);
  for (const std::vector<uint8_t>& section : sections) {
    table.put<uint64_t>(offset + contents.bytes().size());
    table.put<uint64_t>(section.size());
    contents.put_bytes(section);
  }
  table.put_bytes(contents.bytes());
  return table.bytes();
}

// Gives all records to the sink in order of time.
Result<void> merge_records(std::vector<PartReader>& readers, Observed& observed,
                           const ByteSink& sink) {
  auto later = [&readers](size_t a, size_t b) {
    return std::tie(readers[a].time, a) > std::tie(readers[b].time, b);
  };
  std::priority_queue<size_t, std::vector<size_t>, decltype(later)> queue(later);
  for (size_t i = 0; i < readers.size(); i++) {
    if (!readers[i].at_end()) queue.push(i);
  }
  while (!queue.empty()) {
    PartReader& reader = readers[queue.top()];
    queue.pop();
    uint64_t until = queue.empty() ? UINT64_MAX : readers[queue.top()].time;
    size_t begin = reader.position;
    do {
      observed.observe(reader);
      reader.position += reader.size;
      PGO_CHECK(reader.look());
    } while (!reader.at_end() && reader.time < until);
    PGO_CHECK(sink(reader.records.subspan(begin, reader.position - begin)));
    if (!reader.at_end()) queue.push(reader.number);
  }
  return ok();
}

void read_state(Bytes first_part, RecordingTotals& totals) {
  auto state = load_le<RecordingState>(first_part.data() + kStateOffset);
  totals.taken_branches = state.taken_branches;
  totals.notes = notes_of(state.notes);
  totals.further_notes = state.notes.count - totals.notes.size();
}

}  // namespace

Result<RecordingTotals> assemble_parts(std::span<const Bytes> parts, const RecordingLabel& label,
                                       const ByteSink& sink) {
  if (parts.empty()) return fail(ErrorKind::kInternal, "a recording without parts");
  std::vector<PartReader> readers;
  uint64_t data_size = 0;
  for (size_t i = 0; i < parts.size(); i++) {
    PGO_TRY(PartReader reader, open_part(parts[i], i));
    data_size += reader.records.size();
    readers.push_back(reader);
  }
  Bytes attr = parts[0].subspan(kFileHeaderSize, kAttrSize);
  PGO_CHECK(sink(make_header(parts[0], data_size)));
  Observed observed;
  observed.totals.processes = observed.totals.threads = 1;  // the first has no FORK record
  PGO_CHECK(merge_records(readers, observed, sink));
  uint64_t offset = kFileHeaderSize + kAttrEntrySize + data_size;
  PGO_CHECK(sink(make_features(observed, label, attr, offset)));
  read_state(parts[0], observed.totals);
  return observed.totals;
}

}  // namespace pgo

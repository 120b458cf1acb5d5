// Recording: a perf.data file after its first pass: which events it holds, what it says about
// processes, and where its samples are. Needs no ELF file and no perf.
//
//   PGO_TRY(Recording recording, scan_recording(file.bytes(), file.path(), progress));
//   recording.events[0].name     "cycles:u"
//
// The second pass (perf_data_reader.h) reads the samples block by block, on all cores.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converters/perf_data/process_event.h"
#include "converters/perf_data/record_stream.h"
#include "converters/perf_data/sample_layout.h"
#include "pgo/base/diagnostics.h"
#include "pgo/base/result.h"

namespace pgo::perf_data {

// The same moment on two clocks: the one that times of records are of, and that of the world.
struct ClockReference {
  uint64_t record_time = 0;  // nanoseconds, since the machine started mostly
  uint64_t wall_time = 0;    // nanoseconds since 1970
};

class Recording {
 public:
  std::string path;  // for messages
  std::vector<EventAttr> events;
  std::vector<SampleLayout> layouts;         // of events[i]
  std::vector<ProcessEvent> process_events;  // in the order in which they happened
  // By recorded path, from the BUILD_ID feature; empty where several files had the path.
  std::map<std::string, BuildId> build_ids;
  BuildId kernel_build_id;  // of the kernel itself, whichever file perf read it from
  std::string hostname;     // as the header has them, at most kMaxDescription bytes; may be empty
  std::string cpu_model;    // "AMD EPYC 9B45"
  std::optional<ClockReference> clock;  // perf record -k writes it
  // Of the first and the last sample, by the clock of the records.
  std::optional<std::pair<uint64_t, uint64_t>> sample_times;
  Bytes data;                             // the record stream
  std::vector<Bytes> blocks;              // of whole records; empty when `compressed`
  std::vector<uint64_t> block_positions;  // of blocks[i] in the stream
  size_t block_size = RecordStream::kBlockSize;
  bool compressed = false;
  bool ordered_by_time = false;  // every record carries a time; if not, the order is the file's
  bool has_aux_data = false;     // AUXTRACE: needs a decoder to become samples
  bool pipe_mode = false;        // written to a pipe: attributes and features are records
  bool is_truncated = false;     // ends before it should; what is there counts
  uint64_t sample_records = 0;
  std::vector<uint64_t> event_samples;  // sample records of events[i]
  uint64_t lost = 0;                    // samples, by the kernel's LOST records
  Diagnostics diagnostics;
  uint64_t kept_bytes = 0;  // of what is kept of records, which compression could make any number

  static constexpr const char* kTruncated = "truncated-recording";  // a kind of warnings
  static constexpr size_t kMaxDescription = 255;

  // The index of the event that a SAMPLE record belongs to; nothing when its id is unknown.
  std::optional<size_t> event_of_sample(Bytes record) const;
  // The same for any other record; event 0 when it carries no id.
  size_t event_of_record(Bytes record) const;

  // The build ID of what is mapped: from the record itself, or by path.
  BuildId build_id_of(const ProcessEvent& map) const;

  // Adds an event and how its records are laid out. O(ids).
  void add_event(EventAttr event);
  // Names the event that has a counter of this id, if any.
  void name_event(uint64_t id, std::string_view name);

 private:
  std::map<uint64_t, size_t> event_by_id_;  // a recording could make a hash table's buckets one
  // Of all events: records can be told apart only where all keep the id in the same place.
  std::optional<size_t> id_offset_, trailer_id_offset_;
};

// Is this perf.data, of any version or byte order?
bool is_perf_data(Bytes bytes);

// As many events a recording may have: perf's list of all tracepoints is shorter.
inline constexpr size_t kMaxEvents = 1 << 14;

// First pass. Memory: 16 MB and 64 times the bytes as stored, at most. Reports bytes read so far to
// `progress` (may be empty). Threads share the second pass block by block; small ones are for
// tests. O(records).
Result<Recording> scan_recording(Bytes bytes, const std::string& path,
                                 const std::function<void(uint64_t)>& progress,
                                 size_t block_size = RecordStream::kBlockSize);

}  // namespace pgo::perf_data

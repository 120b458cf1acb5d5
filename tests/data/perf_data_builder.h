// PerfDataBuilder: writes a perf.data in memory, record by record and field by field, so that a
// test shows every byte that matters and nothing else.
//
//   PerfDataBuilder perf;
//   perf.event({.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_BRANCH_STACK})
//       .mmap2({.pid = 10, .addr = 0x400000, .len = 0x1000, .path = "/bin/server"})
//       .sample({.pid = 10, .ip = 0x400100, .branches = {{0x400120, 0x400100}}});
//   std::vector<uint8_t> bytes = perf.file();  // or perf.pipe()
//
// Records appear in the file in the order of the calls. What a record looks like depends on its
// event: `event` in a record is the index of that event, in the order they were declared, and all
// events must be declared before the first record. Constants are the kernel's own, from
// <linux/perf_event.h>. Nothing is checked: a builder must be able to write nonsense.
// This is no reader and shares no code with ours, so that the two can disagree.
#pragma once

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/data/byte_writer.h"

namespace pgo::test {

// Flags of an event, which the kernel declares as bit fields without names for the masks.
inline constexpr uint64_t kFlagFrequency = 1ull << 10;  // sample_period is a frequency
inline constexpr uint64_t kFlagSampleIdAll = 1ull << 18;
// Branch sample type and formats younger than the oldest kernel header we build with.
inline constexpr uint64_t kBranchCounters = 1ull << 19;
inline constexpr uint64_t kReadFormatLost = 1ull << 4;
// Flags of one branch.
inline constexpr uint64_t kMispredicted = 1, kPredicted = 2;
// What PERF_RECORD_MISC_* calls the bit that says whether a BUILD_ID record has a size byte.
inline constexpr uint16_t kMiscBuildIdSize = 1u << 15;
// Types of the records that perf itself adds to the kernel's.
enum : uint32_t {
  kRecordHeaderAttr = 64,
  kRecordTracingData = 66,
  kRecordHeaderBuildId = 67,
  kRecordFinishedRound = 68,
  kRecordAuxtraceInfo = 70,
  kRecordAuxtrace = 71,
  kRecordEventUpdate = 78,
  kRecordHeaderFeature = 80,
  kRecordCompressed = 81,
  kRecordCompressed2 = 83,
};
// Bits of the header's feature map.
enum : uint32_t {
  kFeatureBuildId = 2,
  kFeatureHostname = 3,
  kFeatureCpuDescription = 8,
  kFeatureEventDesc = 12,
  kFeatureCompressed = 27,
};

// One perf_event_attr and the ids of the counters that were opened with it.
struct Event {
  uint32_t type = PERF_TYPE_HARDWARE;
  uint32_t size = 128;  // of the attribute: 64, 72, 80, 96, 104, 112, 120, 128 or 136
  uint64_t config = PERF_COUNT_HW_CPU_CYCLES;
  uint64_t sample_period = 1;
  uint64_t sample_type = 0;
  uint64_t read_format = 0;
  uint64_t flags = 0;
  uint64_t branch_sample_type = 0;  // words past `size` are not written
  uint64_t sample_regs_user = 0;
  uint64_t sample_regs_intr = 0;
  std::vector<uint64_t> ids = {};
  std::string name = {};  // for EVENT_DESC and EVENT_UPDATE only
};

// Every record below: `tid` 0 stands for the same number as `pid`; `time`, `cpu` and the event's
// first id go into the trailer when the event has kFlagSampleIdAll.
struct Mmap {
  uint32_t pid = 0, tid = 0;
  uint64_t time = 0;
  uint64_t addr = 0, len = 0, pgoff = 0;
  std::string path = {};
  uint16_t misc = PERF_RECORD_MISC_USER;
  uint32_t cpu = 0;
  size_t event = 0;
};

struct Mmap2 {
  uint32_t pid = 0, tid = 0;
  uint64_t time = 0;
  uint64_t addr = 0, len = 0, pgoff = 0;
  std::string path = {};
  std::string build_id = {};     // hexadecimal; when given, it stands where the inode would be
  uint32_t prot = 5, flags = 2;  // PROT_READ | PROT_EXEC, MAP_PRIVATE
  uint32_t maj = 8, min = 1;
  uint64_t ino = 42, ino_generation = 0;
  uint16_t misc = PERF_RECORD_MISC_USER;
  uint32_t cpu = 0;
  size_t event = 0;
};

struct Comm {
  uint32_t pid = 0, tid = 0;
  uint64_t time = 0;
  std::string name = {};
  uint16_t misc = 0;  // PERF_RECORD_MISC_COMM_EXEC when it comes from an exec
  uint32_t cpu = 0;
  size_t event = 0;
};

struct Task {  // of FORK and EXIT
  uint32_t pid = 0, parent = 0, tid = 0, parent_tid = 0;
  uint64_t time = 0;
  uint32_t cpu = 0;
  size_t event = 0;
};

struct Lost {
  uint64_t lost = 0;
  uint64_t id = 0;
  uint32_t pid = 0, tid = 0;
  uint64_t time = 0;
  uint32_t cpu = 0;
  size_t event = 0;
};

struct Branch {
  uint64_t from = 0, to = 0;
  uint64_t flags = kPredicted;
  uint64_t cycles = 0;  // since the branch before, at most 0xffff; 0: the processor counts none
};

struct ReadValue {
  uint64_t value = 0, id = 0, lost = 0;
};

// Of these fields, those that the event's sample_type asks for are written, in the kernel's order.
struct Sample {
  uint32_t pid = 0, tid = 0;
  uint64_t time = 0;
  uint64_t ip = 0;
  std::vector<Branch> branches = {};  // newest first
  std::vector<uint64_t> callchain = {};
  size_t event = 0;
  std::optional<uint64_t> id = {};  // default: the first id of the event
  uint64_t addr = 0, stream_id = 0, period = 1;
  uint32_t cpu = 0;
  std::vector<ReadValue> read = {{}};  // one value, or the group's
  uint64_t time_enabled = 0, time_running = 0;
  std::string raw = {};
  uint64_t hw_index = ~0ull;
  std::vector<uint64_t> branch_counters = {};
  std::vector<uint64_t> regs_user = {};  // empty: abi 0
  std::string stack_user = {};
  uint64_t weight = 0, data_src = 0, transaction = 0;
  std::vector<uint64_t> regs_intr = {};
  uint64_t phys_addr = 0, cgroup = 0, data_page_size = 0, code_page_size = 0;
  std::string aux = {};
  uint16_t misc = PERF_RECORD_MISC_USER;
};

// An entry of the BUILD_ID feature section.
struct BuildIdEntry {
  uint32_t pid = ~0u;
  std::string id = {};  // hexadecimal, up to 20 bytes
  std::string path = {};
  uint16_t misc = kMiscBuildIdSize | PERF_RECORD_MISC_USER;  // without the bit: no size byte
};

// Where compressed records are cut. The cuts ignore the borders of the records inside.
struct Cuts {
  size_t plain = 0;  // flush the stream after so many bytes of input; 0: at the end only
  // Start a new COMPRESSED record after so many bytes of output; 0: never. perf 6.1 itself wants
  // each record to yield output, so it rejects small values.
  size_t compressed = 0;
  uint32_t type = kRecordCompressed;
};

enum class DataSize { kKnown, kZero };  // kZero: what a recording that crashed leaves in the header

class PerfDataBuilder {
 public:
  PerfDataBuilder();
  ~PerfDataBuilder();
  PerfDataBuilder(PerfDataBuilder&&) noexcept;
  PerfDataBuilder& operator=(PerfDataBuilder&&) noexcept;

  PerfDataBuilder& event(Event event);

  PerfDataBuilder& mmap(const Mmap& mmap);
  PerfDataBuilder& mmap2(const Mmap2& mmap);
  PerfDataBuilder& comm(const Comm& comm);
  PerfDataBuilder& fork(const Task& task);
  PerfDataBuilder& exit(const Task& task);
  PerfDataBuilder& lost(const Lost& lost);
  PerfDataBuilder& lost_samples(const Lost& lost);  // its `id` is not written
  PerfDataBuilder& sample(const Sample& sample);
  PerfDataBuilder& finished_round();
  // AUXTRACE and TRACING_DATA: the payload follows the record and is not part of its size.
  PerfDataBuilder& auxtrace(std::string_view payload);
  PerfDataBuilder& tracing_data(std::string_view payload);
  // The name of an event, as pipes carry it.
  PerfDataBuilder& event_update(size_t event);
  // Any other record; no trailer is added.
  PerfDataBuilder& record(uint32_t type, uint16_t misc, const ByteVector& payload);
  // Bytes as they are, without even a header.
  PerfDataBuilder& raw(const ByteVector& bytes);

  // Records between the two calls are put into COMPRESSED records. All of them in a recording are
  // pieces of one zstd stream, as perf writes it. `file()` adds the COMPRESSED feature.
  PerfDataBuilder& start_compressed();
  PerfDataBuilder& end_compressed(const Cuts& cuts = {});

  PerfDataBuilder& build_id(const BuildIdEntry& entry);
  PerfDataBuilder& event_desc();  // the names and ids of all events
  PerfDataBuilder& machine(const std::string& host, const std::string& cpu_model);
  PerfDataBuilder& feature(uint32_t bit, ByteVector payload);

  // The recording as `perf record -o FILE` lays it out: header, attributes, ids, data, features.
  ByteVector file(DataSize data_size = DataSize::kKnown) const;
  // The same as `perf record -o -` would: a short header, attributes and features as records
  // before the data, build IDs after it.
  ByteVector pipe() const;

 private:
  struct Feature {
    uint32_t bit;
    ByteVector payload;
  };
  class Compressor;

  void append(uint32_t type, uint16_t misc, const ByteVector& body);
  void append_with_trailer(uint32_t type, uint16_t misc, ByteVector body, uint32_t pid,
                           uint32_t tid, uint64_t time, uint32_t cpu, size_t event);
  uint64_t first_id(size_t event) const;

  std::vector<Event> events_;
  ByteVector data_;
  std::optional<ByteVector> uncompressed_;  // set between start_ and end_compressed()
  std::vector<Feature> features_;
  ByteVector build_ids_;
  std::unique_ptr<Compressor> compressor_;
};

// Little-endian words, for payloads of record() and feature().
ByteVector words(std::initializer_list<uint64_t> values);
// The bytes that a string of hexadecimal digits stands for.
ByteVector from_hex(std::string_view digits);

}  // namespace pgo::test

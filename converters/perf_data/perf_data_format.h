// The layout of perf.data, once, for every file of this folder.
//
// File mode: a 104-byte header {magic "PERFILE2", u64 header size, u64 attr entry size, sections
// attrs, data and event types as {u64 offset, u64 size}, 256 feature bits}; the attrs section holds
// perf_event_attr structs, each followed by the {offset, size} of its event ids; the data section
// is a sequence of records; behind it stands one {offset, size} for each feature bit that is set.
// Pipe mode: a 16-byte header {magic, u64 16}, then records only; attributes and features come as
// records of their own (HEADER_ATTR, HEADER_FEATURE, HEADER_BUILD_ID).
//
// A record is {u32 type, u16 misc, u16 size of the whole record} and its body. AUXTRACE and
// TRACING_DATA are followed by a payload that their size field does not include.
//
// Version history: "PERFFILE" (version 1, before Linux 2.6.38) is refused; perf_event_attr has
// grown from 64 to 136 bytes, absent fields read as zero. Sources: linux/perf_event.h and
// tools/perf/Documentation/perf.data-file-format.txt of the Linux kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"

namespace pgo::perf_data {

enum RecordType : uint32_t {
  kMmap = 1,
  kLost = 2,
  kComm = 3,
  kExit = 4,
  kFork = 7,
  kSample = 9,
  kMmap2 = 10,
  kLostSamples = 13,
  kHeaderAttr = 64,
  kTracingData = 66,
  kHeaderBuildId = 67,
  kAuxtrace = 71,
  kEventUpdate = 78,
  kHeaderFeature = 80,
  kCompressed = 81,
  kCompressed2 = 83,
};

enum Feature : uint32_t { kFeatureBuildId = 2, kFeatureEventDesc = 12, kFeatureDirFormat = 24 };

// Bits of a record header's misc field.
inline constexpr uint16_t kMiscMmapData = 1u << 13;     // MMAP, MMAP2: not executable
inline constexpr uint16_t kMiscCommExec = 1u << 13;     // COMM: the name comes from exec
inline constexpr uint16_t kMiscForkExec = 1u << 13;     // FORK: perf's own, of a running process
inline constexpr uint16_t kMiscMmapBuildId = 1u << 14;  // MMAP2: a build id instead of the inode
inline constexpr uint16_t kMiscBuildIdSize = 1u << 15;  // build id record: its size is given

// Bits of perf_event_attr::sample_type.
enum SampleType : uint64_t {
  kSampleIp = 1u << 0,
  kSampleTid = 1u << 1,
  kSampleTime = 1u << 2,
  kSampleAddr = 1u << 3,
  kSampleRead = 1u << 4,
  kSampleCallchain = 1u << 5,
  kSampleId = 1u << 6,
  kSampleCpu = 1u << 7,
  kSamplePeriod = 1u << 8,
  kSampleStreamId = 1u << 9,
  kSampleRaw = 1u << 10,
  kSampleBranchStack = 1u << 11,
  kSampleIdentifier = 1u << 16,
};

// Bits of perf_event_attr::branch_sample_type.
inline constexpr uint64_t kBranchAny = 1u << 3;
inline constexpr uint64_t kBranchCallStack = 1u << 11;
inline constexpr uint64_t kBranchHwIndex = 1u << 17;
inline constexpr uint64_t kBranchCounters = 1u << 19;

// Bits of perf_event_attr's flags word.
inline constexpr uint64_t kFlagFrequency = 1u << 10;
inline constexpr uint64_t kFlagSampleIdAll = 1u << 18;

// Bits of perf_event_attr::read_format.
inline constexpr uint64_t kReadTotalTimeEnabled = 1u << 0;
inline constexpr uint64_t kReadTotalTimeRunning = 1u << 1;
inline constexpr uint64_t kReadId = 1u << 2;
inline constexpr uint64_t kReadGroup = 1u << 3;
inline constexpr uint64_t kReadLost = 1u << 4;

inline constexpr size_t kRecordHeaderSize = 8;
inline constexpr size_t kAttrMinSize = 64;  // PERF_ATTR_SIZE_VER0

struct RecordHeader {
  uint32_t type = 0;
  uint16_t misc = 0;
  uint16_t size = 0;
};

// `record` must have kRecordHeaderSize bytes or more.
inline RecordHeader load_header(const uint8_t* record) {
  return {load_le<uint32_t>(record), load_le<uint16_t>(record + 4), load_le<uint16_t>(record + 6)};
}

// perf_event_attr, the fields that decide how records are laid out.
struct EventAttr {
  std::string name;  // "cycles:u"; made up from type and config when the file has none
  uint32_t type = 0;
  uint64_t config = 0;
  uint64_t period_or_frequency = 0;
  uint64_t sample_type = 0;
  uint64_t read_format = 0;
  uint64_t flags = 0;
  uint64_t branch_sample_type = 0;
  std::vector<uint64_t> ids;

  bool is_frequency() const { return (flags & kFlagFrequency) != 0; }
  bool sample_id_all() const { return (flags & kFlagSampleIdAll) != 0; }
  // Branch stacks that are a trace of taken branches (the call-stack mode is not one).
  bool has_branch_stacks() const {
    return (sample_type & kSampleBranchStack) != 0 && (branch_sample_type & kBranchCallStack) == 0;
  }
};

}  // namespace pgo::perf_data

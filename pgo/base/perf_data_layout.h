// The layout of perf.data, once, for what writes it and for what reads it.
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

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pgo/base/bytes.h"

namespace pgo::perf_data {

inline constexpr std::string_view kMagic = "PERFILE2";
inline constexpr size_t kFileHeaderSize = 104;
inline constexpr size_t kPipeHeaderSize = 16;
inline constexpr size_t kDataSizeAt = 48;  // in the file header
inline constexpr size_t kRecordHeaderSize = 8;
inline constexpr size_t kAttrMinSize = 64;  // PERF_ATTR_SIZE_VER0

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

enum Feature : uint32_t {
  kFeatureBuildId = 2,
  kFeatureHostname = 3,
  kFeatureArch = 6,
  kFeatureCpuDescription = 8,
  kFeatureCommandLine = 11,
  kFeatureEventDesc = 12,
  kFeatureBranchStack = 15,
  kFeatureSampleTime = 21,
  kFeatureDirFormat = 24,
  kFeatureClockData = 29,
};

// Bits of a record header's misc field.
inline constexpr uint16_t kMiscModeBits = 7;            // the processor's mode: cpu_mode.h
inline constexpr uint16_t kMiscUser = 2;                // of these bits: in user mode
inline constexpr uint16_t kMiscMmapData = 1u << 13;     // MMAP, MMAP2: not executable
inline constexpr uint16_t kMiscCommExec = 1u << 13;     // COMM: the name comes from exec
inline constexpr uint16_t kMiscForkExec = 1u << 13;     // FORK: perf's own, of a running process
inline constexpr uint16_t kMiscMmapBuildId = 1u << 14;  // MMAP2: a build ID instead of the inode
inline constexpr uint16_t kMiscBuildIdSize = 1u << 15;  // build ID record: its size is given

struct RecordHeader {
  uint32_t type = 0;
  uint16_t misc = 0;
  uint16_t size = 0;
};

// `record` must have kRecordHeaderSize bytes or more.
inline RecordHeader load_header(const uint8_t* record) {
  return {load_le<uint32_t>(record), load_le<uint16_t>(record + 4), load_le<uint16_t>(record + 6)};
}

}  // namespace pgo::perf_data

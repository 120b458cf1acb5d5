// SampleLayout: where the fields of a SAMPLE record and of the sample_id trailer of other records
// stand, worked out once per event attribute, because perf lays records out by its bits.
//
// SAMPLE: header, IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM_ID, CPU, PERIOD, READ, CALLCHAIN,
// RAW, BRANCH_STACK, and fields that are not needed here; each only if its sample_type bit is set.
//   READ         values, or with GROUP: u64 nr and nr values; each as read_format says
//   CALLCHAIN    u64 nr, u64 ips[nr]: leaf first; some are markers that say where what follows is
//   RAW          u32 size, bytes; together padded to 8
//   BRANCH_STACK u64 nr, u64 hw_idx if branch_sample_type has it, nr x {from, to, flags}: newest
//   first
// sample_id trailer: TID, TIME, ID, STREAM_ID, CPU, IDENTIFIER at the end of the record.
#pragma once

#include <optional>

#include "converters/perf_data/event_attr.h"
#include "pgo/profile/address.h"

namespace pgo::perf_data {

inline constexpr size_t kBranchEntrySize = 24;
inline constexpr uint64_t kBranchMispredicted = 1;  // bit of an entry's flags

struct Sample {
  RuntimeAddr ip;
  uint32_t pid = 0, tid = 0;
  uint64_t time = 0;
  uint64_t period = 0;                // 0: not in the record
  uint64_t frame_count = 0;           // of the call chain, markers included
  const uint8_t* frames = nullptr;    // frame_count addresses of 8 bytes, leaf first
  uint64_t branch_count = 0;          // entries in the branch stack
  const uint8_t* branches = nullptr;  // branch_count entries of kBranchEntrySize, newest first
};

// What a sample stands for, in units of its event: its period, or that of the event; at least 1.
uint64_t weight_of(const Sample& sample, const EventAttr& event);

struct SampleId {
  uint32_t pid = 0, tid = 0;
  uint64_t time = 0;
};

class SampleLayout {
 public:
  explicit SampleLayout(const EventAttr& attr);

  // Nothing when the fields do not fit into the record.
  std::optional<Sample> parse(Bytes record) const;
  // Of a record that is no sample; nothing when the attribute writes no trailer.
  std::optional<SampleId> parse_trailer(Bytes record) const;

  // Size of the trailer in bytes; 0 without sample_id_all.
  size_t trailer_size() const { return trailer_size_; }
  // Do records carry times, so that they can be put in order?
  bool has_time() const { return (sample_type_ & kSampleTime) != 0; }

  // Where the event id stands: from the start of a sample, and from the end of other records.
  std::optional<size_t> id_offset() const { return id_offset_; }
  std::optional<size_t> trailer_id_offset() const { return trailer_id_offset_; }

 private:
  uint64_t skip_read(Bytes record, uint64_t offset) const;

  uint64_t sample_type_;
  uint64_t read_format_;
  uint64_t branch_sample_type_;
  // Offsets of the fixed fields from the start of the record; meaningful when their bit is set.
  size_t ip_ = 0, tid_ = 0, time_ = 0, period_ = 0;
  size_t fixed_end_ = 0;  // where READ starts
  std::optional<size_t> id_offset_, trailer_id_offset_;
  size_t trailer_size_ = 0;
};

}  // namespace pgo::perf_data

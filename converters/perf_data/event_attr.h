// EventAttr: what a perf_event_attr says of its event's records. The layout of the file and the
// types of its records, which recording needs too, are in pgo/base/perf_data_layout.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/perf_data_layout.h"

namespace pgo::perf_data {

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
  kSampleStackUser = 1u << 13,
  kSampleIdentifier = 1u << 16,
};

// Bits of perf_event_attr::branch_sample_type.
inline constexpr uint64_t kBranchAny = 1u << 3;
inline constexpr uint64_t kBranchCallStack = 1u << 11;
inline constexpr uint64_t kBranchHwIndex = 1u << 17;
inline constexpr uint64_t kBranchCounters = 1u << 19;

// Bits of perf_event_attr's flags word.
inline constexpr uint64_t kFlagsOfModes = 0b1111u << 4;  // exclude_user, _kernel, _hv, _idle
inline constexpr uint64_t kFlagFrequency = 1u << 10;
inline constexpr uint64_t kFlagWithoutSkid = 1u << 16;  // precise_ip is 2 or 3
inline constexpr uint64_t kFlagSampleIdAll = 1u << 18;

// Bits of perf_event_attr::read_format.
inline constexpr uint64_t kReadTotalTimeEnabled = 1u << 0;
inline constexpr uint64_t kReadTotalTimeRunning = 1u << 1;
inline constexpr uint64_t kReadId = 1u << 2;
inline constexpr uint64_t kReadGroup = 1u << 3;
inline constexpr uint64_t kReadLost = 1u << 4;

// Values of perf_event_attr::type.
inline constexpr uint32_t kTypeHardware = 0, kTypeSoftware = 1, kTypeHardwareCache = 3,
                          kTypeRaw = 4;

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

  // PERF_COUNT_SW_DUMMY: perf adds one to hear of processes and mappings; it never has samples.
  bool is_dummy() const { return type == kTypeSoftware && config == 9; }
  // PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_TASK_CLOCK: periods are nanoseconds.
  bool is_clock() const { return type == kTypeSoftware && (config == 0 || config == 1); }
  // An event that the kernel translates for the processor. On hybrid ones the upper half of
  // `config` is the kind of core.
  bool is_generic() const { return type == kTypeHardware || type == kTypeHardwareCache; }
  uint32_t generic_event() const { return static_cast<uint32_t>(config); }
  bool is_frequency() const { return (flags & kFlagFrequency) != 0; }
  bool sample_id_all() const { return (flags & kFlagSampleIdAll) != 0; }
  // Does a sample name the instruction itself (PEBS, IBS), not one behind it? Clocks do not,
  // whatever they were asked for.
  bool is_precise() const {
    return type != kTypeSoftware && ((flags & kFlagWithoutSkid) != 0 || name.starts_with("ibs_"));
  }
  // Branch stacks that are a trace of taken branches.
  bool has_branch_stacks() const {
    return (sample_type & kSampleBranchStack) != 0 && (branch_sample_type & kBranchCallStack) == 0;
  }
  // In call-stack mode (perf record --call-graph lbr) the same hardware keeps the calls that have
  // not returned: no branches, and no code that ran between them.
  bool has_lbr_call_stacks() const {
    return (sample_type & kSampleBranchStack) != 0 && (branch_sample_type & kBranchCallStack) != 0;
  }
};

// A name for an event that the file does not name, because it is truncated or was written to a
// pipe: the name that perf would print, or our own name for single steps.
std::string made_up_name(const EventAttr& attr);

// The perf_event_attr at the start of `bytes`, without a name or ids. Fields beyond its own size
// are 0. Nothing if its field of the size is invalid.
std::optional<EventAttr> parse_attr(Bytes bytes);

}  // namespace pgo::perf_data

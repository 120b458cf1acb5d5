#include "converters/perf_data/event_attr.h"

#include "pgo/base/number_text.h"
#include "pgo/profile/quality.h"

namespace pgo::perf_data {
namespace {

// The kernel refuses branch stacks for a clock (EOPNOTSUPP). Only `pgo record --engine step` writes
// them.
bool is_by_single_steps(const EventAttr& attr) {
  return attr.is_clock() && attr.has_branch_stacks();
}

}  // namespace

std::string made_up_name(const EventAttr& attr) {
  if (is_by_single_steps(attr)) return std::string(kSteppedEvent);
  static constexpr std::string_view kHardware[] = {"cycles",
                                                   "instructions",
                                                   "cache-references",
                                                   "cache-misses",
                                                   "branches",
                                                   "branch-misses",
                                                   "bus-cycles",
                                                   "stalled-cycles-frontend",
                                                   "stalled-cycles-backend",
                                                   "ref-cycles"};
  static constexpr std::string_view kSoftware[] = {"cpu-clock", "task-clock", "page-faults",
                                                   "context-switches"};
  if (attr.type == kTypeHardware && attr.generic_event() < std::size(kHardware))
    return std::string(kHardware[attr.generic_event()]);
  if (attr.type == kTypeSoftware && attr.config < std::size(kSoftware))
    return std::string(kSoftware[attr.config]);
  if (attr.type == kTypeRaw) return "r" + format_hex(attr.config).substr(2);
  return "event-type-" + std::to_string(attr.type) + "-config-" + format_hex(attr.config);
}

//   u32 type 0, u32 size 4, u64 config 8, period 16, sample_type 24, read_format 32, flags 40,
//   branch_sample_type 72
std::optional<EventAttr> parse_attr(Bytes bytes) {
  if (bytes.size() < kAttrMinSize) return std::nullopt;
  uint32_t size = load_le<uint32_t>(bytes.data() + 4);
  if (size == 0) size = kAttrMinSize;  // what perf before 2.6.33 wrote
  if (size < kAttrMinSize || size > bytes.size()) return std::nullopt;
  EventAttr attr;
  attr.type = load_le<uint32_t>(bytes.data());
  attr.config = load_le<uint64_t>(bytes.data() + 8);
  attr.period_or_frequency = load_le<uint64_t>(bytes.data() + 16);
  attr.sample_type = load_le<uint64_t>(bytes.data() + 24);
  attr.read_format = load_le<uint64_t>(bytes.data() + 32);
  attr.flags = load_le<uint64_t>(bytes.data() + 40);
  if (size >= 80) attr.branch_sample_type = load_le<uint64_t>(bytes.data() + 72);
  return attr;
}

}  // namespace pgo::perf_data

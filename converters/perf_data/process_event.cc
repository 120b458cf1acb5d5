#include "converters/perf_data/process_event.h"

#include <algorithm>

namespace pgo::perf_data {
namespace {

constexpr uint32_t kProtExec = 4;
// The kernel's names of threads have 15 characters. Children take their parent's name, so that a
// long one would be there as often as a recording has forks.
constexpr size_t kMaxThreadName = 63;

// MMAP:  u32 pid, tid, u64 addr, len, pgoff, char name[]
// MMAP2: the same, but before the name {u32 major, minor, u64 inode, generation} or
//        {u8 build ID size, u8, u16, u8 build ID[20]}, then u32 prot, flags
void parse_map(RecordHeader header, ByteCursor& cursor, ProcessEvent& event) {
  event.kind = ProcessEvent::Kind::kMap;
  event.pid = cursor.u32();
  event.tid = cursor.u32();
  event.begin = RuntimeAddr{cursor.u64()};
  event.size = cursor.u64();
  event.offset = FileOffset{cursor.u64()};
  event.executable = (header.misc & kMiscMmapData) == 0;
  if (header.type == kMmap2) {
    Bytes identity = cursor.take(24);
    event.executable = (cursor.u32() & kProtExec) != 0;
    cursor.skip(4);
    if ((header.misc & kMiscMmapBuildId) != 0 && !identity.empty())
      event.build_id = BuildId(identity.subspan(4).first(std::min<size_t>(identity[0], 20)));
  }
}

}  // namespace

std::optional<ProcessEvent> parse_process_event(RecordHeader header, Bytes record,
                                                const SampleLayout& layout, uint64_t position) {
  size_t trailer = layout.trailer_size();
  if (record.size() < kRecordHeaderSize + trailer) return std::nullopt;
  ByteCursor cursor(record.first(record.size() - trailer).subspan(kRecordHeaderSize));
  ProcessEvent event;
  event.moment.position = position;
  if (auto id = layout.parse_trailer(record); id && layout.has_time()) event.moment.time = id->time;
  switch (header.type) {
    case kMmap:
    case kMmap2: parse_map(header, cursor, event); break;
    case kComm:
      event.kind = (header.misc & kMiscCommExec) != 0 ? ProcessEvent::Kind::kExec
                                                      : ProcessEvent::Kind::kComm;
      event.pid = cursor.u32();
      event.tid = cursor.u32();
      break;
    case kFork:
      event.kind = ProcessEvent::Kind::kFork;
      event.pid = cursor.u32();
      event.parent_pid = cursor.u32();
      event.tid = cursor.u32();
      event.parent_tid = cursor.u32();
      event.ran_before = (header.misc & kMiscForkExec) != 0;
      break;
    default: return std::nullopt;
  }
  if (header.type != kFork) event.name = until_nul(cursor.take(cursor.remaining()));
  if (header.type == kComm && event.name.size() > kMaxThreadName) event.name.resize(kMaxThreadName);
  if (!cursor.ok()) return std::nullopt;
  return event;
}

}  // namespace pgo::perf_data

// The writer of parts takes the time of a record as what has passed since the last one, in
// `passed_`, and sets it to zero; further records of the same slot are later by one each.
#include "pgo/record/step_part.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "pgo/base/proc_file.h"
#include "pgo/base/unique_fd.h"
#include "pgo/elf/elf_image.h"
#include "pgo/record/plugin/part_file.h"

namespace pgo {
namespace {

constexpr uint64_t kLookInterval = 500'000'000;  // nanoseconds between two looks at a maps file

RecordOrigin origin_of(const Slot& slot, uint64_t& passed, uint64_t& branches) {
  return {slot.pid, slot.tid, &passed, &branches};
}

std::string_view text_of(const Slot& slot) {
  return {slot.text, std::min<size_t>(slot.size, kSlotText)};
}

bool covers(const std::vector<ExecutableMapping>& mappings, uint64_t address) {
  return std::any_of(mappings.begin(), mappings.end(), [&](const ExecutableMapping& mapping) {
    return mapping.begin <= address && address < mapping.end;
  });
}

}  // namespace

Result<StepPart> StepPart::begin(const std::string& path, uint64_t period) {
  const PartEvent event{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, period};
  ::keep_notes_quiet();
  if (!begin_part(path.c_str(), kFirstProcess, &event)) return io_failure(path, "cannot create");
  StepPart part;
  part.period_ = period;
  return part;
}

void StepPart::end() { end_part(); }

void StepPart::add(const std::vector<Slot>& slots) {
  for (const Slot& slot : slots) {
    const uint64_t time = std::max(slot.time, clock_ + 1);
    passed_ += time - clock_;
    clock_ = time;
    add(slot);
  }
}

void StepPart::add(const Slot& slot) {
  switch (slot.kind) {
    case kSlotProgram: add_program(slot); break;
    case kSlotFork: {
      auto parent = processes_.find(slot.parent);
      processes_[slot.pid] = parent == processes_.end() ? Process{} : parent->second;
      processes_[slot.pid].is_copy = true;
      put_task(slot);
      break;
    }
    case kSlotThread: put_task(slot); break;
    case kSlotMaps: add_mappings(slot, parse_executable_mappings(text_of(slot))); break;
    case kSlotSample: add_sample(slot); break;
    case kSlotNote: {
      const std::string& name = processes_[slot.pid].name;
      if (known_notes_.insert(name + " " + std::string(text_of(slot))).second)
        notes_.push_back("process " + std::to_string(slot.pid) + " (" + name + ") " +
                         std::string(text_of(slot)));
      break;
    }
    case kSlotBlocked: blocked_threads_.insert(slot.tid); break;
    default: break;
  }
}

// The process that a fork made, or the thread; of a thread its process is the parent.
void StepPart::put_task(const Slot& slot) {
  const uint32_t parent = slot.kind == kSlotThread ? slot.pid : slot.parent;
  put_fork(origin_of(slot, passed_, branches_), parent, slot.parent);
}

// A program of a known process has taken the place of another. The first process of a recording has
// no FORK record. Some runtimes (libuv) block signals only until a child executes a program.
void StepPart::add_program(const Slot& slot) {
  const bool known = processes_.empty() || processes_.contains(slot.pid);
  Process& process = processes_[slot.pid];
  if (process.is_copy) blocked_threads_.erase(slot.pid);
  process = {};
  process.name = text_of(slot);
  if (!known) put_task(slot);
  put_comm(origin_of(slot, passed_, branches_), process.name.c_str(), true);
}

void StepPart::add_mappings(const Slot& slot, std::vector<ExecutableMapping> mappings) {
  Process& process = processes_[slot.pid];
  for (ExecutableMapping& mapping : mappings) {
    constexpr uint64_t kKernelHalf = uint64_t{1} << 63;  // [vsyscall]
    if (mapping.begin >= kKernelHalf) continue;
    if (std::find(process.mappings.begin(), process.mappings.end(), mapping) !=
        process.mappings.end())
      continue;
    CodeMapping record{};
    record.begin = mapping.begin;
    record.size = mapping.end - mapping.begin;
    record.file_offset = mapping.file_offset;
    record.device_major = mapping.device_major;
    record.device_minor = mapping.device_minor;
    record.inode = mapping.inode;
    record.protection = PROT_READ | PROT_EXEC;
    record.flags = MAP_PRIVATE;
    const Bytes id = build_id_of(mapping).bytes();
    record.build_id_size = static_cast<uint8_t>(std::min(id.size(), sizeof record.build_id));
    std::memcpy(record.build_id, id.data(), record.build_id_size);
    std::strncpy(record.path, mapping.path.c_str(), sizeof record.path - 1);
    put_mapping(origin_of(slot, passed_, branches_), &record);
    process.mappings.push_back(std::move(mapping));
  }
}

// Empty also for a path at which another file is now.
const BuildId& StepPart::build_id_of(const ExecutableMapping& mapping) {
  auto [found, is_new] = build_ids_.try_emplace({mapping.path, mapping.inode});
  struct stat status{};
  if (is_new && mapping.inode != 0 && ::stat(mapping.path.c_str(), &status) == 0 &&
      status.st_ino == mapping.inode)
    if (Result<ElfImage> image = ElfImage::open(mapping.path)) found->second = image->build_id();
  return found->second;
}

void StepPart::look_for_code(const Slot& slot, Process& process) {
  const StepSample& sample = slot.sample;
  bool all_known = sample.count == 0 || covers(process.mappings, sample.timer_ip);
  for (uint32_t i = 0; i < std::min<uint32_t>(sample.count, kStackDepth); i++)
    all_known = all_known && covers(process.mappings, sample.branches[i].to);
  for (uint32_t i = 0; i < std::min<uint32_t>(slot.clock_count, kClockSamples); i++)
    all_known = all_known && covers(process.mappings, slot.clock[i].ip);
  if (all_known || slot.time - process.looked_at < kLookInterval) return;
  process.looked_at = slot.time;
  add_mappings(slot, parse_executable_mappings(
                         read_proc_file("/proc/" + std::to_string(slot.pid) + "/maps")));
}

void StepPart::add_sample(const Slot& slot) {
  StepSample sample = slot.sample;
  sample.count = std::min<uint32_t>(sample.count, kStackDepth);
  look_for_code(slot, processes_[slot.pid]);
  Branch ring[kRingDepth] = {};
  for (uint32_t i = 0; i < std::min<uint32_t>(slot.clock_count, kClockSamples); i++) {
    const ClockSample& one = slot.clock[i];
    put_sample(origin_of(slot, passed_, branches_), one.ip, ring, 0, 0, period_ * one.periods);
    clock_samples_++;
    sampled_time_ += period_ * one.periods;
  }
  if (sample.count == 0) return;
  static_assert(static_cast<int>(kRingDepth) >= static_cast<int>(kStackDepth));
  for (uint32_t i = 0; i < sample.count; i++)
    ring[i] = {sample.branches[i].from, sample.branches[i].to};
  branches_ += sample.count;
  sampled_time_ += period_ * sample.periods;
  put_sample(origin_of(slot, passed_, branches_), sample.timer_ip, ring, sample.count - 1,
             sample.count, period_ * sample.periods);
}

}  // namespace pgo

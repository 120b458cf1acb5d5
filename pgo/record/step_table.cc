// A slot that is found full may be from after the look at an earlier one, whose content came
// before. So only what is from before the pass began is given out.
#include "pgo/record/step_table.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <tuple>
#include <utility>

#include "pgo/base/unique_fd.h"

namespace pgo {
namespace {

uint64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

Result<StepTable> StepTable::create(const std::string& path, const StepSettings& settings) {
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.fd < 0) return io_failure(path, "cannot create");
  errno = ::posix_fallocate(file.fd, 0, kTableSize);
  if (errno != 0) return io_failure(path, "cannot allocate space");
  void* memory = ::mmap(nullptr, kTableSize, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
  if (memory == MAP_FAILED) return io_failure(path, "cannot map");
  StepTable table(path, static_cast<uint8_t*>(memory));
  TableHeader* header = table.header();
  header->recorder = static_cast<uint32_t>(::getpid());
  header->steps_per_burst = settings.steps_per_burst;
  header->share_per_mille = settings.share_per_mille;
  header->period = settings.period;
  header->ticks_per_ms = settings.ticks_per_ms;
  header->step_ticks = std::max<uint64_t>(settings.step_ticks, 1);
  header->magic = PRODPGO_TABLE_MAGIC;
  return table;
}

StepTable::StepTable(StepTable&& other) noexcept
    : path_(std::move(other.path_)),
      memory_(std::exchange(other.memory_, nullptr)),
      waiting_(std::move(other.waiting_)) {}

StepTable::~StepTable() {
  if (memory_ != nullptr) ::munmap(memory_, kTableSize);
}

TableHeader* StepTable::header() const { return reinterpret_cast<TableHeader*>(memory_); }

std::vector<Slot> StepTable::take_new() { return take(now()); }

std::vector<Slot> StepTable::take_rest() { return take(UINT64_MAX); }

void StepTable::close() { __atomic_store_n(&header()->closed, 1, __ATOMIC_SEQ_CST); }

// Slots that their process did not finish stay as they are: there are enough.
std::vector<Slot> StepTable::take(uint64_t until) {
  std::vector<Slot> taken = std::move(waiting_);
  waiting_.clear();
  auto* states = reinterpret_cast<uint64_t*>(memory_ + kTableStatesAt);
  for (uint64_t i = 0; i < kSlotCount; i++) {
    if ((__atomic_load_n(&states[i], __ATOMIC_ACQUIRE) & UINT32_MAX) != kSlotFull) continue;
    Slot& copy = taken.emplace_back();
    std::memcpy(&copy, memory_ + kTableSlotsAt + i * kSlotSize, sizeof copy);
    __atomic_store_n(&states[i], uint64_t{kSlotFree}, __ATOMIC_RELEASE);
  }
  std::sort(taken.begin(), taken.end(), [](const Slot& a, const Slot& b) {
    return std::tie(a.time, a.pid, a.tid, a.kind) < std::tie(b.time, b.pid, b.tid, b.kind);
  });
  auto later =
      std::find_if(taken.begin(), taken.end(), [&](const Slot& slot) { return slot.time > until; });
  waiting_.assign(later, taken.end());
  taken.erase(later, taken.end());
  return taken;
}

uint64_t StepTable::lost_samples() const {
  return __atomic_load_n(&header()->lost_samples, __ATOMIC_RELAXED);
}

double StepTable::spent_seconds() const {
  const uint64_t ticks = __atomic_load_n(&header()->spent_ticks, __ATOMIC_RELAXED);
  return static_cast<double>(ticks) / static_cast<double>(header()->ticks_per_ms) / 1000;
}

}  // namespace pgo

// The second pass over a recording: threads take its blocks one by one. Each thread has its own
// worker, so that they share nothing while they read.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "converters/perf_data/recording.h"
#include "pgo/base/parallel.h"

namespace pgo::perf_data {

// How many workers are of use for `jobs` (0: all cores).
inline size_t workers_for(const Recording& recording, unsigned jobs) {
  size_t threads = resolve_jobs(jobs);
  // Compressed recordings have no blocks before they are inflated.
  return recording.compressed ? threads
                              : std::min(threads, std::max<size_t>(recording.blocks.size(), 1));
}

// Calls worker.read(records, position of the first one) for each block, on one of the workers, and
// worker.finish() once for each. `progress` may be empty; see SampleOptions.
template <typename Worker>
void read_blocks(const Recording& recording, const std::function<void(uint64_t)>& progress,
                 std::vector<Worker>& workers) {
  std::mutex mutex;
  // For compressed recordings, which inflate one by one.
  RecordStream stream(recording.data, recording.block_size);
  size_t next_block = 0;
  uint64_t bytes_done = 0;
  auto take_block = [&]() -> std::optional<RecordBlock> {
    std::lock_guard lock(mutex);
    if (recording.compressed) return stream.next();
    if (next_block == recording.blocks.size()) return std::nullopt;
    RecordBlock block{recording.blocks[next_block], recording.block_positions[next_block], {}};
    next_block++;
    return block;
  };
  parallel_for(workers.size(), static_cast<unsigned>(workers.size()), [&](size_t i) {
    while (std::optional<RecordBlock> block = take_block()) {
      workers[i].read(block->records, block->position);
      if (!progress) continue;
      std::lock_guard lock(mutex);
      progress(bytes_done += block->records.size());
    }
    workers[i].finish();
  });
}

}  // namespace pgo::perf_data

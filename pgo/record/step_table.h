// The recorder's side of the table that it shares with the processes under single steps
// (step/slot_table.h).
//
//   PGO_TRY(StepTable table, StepTable::create(directory.file("table"), settings));
//   for (const Slot& slot : table.take_new()) ...        many times a second
//   table.close();
//   for (const Slot& slot : table.take_rest()) ...
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/record/step/slot_table.h"

namespace pgo {

struct StepSettings {
  uint64_t period = 0;  // nanoseconds of CPU time of a thread between two bursts, at least
  uint32_t steps_per_burst = 0;
  uint32_t share_per_mille = 0;  // of the CPU time, which bursts may take
  uint64_t ticks_per_ms = 0;     // of the time stamp counter
  uint64_t step_ticks = 0;       // what a step costs here
};

class StepTable {
 public:
  // Error: kIo when the file cannot be made or its space not be allocated.
  static Result<StepTable> create(const std::string& path, const StepSettings& settings);

  StepTable(StepTable&& other) noexcept;
  StepTable& operator=(StepTable&&) = delete;
  ~StepTable();

  const std::string& path() const { return path_; }
  // What came before this call, in order of time: what a thread has put in is never before what
  // led to it.
  std::vector<Slot> take_new();
  // Processes that go on put nothing in any more.
  void close();
  std::vector<Slot> take_rest();

  uint64_t lost_samples() const;
  double spent_seconds() const;  // in bursts, by all threads

 private:
  StepTable(std::string path, uint8_t* memory) : path_(std::move(path)), memory_(memory) {}
  TableHeader* header() const;
  std::vector<Slot> take(uint64_t until);

  std::string path_;
  uint8_t* memory_;
  std::vector<Slot> waiting_;  // taken, but later than `until`
};

}  // namespace pgo

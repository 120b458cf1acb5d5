// Turns what processes under single steps have put into their table into the records of a
// perf.data: one part, for the assembly (part_assembly.h).
//
//   PGO_TRY(StepPart part, StepPart::begin(output.file("part"), period));
//   part.add(table.take_new());
//   part.end();
//
// Code that a process loads while it runs is found when a sample lies in it, if the process is
// still there.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/result.h"
#include "pgo/record/executable_mapping.h"
#include "pgo/record/step/slot_table.h"

namespace pgo {

// One at a time: the writer of parts (plugin/part_file.h) has one.
class StepPart {
 public:
  // Error: kIo.
  static Result<StepPart> begin(const std::string& path, uint64_t period);

  // In order of time.
  void add(const std::vector<Slot>& slots);
  void end();

  // What was not recorded, and why: "process 12 (server) is not recorded any further: ...", once
  // each.
  const std::vector<std::string>& notes() const { return notes_; }
  // How many threads began with signals blocked. Of a forked child that executes a program, only
  // the state at the start of that program counts.
  uint64_t blocked_threads() const { return blocked_threads_.size(); }
  // Samples without branches, which the timers took beside the bursts.
  uint64_t clock_samples() const { return clock_samples_; }
  // The CPU time that all samples stand for, in nanoseconds.
  uint64_t sampled_time() const { return sampled_time_; }

 private:
  struct Process {
    std::string name;
    std::vector<ExecutableMapping> mappings;
    uint64_t looked_at = 0;  // when its maps were read last
    bool is_copy = false;    // by a fork, and has not executed a program
  };
  struct FileKey {
    std::string path;
    uint64_t inode;
    auto operator<=>(const FileKey&) const = default;
  };

  StepPart() = default;
  void add(const Slot& slot);
  void add_program(const Slot& slot);
  void add_sample(const Slot& slot);
  void add_mappings(const Slot& slot, std::vector<ExecutableMapping> mappings);
  void look_for_code(const Slot& slot, Process& process);
  const BuildId& build_id_of(const ExecutableMapping& mapping);
  void put_task(const Slot& slot);

  std::map<uint32_t, Process> processes_;
  std::map<FileKey, BuildId> build_ids_;
  std::vector<std::string> notes_;
  std::set<std::string> known_notes_;
  std::set<uint32_t> blocked_threads_;
  uint64_t clock_samples_ = 0, sampled_time_ = 0;
  uint64_t period_ = 0;
  uint64_t clock_ = 0;     // the time of the last record
  uint64_t passed_ = 0;    // from there to the next one
  uint64_t branches_ = 0;  // since the last record
};

}  // namespace pgo

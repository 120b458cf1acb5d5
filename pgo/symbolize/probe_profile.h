// ProbeProfile: counts of a binary's code, gathered by pseudo probe and then turned into LLVM's
// nested maps: what llvm-profgen (LLVM 22) makes of probes, count for count. UnitProfile does the
// same for lines.
//
// A probe's count is how often its instruction ran; copies of a block add up, where copies of a
// line would not. A function's calls are the runs of its first probe.
#pragma once

#include <llvm/ProfileData/SampleProf.h>

#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/elf/probe_table.h"
#include "pgo/profile/code_counts.h"
#include "pgo/profile/code_map.h"

namespace pgo {

class ProbeProfile {
 public:
  // All must outlive the profile; names in it are those of `functions`.
  ProbeProfile(const ProbeFunctions& functions, const ProbeTable& table, const CodeMap& code);

  // Counts the probes of instructions in the segment; segments come in order and are disjoint.
  // O(log probes + probes in the segment).
  void add_segment(const Segment& segment);
  // Counts calls of `callee` by the instruction at `from`, when it has a probe of a call. Segments
  // come before calls.
  void add_call(ElfAddr from, llvm::StringRef callee, uint64_t count);

  // Call once, at the end.
  llvm::sampleprof::SampleProfileMap take_functions();
  uint64_t calls_without_probe() const { return calls_without_probe_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  struct ProbeCount {
    const Probe* probe;
    uint64_t count;
  };

  std::vector<ProbeCount> in_order_of_llvm() const;
  void count_bodies();
  llvm::sampleprof::FunctionSamples* samples_of(uint32_t record);
  bool is_nested(const ProbeRecord& record) const;

  const ProbeFunctions& functions_;
  const ProbeTable& table_;
  const CodeMap& code_;
  std::vector<ProbeCount> counts_;
  bool bodies_are_counted_ = false;
  llvm::sampleprof::SampleProfileMap profile_;
  // By record; null where nothing was counted.
  std::vector<llvm::sampleprof::FunctionSamples*> samples_;
  std::vector<uint64_t> totals_;  // by record; those of inlined records not yet included
  uint64_t calls_without_probe_ = 0;
  Diagnostics diagnostics_;
};

}  // namespace pgo

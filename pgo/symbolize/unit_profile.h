// UnitProfile: counts of the code of one compile unit, gathered by frame and line and then turned
// into LLVM's nested maps. Units are independent of one another, so each can have its own thread.
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/ProfileData/SampleProf.h>

#include <vector>

#include "pgo/dwarf/frame_table.h"
#include "pgo/elf/elf_image.h"
#include "pgo/profile/code_counts.h"
#include "pgo/profile/code_map.h"
#include "pgo/symbolize/discriminators.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

class UnitProfile {
 public:
  UnitProfile(const FrameTable& frames, const CodeMap& code, Discriminators discriminators,
              LineZero line_zero);

  // Counts the instructions that start in the segment. O(bytes).
  void add_segment(const Segment& segment);
  // Counts calls of `callee` by the instruction at `from`.
  void add_call(ElfAddr from, llvm::StringRef callee, uint64_t count);

  // Initializers of globals have the same name in every unit, so their counts belong to none: they
  // are left out, though what they were inlined into keeps its total.
  static bool is_ambiguous(llvm::StringRef name) {
    return name.starts_with("__cxx_global_var_init") || name.starts_with("__tls_init");
  }

  using Functions = llvm::MapVector<llvm::StringRef, llvm::sampleprof::FunctionSamples>;
  // Outermost functions by name, in the order in which they were first met; a call site has at
  // least the count of its calls. Call once, at the end.
  Functions take_functions();
  const LineCoverage& coverage() const { return coverage_; }

 private:
  struct LineCount {
    uint32_t frame, offset, discriminator;
    uint64_t count;
  };
  struct Call {
    uint32_t frame, offset, discriminator;
    llvm::StringRef callee;
    uint64_t count;
  };

  llvm::sampleprof::LineLocation location(uint32_t frame, SourceLine line) const;
  uint32_t base_discriminator(uint32_t discriminator) const;
  void make_samples(Functions& functions);

  const FrameTable& frames_;
  const CodeMap& code_;
  Discriminators discriminators_;
  LineZero line_zero_;
  std::vector<uint64_t> totals_;  // by frame, in bytes; those of inlined frames not yet included
  std::vector<bool> touched_;     // by frame
  std::vector<LineCount> lines_;
  std::vector<Call> calls_;
  // By frame; null where nothing was counted or the name is ambiguous.
  std::vector<llvm::sampleprof::FunctionSamples*> samples_;
  LineCoverage coverage_;
};

}  // namespace pgo

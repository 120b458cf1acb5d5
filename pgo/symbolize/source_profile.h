// SourceProfile: counts by source position: function, line offset in it, discriminator, inline
// stack; or by pseudo probe, the compiler's own numbers of blocks and calls. LLVM's own map with
// what it needs to stay valid, and what was found out on the way.
#pragma once

#include <llvm/ProfileData/SampleProf.h>

#include <memory>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/dwarf/debug_info.h"

namespace pgo {

// Shares of executed code bytes, weighted by how often they ran.
struct LineCoverage {
  uint64_t all = 0;            // executed bytes
  uint64_t no_function = 0;    // of no function in the debug information, or of one without probes
  uint64_t lines_only = 0;     // of these, in code of a compile unit, which may have lines
  uint64_t no_line = 0;        // with line 0: the compiler could not say where they come from
  uint64_t calls = 0;          // taken branches into functions
  uint64_t calls_no_line = 0;  // of these, from code with line 0, or without the probe of a call
  uint64_t broken_ranges = 0;  // ranges that no execution can have run through, in samples

  void add(const LineCoverage& other);
};

struct SourceProfile {
  llvm::sampleprof::SampleProfileMap functions;
  // Discriminators are flow-sensitive ones, which clang must be told.
  bool is_flow_sensitive = false;
  // Positions are probes, and each function has the checksum of its control flow.
  bool is_probe_based = false;
  LineCoverage coverage;
  Diagnostics diagnostics;
  // What the names in `functions` point into: debug information (which points into the ELF images
  // that it was opened from), or the profile that was read.
  std::vector<std::shared_ptr<const void>> names;

  // Adds the counts of another build's profile, by source position. Both must count by line or both
  // by probe. Where a function's checksum is another one, its probes are others too: the build that
  // ran more of it stays, with a warning.
  void add(SourceProfile other);
  // Sum of the body counts over the number of body records, at the function where the hottest 99 %
  // of all body counts end; llvm-profgen's measure of how dense a profile is. On `jobs` threads
  // (0: all cores), because it visits every record.
  double density(unsigned jobs) const;
};

}  // namespace pgo

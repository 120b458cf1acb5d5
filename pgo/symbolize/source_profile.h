// SourceProfile: counts by source position: function, line offset in it, discriminator, inline
// stack; or by pseudo probe, the compiler's own numbers of blocks and calls. LLVM's own map with
// what it needs to stay valid, and what was found out on the way.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"

// Declared only: its header takes a second in each unit, and most units pass profiles on.
namespace llvm::sampleprof {
class SampleProfileMap;
}  // namespace llvm::sampleprof

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

// LLVM's map of functions, as a value: a copy has a map of its own, and one that was moved from
// is empty.
class SampleFunctions {
 public:
  SampleFunctions();
  SampleFunctions(const SampleFunctions& other);
  SampleFunctions(SampleFunctions&& other) noexcept;
  SampleFunctions& operator=(SampleFunctions other) noexcept;
  ~SampleFunctions();

  const llvm::sampleprof::SampleProfileMap& map() const { return *map_; }
  llvm::sampleprof::SampleProfileMap& map() { return *map_; }

 private:
  std::unique_ptr<llvm::sampleprof::SampleProfileMap> map_;
};

class SourceProfile {
 public:
  // By name. Whoever looks into them includes <llvm/ProfileData/SampleProf.h>.
  const llvm::sampleprof::SampleProfileMap& functions() const { return functions_.map(); }
  llvm::sampleprof::SampleProfileMap& functions() { return functions_.map(); }
  size_t function_count() const;
  bool is_empty() const { return function_count() == 0; }
  // In no order; without those that are known by the hash of their name only.
  std::vector<std::string_view> function_names() const;

  // Discriminators are flow-sensitive ones, which clang must be told.
  bool is_flow_sensitive = false;
  // Positions are probes, and each function has the checksum of its control flow.
  bool is_probe_based = false;
  LineCoverage coverage;
  Diagnostics diagnostics;
  // What the names of functions point into: debug information (which points into the ELF images
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

 private:
  SampleFunctions functions_;
};

}  // namespace pgo

// What llvm-bolt prints of its work, as figures: how much of the profile fitted, and its estimate
// of what the code executes before and after ("dyno stats": the profile's counts times what is in
// the blocks, so they are exact for the profile and an estimate for anything else).
//
//   BOLT-INFO: 14 out of 29 functions in the binary (48.3%) have non-empty execution profile
//   BOLT-WARNING: 10 (76.9% of all profiled) functions have invalid (possibly stale) profile. ...
//   BOLT-WARNING: 22656 out of 22658 samples in the binary (100.0%) belong to functions with ...
//   BOLT-INFO: inference found an exact match for 11.72% of basic blocks (15 out of 128 stale)
//       responsible for 71.88% samples (16924 out of 23546 stale)     (in one line)
//   BOLT-INFO: program-wide dynostats after all optimizations before SCTC and FOP:
//
//                   7890 : executed forward branches
//   ...
//                   7985 : executed forward branches (+1.2%)
//
// When nothing changed, "(no change)" ends the heading and the second table is missing.
// Unknown lines are skipped: the words differ between versions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/diagnostics.h"

namespace pgo {

struct DynoStat {
  std::string name;  // "taken branches"
  uint64_t before = 0, after = 0;
  bool operator==(const DynoStat&) const = default;
};

struct BoltLog {
  std::vector<DynoStat> dyno_stats;  // in llvm-bolt's order
  std::optional<uint64_t> profiled_functions, functions;
  std::optional<uint64_t> absent_functions;  // of the profile, that the binary does not have
  std::optional<uint64_t> stale_functions;
  std::optional<uint64_t> inferred_functions;  // of the stale ones: by the blocks that match
  // Of the inferred functions: blocks that are the same, and all; and the samples in them, which
  // may be 0 of 0 where llvm-bolt knows the counts of branches only.
  std::optional<uint64_t> exact_blocks, stale_blocks, exact_samples, block_samples;
  std::optional<uint64_t> stale_samples, samples;
  std::optional<uint64_t> reordered_functions;  // whose blocks were put into another order
  std::optional<uint64_t> folded_functions;
  uint64_t split_on_input = 0;  // parts that the compiler had split off functions
  // Of BOLT-WARNING and BOLT-ERROR lines, but for split functions, the usual ones by what they mean
  // and nothing of those that mean nothing for the result; of all other warnings the first, under
  // the tool's name, and how many more there were.
  Diagnostics warnings;
  bool has_unknown_warnings = false;
  std::vector<std::string> errors;  // all other BOLT-ERROR lines: the result is not to be trusted

  // Of all samples of the profile; nothing stale where llvm-bolt did not say.
  struct Share {
    uint64_t part = 0, whole = 0;
    double value() const {
      return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
    }
  };
  Share stale_share() const { return {stale_samples.value_or(0), samples.value_or(0)}; }
  // By samples, if there are any: most blocks may be cold.
  Share exact_share() const {
    return block_samples.value_or(0) != 0
               ? Share{exact_samples.value_or(0), *block_samples}
               : Share{exact_blocks.value_or(0), stale_blocks.value_or(0)};
  }
};

// `tool` is whose it is: llvm-bolt or perf2bolt.
BoltLog parse_bolt_log(std::string_view log, const std::string& tool);

}  // namespace pgo

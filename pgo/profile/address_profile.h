// AddressProfile: what branch records, PC samples and BOLT have in common: counts keyed by the
// ELF virtual addresses of the binaries they fell into. Merged by addition; that is why merging
// recordings of many hosts is cheap, and why the order of inputs cannot matter.
#pragma once

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "pgo/base/build_id.h"
#include "pgo/base/diagnostics.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/address.h"
#include "pgo/profile/origins.h"

namespace pgo {

// Branch stacks are read in two ways where an entry leaves the binary's code: LLVM's tools remove
// an entry with both ends outside the code, BOLT's remove one that touches the kernel, and what
// was its neighbour then becomes adjacent. Nearly always both readings give the same trace, which
// is stored once as kBoth.
enum class TraceReading : uint8_t { kBoth, kLlvm, kBolt };

// A taken branch `from` -> `to`, then straight-line code from `to` up to and including the
// instruction that starts at `last`, the source of the next taken branch.
struct Trace {
  OptElfAddr from;  // nothing: outside this binary, or unknown
  OptElfAddr to;    // nothing: outside this binary
  OptElfAddr last;  // nothing: the newest entry of its stack, or the next one left the binary
  TraceReading reading = TraceReading::kBoth;
  uint64_t count = 0;

  bool operator==(const Trace&) const = default;
};

// A branch that the processor said it had predicted wrongly.
struct Mispredict {
  OptElfAddr from, to;
  uint64_t count = 0;

  bool operator==(const Mispredict&) const = default;
};

// Samples without branch stacks that were taken at one instruction. Both numbers are kept: weights
// add up hosts that sample at different rates, and the number of samples says how sure they are.
struct PcSample {
  ElfAddr pc;
  uint64_t samples = 0;
  uint64_t weight = 0;  // the sum of their sampling periods; of pprof, what its values say

  bool operator==(const PcSample&) const = default;
};

// What one frame of a sample's stack called, where both are of one binary. Each sample counts once
// for each pair of neighbours on its stack.
struct CallEdge {
  ElfAddr
      caller;  // where the caller goes on, behind its call; or within the call: producers differ
  ElfAddr callee;  // in what was called: the sample's own address, or that of a caller in its turn
  bool is_leaf = false;  // the former
  uint64_t count = 0;

  bool operator==(const CallEdge&) const = default;
};

// Counts for one ELF file. After normalize(), each vector is sorted by its key and keys are unique.
struct BinaryCounts {
  BuildId id;
  // For messages only; it tells binaries apart when neither has an id, and never otherwise.
  std::string path_hint;
  std::vector<Trace> traces;
  std::vector<Mispredict> mispredicts;
  std::vector<PcSample> pc_samples;
  std::vector<CallEdge> calls;  // of the stacks of PC samples, where these have any

  void normalize(unsigned jobs = 1);
  bool empty() const { return traces.empty() && pc_samples.empty(); }
  // How many PC samples there are, and the sum of their weights.
  uint64_t pc_sample_count() const;
  uint64_t pc_sample_weight() const;
  bool operator==(const BinaryCounts&) const = default;
};

// Have samples of an event branch records? In this order: what is known of several inputs together
// is the largest of them.
enum class BranchRecords : uint8_t {
  kNone,     // all are PC samples
  kUnknown,  // address profiles of earlier versions do not say it
  kSome,
};

// What was counted, of each event that contributed.
struct EventInfo {
  std::string name;
  uint64_t samples = 0;
  // The sampling period, or the samples per second when `is_frequency`.
  uint64_t period = 0;
  bool is_frequency = false;
  BranchRecords branch_records = BranchRecords::kUnknown;

  bool operator==(const EventInfo&) const = default;
};

struct AddressProfile {
  std::vector<BinaryCounts> binaries;  // sorted by id; those without one first, by path_hint
  std::vector<EventInfo> events;
  Accounting samples;   // in samples
  Accounting branches;  // in branch records
  uint64_t lost = 0;    // samples that the kernel says it could not store
  Origins origins;      // as far as known
  Diagnostics diagnostics;

  // Sorts everything by key and adds up equal keys, on `jobs` threads (0: all cores). O(n log n).
  // To add up several profiles: AddressMerger.
  void normalize(unsigned jobs = 1);
  bool has_traces() const;
  // The first broken invariant of a normalized profile, or nothing.
  std::optional<std::string> check() const;
  // Stable text, the format of golden tests.
  void dump(std::ostream& out) const;
  bool operator==(const AddressProfile&) const = default;
};

}  // namespace pgo

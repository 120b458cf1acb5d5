// From the counts of one binary to a SourceProfile: what llvm-profgen (LLVM 22) does, count for
// count. By pseudo probe where the binary has them, else by line, and then with each step done once
// for a run of instructions instead of for each one.
//
//   PGO_TRY(SourceProfile profile, build_source_profile(binary, counts, {}));
#pragma once

#include <functional>

#include "pgo/elf/elf_image.h"
#include "pgo/profile/address_profile.h"
#include "pgo/profile/code_map.h"
#include "pgo/symbolize/frame_table.h"
#include "pgo/symbolize/source_profile.h"

namespace pgo {

// One binary with the files that describe it; `symbols`, `debug` and `probes` are `image` itself
// unless they were split off. All must outlive the profiles made from them.
struct SymbolizedBinary {
  const ElfImage* image = nullptr;
  const ElfImage* symbols = nullptr;
  const ElfImage* debug = nullptr;
  const CodeMap* code = nullptr;
  const ElfImage* probes = nullptr;  // null: count by line
};

// Calls from outside the binary have no source. llvm-profgen looks one up at address 1, where
// linkers may have left a function that they removed, and then gives that function the calls.
enum class OutsideCallers { kLeaveOut, kAtAddressOne };

// What llvm-profgen gets wrong of GCC's code. It takes discriminators, which are plain numbers, for
// LLVM's encoding: it mixes some of them up, and from 9 on multiplies counts. And functions of
// internal linkage, which have no linkage name in GCC's debug information, are one function to it
// when they have one name in their scopes; symbols tell them apart.
enum class GccCode { kUnderstood, kAsLlvmProfgen };

// How lines are counted does not matter to probes.
struct BuildOptions {
  unsigned jobs = 0;  // threads; 0: all cores
  GccCode gcc_code = GccCode::kUnderstood;
  LineZero line_zero = LineZero::kSkip;
  OutsideCallers outside_callers = OutsideCallers::kLeaveOut;
  // Is told compile units done and in all, from one thread at a time; may be empty.
  std::function<void(uint64_t done, uint64_t total)> progress;
};

// By line, totals are in bytes: count times size of each instruction, inlined code included, and a
// line's count is the largest of its instructions'. By probe, totals are sums of the probes'
// counts. Functions that ran get a zero for each of their lines or probes that did not. `counts`
// may be moved in: they are freed early, which matters with millions.
Result<SourceProfile> build_source_profile(const SymbolizedBinary& binary, BinaryCounts counts,
                                           const BuildOptions& options);

}  // namespace pgo

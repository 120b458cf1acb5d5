// What llvm-profgen (LLVM 22) gets wrong of source positions, and how --compat=llvm-profgen asks
// for the same: counts that differ from ours where ours are right, so that the two can be compared
// count for count. Each quirk has a name here and its reason; what is not named is done as
// llvm-profgen does, because it is right.
#pragma once

#include "pgo/dwarf/frame_table.h"

namespace pgo {

// Calls from outside the binary have no source. llvm-profgen looks one up at address 1, where
// linkers may have left a function that they removed, and then gives that function the calls.
enum class OutsideCallers { kLeaveOut, kAtAddressOne };

// What llvm-profgen gets wrong of GCC's code. It takes discriminators, which are plain numbers, for
// LLVM's encoding: it mixes some of them up, and from 9 on multiplies counts. And functions of
// internal linkage, which have no linkage name in GCC's debug information, are one function to it
// when they have one name in their scopes; symbols tell them apart.
enum class GccCode { kUnderstood, kAsLlvmProfgen };

struct LlvmProfgenQuirks {
  GccCode gcc_code = GccCode::kUnderstood;
  // Code without a line is at line 0, which llvm-profgen writes as an offset that means nothing.
  LineZero line_zero = LineZero::kSkip;
  OutsideCallers outside_callers = OutsideCallers::kLeaveOut;

  static constexpr LlvmProfgenQuirks all() {
    return {GccCode::kAsLlvmProfgen, LineZero::kWrite, OutsideCallers::kAtAddressOne};
  }
};

}  // namespace pgo

// Instruction: what inferring counts needs to know of one machine instruction: where control goes
// after it, and what tells how long it takes.
#pragma once

#include <cstdint>

#include "pgo/profile/address.h"

namespace pgo::infer {

// Where control goes after an instruction.
enum class Control : uint8_t {
  kNext,
  kConditionalJump,
  kJump,
  kIndirectJump,
  kCall,
  kIndirectCall,
  kReturn,
  kTrap,  // nowhere
};

// What of an instruction decides how long it takes to retire, as far as samples show it.
struct Cost {
  bool after_compare_fuses : 1 = false;  // a conditional jump after it is one operation with it
  bool division : 1 = false;
  bool load : 1 = false;
  bool move : 1 = false;
  bool pop : 1 = false;
  bool push : 1 = false;
  bool slow : 1 = false;  // a latency of three cycles or more
  bool store : 1 = false;
};

struct Instruction {
  ElfAddr addr;
  OptElfAddr target;  // of direct jumps and calls
  OptElfAddr slot;    // of calls and jumps through memory at a fixed place: where the address is
  uint8_t size = 0;
  bool padding = false;  // does nothing, as what aligns code
  Control control = Control::kNext;
  Cost cost;

  ElfAddr end() const { return ElfAddr{addr.value + size}; }
  bool is_call() const { return control == Control::kCall || control == Control::kIndirectCall; }
};

}  // namespace pgo::infer

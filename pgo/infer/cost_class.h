// Cost classes: how many samples an execution of an instruction leaves behind.
//
// A timer's sample names the instruction after the one that the processor was waiting for, so the
// class of an instruction is decided by the one before it in its block, and for the first one of a
// block by how control gets there. Each class has an expected number of samples per execution,
// relative to plain arithmetic, and a dispersion k: how alike its instructions are (of a negative
// binomial; small means untrustworthy).
//
// The figures were fitted to exact counts of two programs, SQLite and Lua, sampled by cpu-clock on
// an AMD Zen 4 guest, and are the geometric mean of the two fits. Another processor has others, but
// little depends on them: with all alike the result is a few per cent worse.
#pragma once

#include <array>
#include <vector>

#include "pgo/infer/control_flow_graph.h"

namespace pgo::infer {

enum class CostClass : uint8_t {
  kPlain,
  kStore,
  kLoadMove,
  kLoadOther,
  kPop,
  kSlow,
  kDivision,
  kFusedJump,
  kAfterCall,
  kFirstOfFunction,
  kFirstAfterFall,
  kFirstAfterJump,
  kFirstAfterBoth,
  kFirstOfSwitch,
};
inline constexpr size_t kCostClasses = 14;

struct CostTable {
  std::array<double, kCostClasses> samples;     // per execution, relative
  std::array<double, kCostClasses> dispersion;  // k
};

// What holds where nothing better is known.
extern const CostTable kPooledCosts;

// The class of each instruction of `graph`.
std::vector<CostClass> classify_costs(const ControlFlowGraph& graph);

}  // namespace pgo::infer

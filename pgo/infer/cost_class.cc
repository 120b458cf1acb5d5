#include "pgo/infer/cost_class.h"

namespace pgo::infer {

const CostTable kPooledCosts = {
    {1, 1.88, 5.65, 6.40, .68, 1.08, 10.1, 1.19, 2.25, 1.37, .36, .68, .95, 2.01},
    {.30, .32, .29, .43, .53, .27, .59, .18, .33, .52, .07, .06, .14, .88},
};

namespace {

// How control can get to a block.
struct Entered {
  bool by_fall = false, by_jump = false, by_switch = false;
};

CostClass class_of_first(uint32_t block, const Entered& entered) {
  if (block == 0) return CostClass::kFirstOfFunction;
  if (entered.by_switch) return CostClass::kFirstOfSwitch;
  if (entered.by_jump && entered.by_fall) return CostClass::kFirstAfterBoth;
  return entered.by_jump ? CostClass::kFirstAfterJump : CostClass::kFirstAfterFall;
}

CostClass class_behind(const Instruction& before, const Instruction& instruction) {
  const Cost& cost = before.cost;
  if (instruction.control == Control::kConditionalJump && cost.after_compare_fuses)
    return CostClass::kFusedJump;
  if (before.is_call()) return CostClass::kAfterCall;
  if (cost.division) return CostClass::kDivision;
  if (cost.load && !cost.pop && !cost.push)
    return cost.move ? CostClass::kLoadMove : CostClass::kLoadOther;
  if (cost.pop) return CostClass::kPop;
  if (cost.store) return CostClass::kStore;
  return cost.slow ? CostClass::kSlow : CostClass::kPlain;
}

}  // namespace

std::vector<CostClass> classify_costs(const ControlFlowGraph& graph) {
  std::vector<Entered> entered(graph.blocks.size());
  for (const Edge& edge : graph.edges) {
    if (edge.kind == Edge::kTaken) entered[edge.target].by_jump = true;
    if (edge.kind == Edge::kFallThrough) entered[edge.target].by_fall = true;
    if (edge.kind == Edge::kSwitch) entered[edge.target].by_switch = true;
  }
  std::vector<CostClass> classes(graph.instructions.size());
  for (uint32_t b = 0; b < graph.blocks.size(); b++) {
    const Block& block = graph.blocks[b];
    classes[block.first] = class_of_first(b, entered[b]);
    for (uint32_t i = block.first + 1; i < block.first + block.count; i++)
      classes[i] = class_behind(graph.instructions[i - 1], graph.instructions[i]);
  }
  return classes;
}

}  // namespace pgo::infer

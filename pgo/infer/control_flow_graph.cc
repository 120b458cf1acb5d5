#include "pgo/infer/control_flow_graph.h"

#include <algorithm>

namespace pgo::infer {
namespace {

// Makes the graph of one function, step by step.
class Assembly {
 public:
  Assembly(ControlFlowGraph& graph, const FunctionCode& code, const JumpTables& tables,
           const std::vector<bool>& barriers)
      : graph_(graph), code_(code), tables_(tables), barriers_(barriers) {}

  void cut_blocks();
  void add_edges();
  void find_sources();

 private:
  const Instruction& instruction(uint32_t i) const { return code_.instructions[i]; }
  // The instruction of this function that a direct jump goes to. A jump to the entry counts; to
  // another function it is a tail call.
  std::optional<uint32_t> target_of(uint32_t i) const {
    if (!instruction(i).target) return std::nullopt;
    return code_.find_start(*instruction(i).target);
  }
  const JumpTables::Jump* table_of(uint32_t i) const;
  void add_edge(uint32_t source, uint32_t target, Edge::Kind kind) {
    graph_.edges.push_back({source, target, kind});
  }
  void add_edges_of(uint32_t block);
  bool is_padding(uint32_t block) const;
  void mark_reached(uint32_t root, const std::vector<uint32_t>& first_edge,
                    std::vector<bool>& reached) const;

  ControlFlowGraph& graph_;
  const FunctionCode& code_;
  const JumpTables& tables_;
  const std::vector<bool>& barriers_;
};

const JumpTables::Jump* Assembly::table_of(uint32_t i) const {
  auto found = std::lower_bound(
      tables_.jumps.begin(), tables_.jumps.end(), i,
      [](const JumpTables::Jump& jump, uint32_t wanted) { return jump.instruction < wanted; });
  return found != tables_.jumps.end() && found->instruction == i ? &*found : nullptr;
}

void Assembly::cut_blocks() {
  auto count = static_cast<uint32_t>(code_.instructions.size());
  std::vector<bool> leads(count);
  leads[0] = true;
  for (uint32_t i = 0; i < count; i++) {
    Control control = instruction(i).control;
    bool jumps = control == Control::kJump || control == Control::kConditionalJump;
    if (jumps)
      if (std::optional<uint32_t> target = target_of(i)) leads[*target] = true;
    if ((barriers_[i] || control == Control::kConditionalJump) && i + 1 < count)
      leads[i + 1] = true;
    // Bytes in between were no instruction; control does not run across them.
    if (i + 1 < count && instruction(i).end() != instruction(i + 1).addr) leads[i + 1] = true;
  }
  for (const JumpTables::Jump& jump : tables_.jumps)
    for (uint32_t target : jump.targets) leads[target] = true;
  for (uint32_t i = 0; i < count; i++) {
    if (leads[i]) graph_.blocks.push_back({i, 0});
    graph_.blocks.back().count++;
  }
}

void Assembly::add_edges_of(uint32_t block) {
  uint32_t last = graph_.blocks[block].first + graph_.blocks[block].count - 1;
  Control control = instruction(last).control;
  bool is_jump = control == Control::kJump || control == Control::kConditionalJump;
  if (is_jump) {
    if (std::optional<uint32_t> target = target_of(last)) {
      add_edge(block, graph_.block_of(*target), Edge::kTaken);
    } else {
      graph_.calls.push_back({last, block, {}, instruction(last).target});
      if (control == Control::kConditionalJump) {
        graph_.calls.back().edge = static_cast<uint32_t>(graph_.edges.size());
        add_edge(block, 0, Edge::kExit);
      }
    }
  } else if (control == Control::kIndirectJump) {
    if (const JumpTables::Jump* jump = table_of(last)) {
      graph_.guessed_jumps += jump->guessed;
      for (uint32_t target : jump->targets) add_edge(block, graph_.block_of(target), Edge::kSwitch);
    } else {
      graph_.calls.push_back({last, block, {}, {}});
    }
  }
  bool runs_on = !barriers_[last] && block + 1 < graph_.blocks.size() &&
                 instruction(last).end() == instruction(last + 1).addr;
  if (runs_on) add_edge(block, block + 1, Edge::kFallThrough);
}

void Assembly::add_edges() {
  for (uint32_t block = 0; block < graph_.blocks.size(); block++) {
    const Block& extent = graph_.blocks[block];
    for (uint32_t i = extent.first; i < extent.first + extent.count; i++)
      if (instruction(i).is_call()) graph_.calls.push_back({i, block, {}, instruction(i).target});
    add_edges_of(block);
  }
}

void Assembly::mark_reached(uint32_t root, const std::vector<uint32_t>& first_edge,
                            std::vector<bool>& reached) const {
  std::vector<uint32_t> left = {root};
  reached[root] = true;
  while (!left.empty()) {
    uint32_t block = left.back();
    left.pop_back();
    for (uint32_t e = first_edge[block]; e < first_edge[block + 1]; e++) {
      const Edge& edge = graph_.edges[e];
      if (edge.kind == Edge::kExit || reached[edge.target]) continue;
      reached[edge.target] = true;
      left.push_back(edge.target);
    }
  }
}

bool Assembly::is_padding(uint32_t block) const {
  auto begin = code_.instructions.begin() + graph_.blocks[block].first;
  return std::all_of(begin, begin + graph_.blocks[block].count,
                     [](const Instruction& i) { return i.padding; });
}

// What the entry does not reach: landing pads, and targets of jumps that were not understood. First
// the blocks that nothing leads to, then any, as in an unreached loop.
void Assembly::find_sources() {
  size_t count = graph_.blocks.size();
  std::vector<uint32_t> first_edge(count + 1);
  std::vector<bool> is_entered(count), reached(count);
  for (const Edge& edge : graph_.edges) {
    first_edge[edge.source + 1]++;
    if (edge.kind != Edge::kExit) is_entered[edge.target] = true;
  }
  for (size_t i = 0; i < count; i++) first_edge[i + 1] += first_edge[i];
  auto add = [&](uint32_t block) {
    graph_.sources.push_back(block);
    mark_reached(block, first_edge, reached);
  };
  add(0);
  for (uint32_t block = 0; block < count; block++)
    if (!reached[block] && !is_entered[block] && !is_padding(block)) add(block);
  for (uint32_t block = 0; block < count; block++)
    if (!reached[block] && !is_padding(block)) add(block);
}

}  // namespace

uint32_t ControlFlowGraph::block_of(uint32_t instruction) const {
  auto after = std::upper_bound(blocks.begin(), blocks.end(), instruction,
                                [](uint32_t i, const Block& block) { return i < block.first; });
  return static_cast<uint32_t>(after - blocks.begin()) - 1;
}

// The instructions after which control does not go on to the next one.
std::vector<bool> GraphBuilder::find_barriers(const FunctionCode& code) const {
  std::vector<bool> barriers(code.instructions.size());
  for (uint32_t i = 0; i < barriers.size(); i++) {
    const Instruction& instruction = code.instructions[i];
    switch (instruction.control) {
      case Control::kJump:
      case Control::kIndirectJump:
      case Control::kReturn:
      case Control::kTrap: barriers[i] = true; break;
      case Control::kCall:
        barriers[i] = no_return_.never_returns(*instruction.target, decoder_);
        break;
      case Control::kIndirectCall:
        if (OptElfAddr slot = instruction.slot)
          barriers[i] = no_return_.never_returns_through(*slot);
        break;
      case Control::kNext:
      case Control::kConditionalJump: break;
    }
  }
  return barriers;
}

std::optional<ControlFlowGraph> GraphBuilder::build(const FunctionSymbol& function) const {
  FunctionCode code = decoder_.decode(function.bytes, function.begin);
  if (code.instructions.empty()) return std::nullopt;
  ControlFlowGraph graph;
  graph.function = function;
  JumpTables tables = tables_.read(code);
  std::vector<bool> barriers = find_barriers(code);
  Assembly assembly(graph, code, tables, barriers);
  assembly.cut_blocks();
  assembly.add_edges();
  assembly.find_sources();
  graph.instructions = std::move(code.instructions);
  return graph;
}

}  // namespace pgo::infer

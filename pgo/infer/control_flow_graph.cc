#include "pgo/infer/control_flow_graph.h"

#include <algorithm>

namespace pgo::infer {
namespace {

// Makes the graph of one function, step by step.
class Assembly {
 public:
  Assembly(ControlFlowGraph& graph, const FunctionCode& code, const JumpTables& tables,
           const Endings& endings)
      : graph_(graph), code_(code), tables_(tables), endings_(endings) {}

  void cut_blocks();
  void add_edges();
  void find_sources();
  void find_dead_ends();

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
  uint32_t last_of(uint32_t block) const {
    return graph_.blocks[block].first + graph_.blocks[block].count - 1;
  }
  bool fails(uint32_t block) const;
  void mark_reached(uint32_t root, const std::vector<uint32_t>& first_edge,
                    std::vector<bool>& reached) const;

  ControlFlowGraph& graph_;
  const FunctionCode& code_;
  const JumpTables& tables_;
  const Endings& endings_;
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
    if ((endings_.barriers[i] || control == Control::kConditionalJump) && i + 1 < count)
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
  uint32_t last = last_of(block);
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
  bool runs_on = !endings_.barriers[last] && block + 1 < graph_.blocks.size() &&
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

// Does a block without a way on end in a failure?
bool Assembly::fails(uint32_t block) const {
  uint32_t last = last_of(block);
  if (endings_.barriers[last]) return endings_.failures[last];
  // It runs on into nothing: what was called last never returns, or there would be code behind it.
  while (last > graph_.blocks[block].first && instruction(last).padding) last--;
  return instruction(last).is_call();
}

// The least fixed point, from the failures backwards: a block is a dead end when it fails, or when
// it has ways out and all of them lead to dead ends. A loop would have to be a dead end before it
// becomes one, so none is.
void Assembly::find_dead_ends() {
  size_t count = graph_.blocks.size();
  std::vector<uint32_t> ways_left(count);
  std::vector<std::vector<uint32_t>> before(count);
  std::vector<bool> fails_to_leave(graph_.edges.size());
  for (size_t e = 0; e < graph_.edges.size(); e++) {
    const Edge& edge = graph_.edges[e];
    fails_to_leave[e] = edge.kind == Edge::kExit && endings_.failures[last_of(edge.source)];
    if (!fails_to_leave[e]) ways_left[edge.source]++;
    if (edge.kind != Edge::kExit) before[edge.target].push_back(edge.source);
  }
  auto add = [&](uint32_t block) {
    graph_.blocks[block].dead_end = true;
    graph_.dead_ends.push_back(block);
  };
  std::vector<bool> has_ways(count);
  for (const Edge& edge : graph_.edges) has_ways[edge.source] = true;
  for (uint32_t block = 0; block < count; block++)
    if (has_ways[block] ? ways_left[block] == 0 : fails(block)) add(block);
  for (size_t i = 0; i < graph_.dead_ends.size(); i++)
    for (uint32_t source : before[graph_.dead_ends[i]])
      if (--ways_left[source] == 0) add(source);
  for (size_t e = 0; e < graph_.edges.size(); e++) {
    Edge& edge = graph_.edges[e];
    bool ends = edge.kind == Edge::kExit ? fails_to_leave[e] : graph_.blocks[edge.target].dead_end;
    edge.to_dead_end = ends && !graph_.blocks[edge.source].dead_end;
  }
}

}  // namespace

uint32_t ControlFlowGraph::block_of(uint32_t instruction) const {
  auto after = std::upper_bound(blocks.begin(), blocks.end(), instruction,
                                [](uint32_t i, const Block& block) { return i < block.first; });
  return static_cast<uint32_t>(after - blocks.begin()) - 1;
}

size_t ControlFlowGraph::first_edge_of(uint32_t block) const {
  auto found = std::lower_bound(edges.begin(), edges.end(), block,
                                [](const Edge& edge, uint32_t b) { return edge.source < b; });
  return static_cast<size_t>(found - edges.begin());
}

std::optional<uint32_t> ControlFlowGraph::call_by(uint32_t instruction) const {
  auto found =
      std::lower_bound(calls.begin(), calls.end(), instruction,
                       [](const CallSite& call, uint32_t i) { return call.instruction < i; });
  if (found == calls.end() || found->instruction != instruction) return std::nullopt;
  return static_cast<uint32_t>(found - calls.begin());
}

std::optional<uint32_t> ControlFlowGraph::instruction_at(ElfAddr addr) const {
  auto after = std::upper_bound(
      instructions.begin(), instructions.end(), addr,
      [](ElfAddr a, const Instruction& instruction) { return a < instruction.addr; });
  if (after == instructions.begin() || addr >= std::prev(after)->end()) return std::nullopt;
  return static_cast<uint32_t>(after - instructions.begin()) - 1;
}

std::optional<uint32_t> ControlFlowGraph::instruction_starting_at(ElfAddr addr) const {
  const std::optional<uint32_t> found = instruction_at(addr);
  return found && instructions[*found].addr == addr ? found : std::nullopt;
}

std::optional<uint32_t> ControlFlowGraph::block_starting_at(ElfAddr addr) const {
  const std::optional<uint32_t> instruction = instruction_starting_at(addr);
  if (!instruction) return std::nullopt;
  const uint32_t block = block_of(*instruction);
  return blocks[block].first == *instruction ? std::optional(block) : std::nullopt;
}

uint32_t ControlFlowGraph::block_ending_from(ElfAddr addr) const {
  auto found =
      std::lower_bound(blocks.begin(), blocks.end(), addr, [&](const Block& block, ElfAddr a) {
        return instructions[block.first + block.count - 1].addr < a;
      });
  return static_cast<uint32_t>(found - blocks.begin());
}

ElfAddr ControlFlowGraph::last_address_of(uint32_t block) const {
  return instructions[blocks[block].first + blocks[block].count - 1].addr;
}

const ControlFlowGraph* find_graph(const std::vector<ControlFlowGraph>& graphs, ElfAddr addr) {
  auto after = std::upper_bound(
      graphs.begin(), graphs.end(), addr,
      [](ElfAddr a, const ControlFlowGraph& graph) { return a < graph.function.begin; });
  if (after == graphs.begin() || addr >= std::prev(after)->function.end) return nullptr;
  return &*std::prev(after);
}

Endings GraphBuilder::find_endings(const FunctionCode& code) const {
  size_t count = code.instructions.size();
  Endings endings{std::vector<bool>(count), std::vector<bool>(count)};
  for (size_t i = 0; i < count; i++) {
    const Instruction& instruction = code.instructions[i];
    Outcome outcome = Outcome::kReturns;
    bool is_barrier = false;
    switch (instruction.control) {
      case Control::kTrap:
        is_barrier = true;
        outcome = Outcome::kFails;
        break;
      case Control::kReturn: is_barrier = true; break;
      case Control::kJump:
      case Control::kConditionalJump:
        is_barrier = instruction.control == Control::kJump;
        if (instruction.target && !code.find_start(*instruction.target))
          outcome = no_return_.outcome(*instruction.target, decoder_);
        break;
      case Control::kCall:
        outcome = no_return_.outcome(*instruction.target, decoder_);
        is_barrier = outcome != Outcome::kReturns;
        break;
      case Control::kIndirectJump:
      case Control::kIndirectCall:
        if (instruction.slot) outcome = no_return_.outcome_through(*instruction.slot);
        is_barrier = !instruction.is_call() || outcome != Outcome::kReturns;
        break;
      case Control::kNext: break;
    }
    endings.barriers[i] = is_barrier;
    endings.failures[i] = outcome == Outcome::kFails;
  }
  return endings;
}

std::optional<ControlFlowGraph> GraphBuilder::build(const FunctionSymbol& function) const {
  FunctionCode code = decoder_.decode(function.bytes, function.begin);
  if (code.instructions.empty()) return std::nullopt;
  ControlFlowGraph graph;
  graph.function = function;
  JumpTables tables = tables_.read(code);
  Endings endings = find_endings(code);
  Assembly assembly(graph, code, tables, endings);
  assembly.cut_blocks();
  assembly.add_edges();
  assembly.find_sources();
  assembly.find_dead_ends();
  graph.instructions = std::move(code.instructions);
  return graph;
}

}  // namespace pgo::infer

#include "pgo/infer/observed_calls.h"

#include <algorithm>
#include <map>
#include <set>

namespace pgo::infer {
namespace {

// So many samples at first instructions tell calls better than time does, and so many in a function
// itself tell its calls better than what is below them.
constexpr double kEnoughSamples = 20;
// What a sample below a function is worth then, where none is in the function itself.
constexpr double kBelowAsOwn = .01;
// Of functions that nothing was sampled in.
constexpr double kLeastEntries = 1e-3;

// What was seen of calls of a function, in samples: `own` are in the function itself, `below` also
// in what it calls.
struct Seen {
  double at_entry = 0, own = 0, below = 0;

  void add(double samples, bool in_itself, bool at_first) {
    below += samples;
    if (in_itself) own += samples;
    if (at_first) at_entry += samples;
  }
};

ElfAddr before(ElfAddr addr) { return ElfAddr{addr.value - 1}; }

// The call that a caller's address is of.
std::optional<CallPlace> find_place(const std::vector<ControlFlowGraph>& graphs, ElfAddr caller) {
  const ControlFlowGraph* graph = find_graph(graphs, before(caller));
  if (graph == nullptr) return std::nullopt;
  const std::optional<uint32_t> preceding = graph->instruction_at(before(caller));
  const std::optional<uint32_t> at = graph->instruction_at(caller);
  auto is_call = [&](uint32_t i) { return graph->instructions[i].is_call(); };
  std::optional<uint32_t> site;
  if (preceding && is_call(*preceding) && graph->instructions[*preceding].end() == caller)
    site = graph->call_by(*preceding);
  else if (at && is_call(*at))
    site = graph->call_by(*at);
  if (!site) return std::nullopt;
  return CallPlace{static_cast<size_t>(graph - graphs.data()), *site};
}

// How control leaves a function.
struct WaysOut {
  std::vector<ElfAddr> callees;  // that are known, sorted
  // The number of the one indirect jump by which it leaves for another function. With several of
  // them nobody knows which it was.
  std::optional<size_t> jump;

  static WaysOut of(const ControlFlowGraph& graph) {
    WaysOut ways;
    size_t jumps = 0;
    for (size_t c = 0; c < graph.calls.size(); c++) {
      const CallSite& call = graph.calls[c];
      if (call.callee)
        ways.callees.push_back(*call.callee);
      else if (!graph.instructions[call.instruction].is_call() && jumps++ == 0)
        ways.jump = c;
    }
    if (jumps != 1) ways.jump.reset();
    std::sort(ways.callees.begin(), ways.callees.end());
    return ways;
  }
};

// What was called went on into `entry` and is no longer on the stack: the jump that did it. Nothing
// when it is known already where all its jumps go.
std::optional<CallPlace> find_jump_to(const std::vector<ControlFlowGraph>& graphs,
                                      const std::vector<WaysOut>& ways_out, ElfAddr called,
                                      ElfAddr entry) {
  const ControlFlowGraph* found = find_graph(graphs, called);
  if (found == nullptr || found->function.begin != called) return std::nullopt;
  const auto graph = static_cast<size_t>(found - graphs.data());
  const WaysOut& ways = ways_out[graph];
  if (!ways.jump || std::binary_search(ways.callees.begin(), ways.callees.end(), entry))
    return std::nullopt;
  return CallPlace{graph, *ways.jump};
}

// `loops`: functions that are at their first instruction more often than they are called.
std::vector<CallTarget> share_out(const std::map<ElfAddr, Seen>& seen,
                                  const std::set<ElfAddr>& loops) {
  double entries = 0, below = 0;
  bool each_tells_entries = true;
  for (const auto& [entry, one] : seen) {
    entries += one.at_entry;
    below += one.below;
    if (loops.contains(entry)) each_tells_entries = false;
  }
  bool by_entries = each_tells_entries && entries >= kEnoughSamples;
  std::vector<CallTarget> targets;
  for (const auto& [entry, one] : seen)
    targets.push_back({entry, by_entries ? one.at_entry / entries : one.below / below});
  return targets;
}

// Of a pair of frames, what was called, and from where, unless the caller was not sampled itself or
// called something else that went on in a way that is not known.
struct Call {
  ElfAddr entry;
  std::optional<CallPlace> place;
};

// The call from `place` to the function that has this address.
std::optional<Call> resolve(const std::vector<ControlFlowGraph>& graphs,
                            const std::vector<WaysOut>& ways_out, const FunctionSymbols& functions,
                            std::optional<CallPlace> place, ElfAddr callee_addr) {
  std::optional<uint32_t> callee = functions.find(callee_addr);
  if (!callee) return std::nullopt;
  OptElfAddr target;
  if (place) target = graphs[place->graph].calls[place->call].callee;
  // But for calls of the part itself: those that LLVM's hot-cold splitting makes.
  bool calls_it = target && *target == functions.functions()[*callee].begin;
  if (!calls_it) callee = functions.entered_by(*callee);
  if (!callee) return std::nullopt;
  ElfAddr entry = functions.functions()[*callee].begin;
  if (target && *target != entry) place = find_jump_to(graphs, ways_out, *target, entry);
  return Call{entry, place};
}

// Functions that loop to their first instruction: a sample there need not be of a call.
std::set<ElfAddr> find_loops(const std::vector<ControlFlowGraph>& graphs) {
  std::set<ElfAddr> found;
  for (const ControlFlowGraph& graph : graphs)
    for (const Edge& edge : graph.edges)
      if (edge.kind != Edge::kExit && edge.target == 0) found.insert(graph.function.begin);
  return found;
}

// The part of all calls of a function that are from `here`.
CallTarget weigh_part(CallTarget target, const Seen& here, const Seen& everywhere) {
  bool by_own = everywhere.own >= kEnoughSamples;
  auto time = [&](const Seen& seen) {
    return by_own ? seen.own + kBelowAsOwn * seen.below : seen.below;
  };
  target.samples = time(here);
  target.part = time(here) / time(everywhere);
  return target;
}

}  // namespace

std::vector<FunctionCalls> observe_calls(const std::vector<ControlFlowGraph>& graphs,
                                         const FunctionSymbols& functions,
                                         const std::vector<CallEdge>& calls,
                                         const std::vector<RecordedCall>& recorded, double weight) {
  std::vector<FunctionCalls> observed;
  std::vector<WaysOut> ways_out;
  for (const ControlFlowGraph& graph : graphs) {
    observed.emplace_back(graph.calls.size());
    ways_out.push_back(WaysOut::of(graph));
  }
  std::set<ElfAddr> loops = find_loops(graphs);
  std::map<std::pair<size_t, size_t>, std::map<ElfAddr, Seen>> sites;  // and their targets
  std::map<ElfAddr, Seen> all;                                         // calls, by what was called
  // `at` is the address in what was called.
  auto count = [&](const std::optional<Call>& call, ElfAddr at, bool is_leaf, uint64_t number) {
    if (!call) return;
    const double samples = static_cast<double>(number) / weight;
    const bool at_first = is_leaf && at == call->entry && !loops.contains(call->entry);
    all[call->entry].add(samples, is_leaf, at_first);
    if (call->place)
      sites[{call->place->graph, call->place->call}][call->entry].add(samples, is_leaf, at_first);
  };
  for (const RecordedCall& one : recorded)
    if (one.count != 0)
      count(resolve(graphs, ways_out, functions, one.place, one.callee), one.callee, true,
            one.count);
  for (const CallEdge& edge : calls) {
    if (edge.count == 0) continue;
    const ElfAddr in_callee = edge.is_leaf ? edge.callee : before(edge.callee);
    count(resolve(graphs, ways_out, functions, find_place(graphs, edge.caller), in_callee),
          edge.callee, edge.is_leaf, edge.count);
  }
  for (const auto& [place, seen] : sites) {
    SiteCalls& site = observed[place.first][place.second];
    for (const CallTarget& target : share_out(seen, loops)) {
      const Seen& here = seen.at(target.entry);
      site.entered += here.at_entry;
      site.targets.push_back(weigh_part(target, here, all.at(target.entry)));
    }
  }
  return observed;
}

void share_by_entries(const std::vector<ControlFlowGraph>& graphs,
                      const std::vector<double>& entries, std::vector<FunctionCalls>& calls) {
  std::map<ElfAddr, double> by_entry;
  for (size_t i = 0; i < graphs.size(); i++) by_entry[graphs[i].function.begin] = entries[i];
  auto calls_of = [&](const CallTarget& target) {
    auto found = by_entry.find(target.entry);
    return target.part * std::max(found == by_entry.end() ? 0 : found->second, kLeastEntries);
  };
  for (FunctionCalls& function : calls)
    for (SiteCalls& site : function) {
      double sum = 0;
      for (const CallTarget& target : site.targets) sum += calls_of(target);
      for (CallTarget& target : site.targets) target.share = calls_of(target) / sum;
    }
}

}  // namespace pgo::infer

// ObservedCalls: what sampled stacks say about the calls of functions: where indirect calls go, how
// the calls of a function are spread over the places that call it, and how often a function was at
// its very beginning, come from one call.
//
// A stack names a caller by where it goes on, right behind its call, or by an address within the
// call; which of the two depends on the producer, so an address that is both is taken for the
// former.
//
// What was split off a function (f.cold) is jumped to: its samples are below calls of the function.
//
// Of the time that a function takes, each call of it has a part; if calls take equally long, the
// same part of its entries. Its own time is more alike from call to call than what it calls, so
// that counts where enough of it was sampled, else the time below its calls.
//
// What an indirect call calls most often is not what is called longest. So at first, where enough
// samples are at the first instructions of what was called, they decide, if each call passes there
// just once; else it is the time below the call. Once it is known how often functions are entered,
// each target has its part of them: measured on three programs, the shares of targets are wrong by
// 5 to 11 % then, instead of 4 to 22 %.
#pragma once

#include <vector>

#include "pgo/infer/control_flow_graph.h"
#include "pgo/profile/address_profile.h"

namespace pgo::infer {

struct CallTarget {
  ElfAddr entry;       // of a function
  double share = 0;    // of the calls here; those of a site add up to 1
  double part = 0;     // of all calls of that function, those from here
  double samples = 0;  // that tell the part
};

// Of one call of a graph.
struct SiteCalls {
  // In samples: at the first instruction of what was called from here, if that runs once a call.
  double entered = 0;
  std::vector<CallTarget> targets;  // by address, empty when none was seen
};

// By call of the graph.
using FunctionCalls = std::vector<SiteCalls>;

// A place from which a function is called, of several graphs.
struct CallPlace {
  size_t graph = 0, call = 0;

  bool operator==(const CallPlace&) const = default;
};

// A call that branch records show (observed_branches.h).
struct RecordedCall {
  std::optional<CallPlace> place;  // nothing for a jump: no stack has it either
  ElfAddr callee;                  // where what was called begins
  uint64_t count = 0;

  bool operator==(const RecordedCall&) const = default;
};

// For each of `graphs`, which are sorted by address, from stacks of samples and from branch
// records. `weight`: what one sample weighs in the counts of both. O(calls * log of code).
std::vector<FunctionCalls> observe_calls(const std::vector<ControlFlowGraph>& graphs,
                                         const FunctionSymbols& functions,
                                         const std::vector<CallEdge>& calls,
                                         const std::vector<RecordedCall>& recorded, double weight);

// Makes the shares of targets better. `entries`: how often each of `graphs` was entered.
void share_by_entries(const std::vector<ControlFlowGraph>& graphs,
                      const std::vector<double>& entries, std::vector<FunctionCalls>& calls);

}  // namespace pgo::infer

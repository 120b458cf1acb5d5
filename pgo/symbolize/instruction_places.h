// InstructionPlaces: the code of a binary by where it comes from: the whole inline stack of each
// instruction, leaf first. The other way round than symbolizing: from names and lines to addresses.
//
// Stacks share their leaves, so they are a tree that is walked from the leaf outwards: a node is a
// stack of frames, its children have one more frame around. A node has the code whose inline stack
// is just this one, and that of other, deeper ones is below it. So whoever has a sample's frames,
// but does not know how many of them are inlined, finds out by walking down as far as there are
// nodes.
//
// Only code of functions that were asked for is kept: a profile is of a small part of a program.
#pragma once

#include <llvm/ADT/StringMap.h>

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pgo/base/hash.h"
#include "pgo/dwarf/debug_info.h"
#include "pgo/dwarf/function_names.h"
#include "pgo/profile/address.h"

namespace pgo {

class InstructionPlaces {
 public:
  struct Frame {
    uint32_t function = 0;  // number in the FunctionNames
    uint32_t line = 0;
    bool operator==(const Frame&) const = default;
  };
  // Code of one place without a gap: [begin, end).
  struct Run {
    uint32_t function = 0;  // of the leaf
    uint32_t node = 0;
    uint32_t file = kNoFile;  // of the leaf's line
    ElfAddr begin, end;
  };
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNoFile = ~uint32_t{0};

  // Of code whose innermost function is `wanted`, by number. Reads all units that have such code,
  // on up to debug_info.context_count() threads.
  InstructionPlaces(DebugInfo& debug_info, const FunctionNames& names,
                    const std::vector<bool>& wanted, const SymbolNames& symbol_names);

  std::optional<uint32_t> child(uint32_t node, Frame frame) const;
  // The code of a node itself, by address. O(log n).
  std::span<const Run> runs_of(uint32_t node) const;
  // The code whose innermost function this is, whatever its line and what is around it, by address.
  std::vector<Run> runs_of_function(uint32_t function) const;
  // The number of a file, by its name without directories; nothing when no code is of it.
  std::optional<uint32_t> file(std::string_view base_name) const;

 private:
  struct Edge {
    uint32_t node;
    Frame frame;
    bool operator==(const Edge&) const = default;
  };
  struct EdgeHash {
    size_t operator()(const Edge& edge) const {
      return hash_more(hash_more(edge.node, edge.frame.function), edge.frame.line);
    }
  };
  struct Unit;
  class UnitReader;

  void add_unit(const Unit& unit);

  std::unordered_map<Edge, uint32_t, EdgeHash> nodes_;
  std::vector<Run> runs_;              // by node, address
  std::vector<uint32_t> by_function_;  // indexes of runs_, by function, address
  llvm::StringMap<uint32_t> files_;
};

}  // namespace pgo

// SymbolLookup: where samples that are named by function and line may have been in a binary. All
// instructions with the inline stack of a sample are its place: which of them it was is not known
// any more.
//
// The build need not be the one that ran. Where it inlined more or less than that, a sample's place
// is the code whose inline stack is the longest that the sample's frames begin with. And a function
// that has moved in its file is followed where the profile says on which line it starts.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/binary/binary.h"
#include "pgo/dwarf/function_names.h"
#include "pgo/profile/accounting.h"
#include "pgo/profile/stack_profile.h"
#include "pgo/symbolize/instruction_places.h"

namespace pgo {

// What to do with samples that name a function without a line.
enum class WithoutLine { kLeaveOut, kAnywhereInFunction };

class SymbolLookup {
 public:
  struct Answer {
    std::optional<uint32_t> place;
    Dropped reason = Dropped::kUnknownFunction;  // why there is none
    bool inlined_otherwise = false;              // than in the build that ran
  };

  // Of the samples of `stacks` (SymbolizedStacks::stacks), on `jobs` threads (0: all cores).
  // Errors: no debug information.
  static Result<SymbolLookup> find(const Binary& binary, const StackProfile& stacks,
                                   WithoutLine without_line, unsigned jobs);

  // For each sample.
  const std::vector<Answer>& answers() const { return answers_; }
  size_t count() const { return places_.size(); }
  // Starts of the instructions of a place, in ascending order.
  std::vector<ElfAddr> instructions_of(uint32_t place) const;
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  // Code by inline stack and file of the leaf's line, or all code of a function.
  struct Place {
    uint32_t node = InstructionPlaces::kRoot;
    uint32_t file = InstructionPlaces::kNoFile;  // kNoFile: any
    uint32_t function = 0;                       // when node is kRoot
    auto operator<=>(const Place&) const = default;
  };
  class Finder;

  static bool is_of(const InstructionPlaces::Run& run, uint32_t file);
  SymbolLookup() = default;

  const CodeMap* code_ = nullptr;
  std::shared_ptr<DebugInfo> debug_info_;  // names point into it
  std::unique_ptr<InstructionPlaces> code_by_place_;
  std::vector<Place> places_;
  std::vector<Answer> answers_;
  Diagnostics diagnostics_;
};

}  // namespace pgo

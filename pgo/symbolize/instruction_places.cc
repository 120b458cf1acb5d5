#include "pgo/symbolize/instruction_places.h"

#include <llvm/ADT/DenseMap.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "pgo/base/flat_lists.h"
#include "pgo/base/parallel.h"
#include "pgo/dwarf/frame_table.h"
#include "pgo/dwarf/unit_map.h"
#include "pgo/symbolize/inline_stacks.h"

namespace pgo {

// What one unit has of the wanted code.
struct InstructionPlaces::Unit {
  FlatLists<Frame> stacks;  // leaf first
  std::vector<std::string> files;
  std::vector<Run> runs;  // node: a stack; file: one of `files`
};

class InstructionPlaces::UnitReader {
 public:
  UnitReader(const FrameTable& frames, const FunctionNames& names, const std::vector<bool>& wanted,
             EntryBudget& budget)
      : frames_(frames), budget_(budget), stacks_(frames, budget) {
    llvm::DenseMap<const char*, uint32_t> known;
    for (const FrameTable::Frame& frame : frames.frames()) {
      auto [found, is_new] = known.try_emplace(frame.name.data(), kNone);
      if (is_new && !frame.name.empty())
        found->second = names.number_of(frame.name).value_or(kNone);
      functions_.push_back(found->second);
      is_wanted_.push_back(found->second != kNone && wanted[found->second]);
      has_wanted_ = has_wanted_ || is_wanted_.back();
    }
  }

  bool has_wanted() const { return has_wanted_; }

  void add_code(ElfAddr begin, ElfAddr end) {
    while (begin < end) {
      FrameTable::Place place = frames_.find(begin);
      ElfAddr stop = std::min(place.end, end);
      if (place.frame != FrameTable::kNoFrame && is_wanted_[place.frame]) {
        budget_.use(1);
        if (budget_.is_used_up()) return;
        uint32_t stack =
            stacks_.number_of(place, [&](uint32_t frame) { return functions_[frame]; });
        result_.runs.push_back({functions_[place.frame], stack, file_of(place), begin, stop});
      }
      begin = stop;
    }
  }

  Unit finish() {
    result_.stacks = stacks_.take_lists();
    return std::move(result_);
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  uint32_t file_of(const FrameTable::Place& place) {
    auto [found, is_new] = files_.try_emplace(place.file, kNoFile);
    if (!is_new) return found->second;
    llvm::StringRef name = frames_.file_name(place.file);
    if (name.empty()) return kNoFile;
    result_.files.push_back(name.str());
    return found->second = static_cast<uint32_t>(result_.files.size() - 1);
  }

  const FrameTable& frames_;
  EntryBudget& budget_;              // of runs, and of frames of stacks
  std::vector<uint32_t> functions_;  // by frame
  std::vector<bool> is_wanted_;      // by frame
  bool has_wanted_ = false;
  InlineStacks<Frame> stacks_;
  std::map<uint64_t, uint32_t> files_;
  Unit result_;
};

InstructionPlaces::InstructionPlaces(DebugInfo& debug_info, const FunctionNames& names,
                                     const std::vector<bool>& wanted,
                                     const SymbolNames& symbol_names) {
  const std::vector<std::vector<UnitMap::Interval>> code = UnitMap(debug_info).by_unit();
  std::vector<Unit> results(code.size());
  FrameBudget budget(debug_info);
  // Each row of a line table may be code of its own, deep in what was inlined.
  EntryBudget place_budget(debug_info.entry_limit());
  parallel_for_by_thread(code.size(), debug_info.context_count(), [&](size_t thread, size_t i) {
    // As symbolizers say it, code without a line included.
    FrameTable frames(debug_info, thread, i, LineZero::kWrite, symbol_names, budget);
    UnitReader reader(frames, names, wanted, place_budget);
    if (!reader.has_wanted()) return;
    for (const UnitMap::Interval& interval : code[i]) reader.add_code(interval.begin, interval.end);
    results[i] = reader.finish();
  });
  if (place_budget.is_used_up())
    debug_info.damage().add(".debug_info",
                            "there are more inline stacks than a file of its size can have");
  if (budget.is_used_up() || place_budget.is_used_up()) results.clear();
  size_t run_count = 0;
  for (const Unit& unit : results) run_count += unit.runs.size();
  runs_.reserve(run_count);
  for (Unit& unit : results) {
    add_unit(unit);
    unit = {};
  }
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) {
    return std::tie(a.node, a.begin) < std::tie(b.node, b.begin);
  });
  by_function_.resize(runs_.size());
  std::iota(by_function_.begin(), by_function_.end(), 0u);
  std::sort(by_function_.begin(), by_function_.end(), [&](uint32_t a, uint32_t b) {
    return std::tie(runs_[a].function, runs_[a].begin) <
           std::tie(runs_[b].function, runs_[b].begin);
  });
}

void InstructionPlaces::add_unit(const Unit& unit) {
  std::vector<uint32_t> nodes, files;
  for (size_t i = 0; i < unit.stacks.size(); i++) {
    uint32_t node = kRoot;
    for (const Frame& frame : unit.stacks[i])
      node =
          nodes_.try_emplace({node, frame}, static_cast<uint32_t>(nodes_.size() + 1)).first->second;
    nodes.push_back(node);
  }
  for (const std::string& file : unit.files)
    files.push_back(files_.try_emplace(file, static_cast<uint32_t>(files_.size())).first->second);
  for (Run run : unit.runs) {
    run.node = nodes[run.node];
    if (run.file != kNoFile) run.file = files[run.file];
    runs_.push_back(run);
  }
}

std::optional<uint32_t> InstructionPlaces::child(uint32_t node, Frame frame) const {
  auto found = nodes_.find({node, frame});
  if (found == nodes_.end()) return std::nullopt;
  return found->second;
}

std::span<const InstructionPlaces::Run> InstructionPlaces::runs_of(uint32_t node) const {
  auto [first, last] = std::equal_range(runs_.begin(), runs_.end(), Run{0, node, 0, {}, {}},
                                        [](const Run& a, const Run& b) { return a.node < b.node; });
  return {first, last};
}

std::vector<InstructionPlaces::Run> InstructionPlaces::runs_of_function(uint32_t function) const {
  auto first = std::lower_bound(by_function_.begin(), by_function_.end(), function,
                                [&](uint32_t i, uint32_t f) { return runs_[i].function < f; });
  std::vector<Run> runs;
  for (; first != by_function_.end() && runs_[*first].function == function; ++first)
    runs.push_back(runs_[*first]);
  return runs;
}

std::optional<uint32_t> InstructionPlaces::file(std::string_view base_name) const {
  auto found = files_.find(llvm::StringRef(base_name.data(), base_name.size()));
  if (found == files_.end()) return std::nullopt;
  return found->second;
}

}  // namespace pgo

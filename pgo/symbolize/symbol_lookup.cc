#include "pgo/symbolize/symbol_lookup.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_set>

#include "pgo/base/file_name.h"
#include "pgo/base/parallel.h"
#include "pgo/dwarf/unit_map.h"

namespace pgo {
namespace {

// What a function of the profile may be in the binary, by its name.
using Candidates = FunctionNames::Meaning;

std::vector<Candidates> find_candidates(const StackProfile& stacks, FunctionNames& names) {
  std::vector<Candidates> found;
  for (const StackFunction& function : stacks.functions) {
    FunctionNames::Meaning meaning = names.find(stacks.text(function.system_name));
    if (meaning.first.empty()) meaning = names.find(stacks.text(function.name));
    found.push_back(meaning);
  }
  return found;
}

// Functions that were sampled, have code in a compile unit, and no name in it.
size_t count_lines_only(const StackProfile& stacks, const std::vector<Candidates>& candidates,
                        const ElfImage& symbols, DebugInfo& debug_info) {
  std::unordered_set<std::string_view> unknown;
  for (const StackSample& sample : stacks.samples) {
    LocationId leaf = stacks.stacks[static_cast<size_t>(sample.stack)][0];
    if (stacks.lines[static_cast<size_t>(leaf)].empty()) continue;
    auto number = static_cast<size_t>(stacks.lines[static_cast<size_t>(leaf)][0].function);
    if (!candidates[number].first.empty()) continue;
    const StackFunction& function = stacks.functions[number];
    unknown.insert(stacks.text(function.system_name));
    unknown.insert(stacks.text(function.name));
  }
  std::vector<ElfAddr> starts;
  for (const ElfImage::Symbol& symbol : symbols.symbols())
    if (symbol.function && unknown.contains(symbol.name)) starts.push_back(symbol.addr);
  if (starts.empty()) return 0;
  UnitMap units(debug_info);
  return static_cast<size_t>(std::count_if(starts.begin(), starts.end(), [&](ElfAddr start) {
    auto unit = std::upper_bound(
        units.intervals().begin(), units.intervals().end(), start,
        [](ElfAddr addr, const UnitMap::Interval& interval) { return addr < interval.end; });
    return unit != units.intervals().end() && unit->begin <= start;
  }));
}

// The frames of a sample, leaf first; the first `own` are one piece of code.
struct Frames {
  std::vector<StackLine> all;
  size_t own = 0;
  bool has_callers = false;
};

void read_frames(const StackProfile& stacks, size_t sample, Frames& frames) {
  frames.all.clear();
  std::span<const LocationId> stack =
      stacks.stacks[static_cast<size_t>(stacks.samples[sample].stack)];
  for (size_t i = 0; i < stack.size(); i++) {
    std::span<const StackLine> lines = stacks.lines[static_cast<size_t>(stack[i])];
    frames.all.insert(frames.all.end(), lines.begin(), lines.end());
    if (i == 0) frames.own = lines.size();
  }
  frames.has_callers = frames.all.size() > frames.own;
}

}  // namespace

class SymbolLookup::Finder {
 public:
  Finder(const StackProfile& stacks, const std::vector<Candidates>& candidates,
         const FunctionNames& names, WithoutLine without_line, SymbolLookup& result)
      : stacks_(stacks),
        candidates_(candidates),
        names_(names),
        without_line_(without_line),
        code_(*result.code_by_place_),
        result_(result) {}

  Answer find(const Frames& frames) {
    if (frames.all.empty()) return {};
    const StackLine& leaf = frames.all[0];
    const Candidates& functions = candidates_[static_cast<size_t>(leaf.function)];
    if (functions.first.empty()) return {};
    if (leaf.line <= 0) return find_function(functions.first);
    Answer answer;
    for (Meant meant : {Meant::kFirst, Meant::kAll})
      for (Lines lines : {Lines::kShifted, Lines::kAsTheyAre}) {
        answer = find_stack(frames, meant, lines);
        if (answer.place || answer.reason != Dropped::kUnknownLine) return answer;
      }
    return answer;
  }

 private:
  // A file that the profile knows, and no code of the binary is of.
  static constexpr uint32_t kOtherFile = InstructionPlaces::kNoFile - 1;
  enum class Meant { kFirst, kAll };
  enum class Lines { kShifted, kAsTheyAre };

  Answer find_function(std::span<const uint32_t> functions) {
    if (without_line_ == WithoutLine::kLeaveOut) return {{}, Dropped::kNoLine, false};
    if (functions.size() > 1) return {{}, Dropped::kAmbiguousFunction, false};
    return {
        number_of({InstructionPlaces::kRoot, InstructionPlaces::kNoFile, functions[0]}), {}, false};
  }

  // Walks outwards while there is code below: of the stacks that are whole, the one that the
  // producer says, or else the longest.
  Answer find_stack(const Frames& frames, Meant meant, Lines lines) {
    Place place;
    std::string_view file = file_name(
        stacks_.text(stacks_.functions[static_cast<size_t>(frames.all[0].function)].filename));
    if (!file.empty()) place.file = code_.file(file).value_or(kOtherFile);
    std::vector<uint32_t> nodes{InstructionPlaces::kRoot}, whole, found;
    size_t depth = 0, found_depth = 0;
    while (depth < frames.all.size() && found_depth != frames.own) {
      nodes = step(nodes, frames.all[depth++], meant, lines);
      if (nodes.empty()) break;
      whole.clear();
      for (uint32_t node : nodes)
        if (has_code(node, place.file)) whole.push_back(node);
      if (whole.empty()) continue;
      found = whole;
      found_depth = depth;
    }
    if (found.empty()) return {{}, Dropped::kUnknownLine, false};
    if (found.size() > 1) return {{}, Dropped::kAmbiguousFunction, false};
    place.node = found[0];
    return {number_of(place), {}, frames.has_callers && found_depth != frames.own};
  }

  // The nodes one frame further out.
  std::vector<uint32_t> step(const std::vector<uint32_t>& nodes, const StackLine& frame,
                             Meant meant, Lines lines) const {
    const Candidates& candidates = candidates_[static_cast<size_t>(frame.function)];
    int64_t started = stacks_.functions[static_cast<size_t>(frame.function)].start_line;
    std::vector<uint32_t> next;
    for (uint32_t node : nodes)
      for (uint32_t function : meant == Meant::kFirst ? candidates.first : candidates.all) {
        uint32_t starts = names_.functions()[function].decl_line;
        bool is_moved = lines == Lines::kShifted && starts != 0 && started > 0;
        int64_t line = frame.line + (is_moved ? starts - started : 0);
        if (line < 0 || line > std::numeric_limits<uint32_t>::max()) continue;
        std::optional<uint32_t> child = code_.child(node, {function, static_cast<uint32_t>(line)});
        if (child) next.push_back(*child);
      }
    return next;
  }

  bool has_code(uint32_t node, uint32_t file) const {
    std::span<const InstructionPlaces::Run> runs = code_.runs_of(node);
    return std::any_of(runs.begin(), runs.end(),
                       [&](const InstructionPlaces::Run& run) { return is_of(run, file); });
  }

  uint32_t number_of(const Place& place) {
    auto [found, is_new] =
        numbers_.try_emplace(place, static_cast<uint32_t>(result_.places_.size()));
    if (is_new) result_.places_.push_back(place);
    return found->second;
  }

  const StackProfile& stacks_;
  const std::vector<Candidates>& candidates_;
  const FunctionNames& names_;
  WithoutLine without_line_;
  const InstructionPlaces& code_;
  SymbolLookup& result_;
  std::map<Place, uint32_t> numbers_;
};

bool SymbolLookup::is_of(const InstructionPlaces::Run& run, uint32_t file) {
  return file == InstructionPlaces::kNoFile || run.file == InstructionPlaces::kNoFile ||
         run.file == file;
}

Result<SymbolLookup> SymbolLookup::find(const Binary& binary, const StackProfile& stacks,
                                        WithoutLine without_line, unsigned jobs) {
  SymbolLookup result;
  result.code_ = binary.code.get();
  PGO_TRY(result.debug_info_, DebugInfo::open(binary.debug_image(), resolve_jobs(jobs)));
  SymbolNames symbol_names(binary.symbol_image());
  FunctionNames names(*result.debug_info_, symbol_names);
  std::vector<Candidates> candidates = find_candidates(stacks, names);

  // The code of what samples may be in.
  std::vector<bool> wanted(names.functions().size());
  Frames frames;
  for (size_t s = 0; s < stacks.samples.size(); s++) {
    read_frames(stacks, s, frames);
    if (frames.all.empty()) continue;
    for (uint32_t function : candidates[static_cast<size_t>(frames.all[0].function)].all)
      wanted[function] = true;
  }
  result.code_by_place_ =
      std::make_unique<InstructionPlaces>(*result.debug_info_, names, wanted, symbol_names);

  Finder finder(stacks, candidates, names, without_line, result);
  for (size_t s = 0; s < stacks.samples.size(); s++) {
    read_frames(stacks, s, frames);
    result.answers_.push_back(finder.find(frames));
  }
  if (size_t count =
          count_lines_only(stacks, candidates, binary.symbol_image(), *result.debug_info_))
    result.diagnostics_.warn("lines-only",
                             result.debug_info_->path() +
                                 ": functions that were sampled have lines in its debug "
                                 "information, but no names; compile with "
                                 "-fdebug-info-for-profiling (clang), or -g",
                             count);
  result.diagnostics_.add(result.debug_info_->damage().diagnostics(result.debug_info_->path()));
  return result;
}

std::vector<ElfAddr> SymbolLookup::instructions_of(uint32_t number) const {
  const Place& place = places_[number];
  std::vector<ElfAddr> instructions;
  // Debug information may claim any addresses.
  auto add = [&](const InstructionPlaces::Run& run) {
    const ElfAddr end = std::min(run.end, code_->end());
    for (ElfAddr addr = std::max(run.begin, code_->begin()); addr < end;) {
      CodeByte byte = code_->at(addr);
      if (byte.is_code()) instructions.push_back(addr);
      addr.value += byte.is_code() ? byte.size() : 1;
    }
  };
  if (place.node == InstructionPlaces::kRoot)
    for (const InstructionPlaces::Run& run : code_by_place_->runs_of_function(place.function))
      add(run);
  for (const InstructionPlaces::Run& run : code_by_place_->runs_of(place.node))
    if (is_of(run, place.file)) add(run);
  return instructions;
}

}  // namespace pgo

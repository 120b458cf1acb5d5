#include "pgo/dwarf/frame_table.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include <algorithm>
#include <map>

#include "pgo/dwarf/line_header.h"
#include "pgo/dwarf/subroutine_walk.h"

namespace pgo {

struct FrameTable::Lines {
  explicit Lines(const llvm::DWARFDebugLine::LineTable& of_unit) : table(of_unit) {}
  const llvm::DWARFDebugLine::LineTable& table;
};

FrameTable::FrameTable(DebugInfo& debug_info, size_t context, size_t unit, LineZero line_zero,
                       const SymbolNames& symbol_names, FrameBudget& budget)
    : context_(debug_info.context(context)), unit_(*debug_info.units(context)[unit]) {
  // The same cuts as LLVM's address map of a unit: inner ranges are laid over outer ones, in the
  // order of the file. A std::map while they are laid, a flat array afterwards.
  std::map<ElfAddr, std::pair<ElfAddr, uint32_t>> laid;  // begin -> (end, frame)
  auto lay = [&](ElfAddr begin, ElfAddr end, uint32_t frame) {
    if (begin == end) return;
    auto after = laid.upper_bound(begin);
    if (after != laid.begin()) {
      auto& [under_begin, under] = *std::prev(after);
      if (begin < under.first) {
        if (end < under.first) laid[end] = under;
        if (begin > under_begin) under.first = begin;
      }
    }
    laid[begin] = {end, frame};
  };

  bool by_symbol = symbol_names.apply_to(unit_), by_gcc = is_compiled_by_gcc(unit_);
  SubroutineWalk walk(context_, debug_info.damage(), budget.entries);
  llvm::DWARFUnit* full = unit_.getNonSkeletonUnitDIE(true).getDwarfUnit();
  walk.for_each(full == nullptr ? unit_ : *full, [&](const Subroutine& subroutine) {
    uint32_t number = static_cast<uint32_t>(frames_.size());
    const Declaration& declaration = subroutine.declaration;
    bool is_bare = declaration.line == 0 && declaration.linkage_name.empty() && !by_gcc;
    llvm::StringRef name = by_symbol ? symbol_names.name_of(subroutine) : declaration.name();
    frames_.push_back({subroutine.is_inlined ? subroutine.parent : kNoFrame,
                       is_bare && line_zero == LineZero::kSkip ? llvm::StringRef() : name,
                       declaration.line,
                       declaration.file,
                       {subroutine.call_line, subroutine.call_discriminator},
                       is_bare});
    leaves_.push_back(find_leaf(number, line_zero));
    for (const llvm::DWARFAddressRange& range : subroutine.ranges)
      lay({range.LowPC}, {range.HighPC}, number);
  });
  intervals_.reserve(laid.size());
  for (const auto& [begin, under] : laid) intervals_.push_back({begin, under.first, under.second});
  // Units without code, as those of types are, share the lines of others.
  if (intervals_.empty()) return;
  if (std::optional<std::string> fault =
          line_header_fault(unit_, debug_info.line_limit(), budget.line_bytes))
    debug_info.damage().add(".debug_line", *fault);
  else if (const auto* table = context_.getLineTableForUnit(&unit_))
    lines_ = std::make_unique<const Lines>(*table);
}

FrameTable::~FrameTable() { context_.clearLineTableForUnit(&unit_); }

// Frames are read from the outside in and end at the first without a name: code further in counts
// as the call to it.
FrameTable::Leaf FrameTable::find_leaf(uint32_t frame, LineZero line_zero) const {
  const Frame& self = frames_[frame];
  bool outermost = self.parent == kNoFrame;
  bool unplaced = !outermost && self.call.line == 0 && line_zero == LineZero::kSkip;
  if (outermost) return self.name.empty() ? Leaf{} : Leaf{frame, true, {}};
  const Leaf& around = leaves_[self.parent];
  if (around.frame != self.parent || !around.own_line) return around;
  if (self.name.empty() || unplaced) return {self.parent, false, self.call};
  return {frame, true, {}};
}

FrameTable::Place FrameTable::find(ElfAddr addr) const {
  Place place;
  auto after = std::upper_bound(intervals_.begin(), intervals_.end(), addr,
                                [](ElfAddr a, const Interval& i) { return a < i.begin; });
  place.end = after == intervals_.end() ? ElfAddr{~uint64_t{0}} : after->begin;
  if (after == intervals_.begin() || addr >= std::prev(after)->end) return place;
  const Interval& interval = *std::prev(after);
  place.end = std::min(place.end, interval.end);
  const Leaf& leaf = leaves_[interval.frame];
  place.frame = leaf.frame;
  if (leaf.own_line)
    find_line(addr, place);
  else
    place.line = leaf.line;
  return place;
}

// The row of the line table that covers `addr`: of the first sequence that ends behind it, the last
// row that does not start behind it. Narrows place.end to where the next row starts.
void FrameTable::find_line(ElfAddr addr, Place& place) const {
  using Row = llvm::DWARFDebugLine::Row;
  using Sequence = llvm::DWARFDebugLine::Sequence;
  if (lines_ == nullptr) return;
  const llvm::DWARFDebugLine::LineTable& table = lines_->table;
  auto sequence = std::upper_bound(table.Sequences.begin(), table.Sequences.end(), addr.value,
                                   [](uint64_t a, const Sequence& s) { return a < s.HighPC; });
  if (sequence == table.Sequences.end()) return;
  if (addr.value < sequence->LowPC) {
    place.end = std::min(place.end, ElfAddr{sequence->LowPC});
    return;
  }
  place.end = std::min(place.end, ElfAddr{sequence->HighPC});
  auto first = table.Rows.begin() + sequence->FirstRowIndex;
  auto last = table.Rows.begin() + sequence->LastRowIndex - 1;  // the end of the sequence
  auto after = std::upper_bound(first + 1, last, addr.value,
                                [](uint64_t a, const Row& row) { return a < row.Address.Address; });
  if (after != last) place.end = std::min(place.end, ElfAddr{after->Address.Address});
  const Row& row = *std::prev(after);
  if (!table.hasFileAtIndex(row.File)) return;
  place.line = {row.Line, row.Discriminator};
  place.file = row.File;
}

FrameTable::Place FrameTable::find_line_alone(ElfAddr addr) const {
  Place place;
  place.end = ElfAddr{~uint64_t{0}};
  find_line(addr, place);
  return place;
}

FileNumber FrameTable::file_number(uint64_t file) const { return {unit_.getOffset(), file}; }

llvm::StringRef FrameTable::file_name(uint64_t file) const {
  if (file == kNoFile || lines_ == nullptr || !lines_->table.hasFileAtIndex(file)) return {};
  llvm::Expected<const char*> name =
      lines_->table.Prologue.getFileNameEntry(file).Name.getAsCString();
  if (!name) {
    llvm::consumeError(name.takeError());
    return {};
  }
  llvm::StringRef path = *name;
  return path.substr(path.rfind('/') + 1);
}

}  // namespace pgo

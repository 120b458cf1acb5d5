// FrameTable: the inline stacks and source lines of one compile unit, flattened for walking many
// addresses in order. Gives for each address what LLVM's getInliningInfoForAddress would, but once
// for a whole run of addresses with the same answer, and without building file names.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "pgo/dwarf/debug_info.h"
#include "pgo/dwarf/entry_budget.h"
#include "pgo/dwarf/file_paths.h"
#include "pgo/dwarf/symbol_names.h"
#include "pgo/profile/address.h"

namespace pgo {

// A position in the source, relative to nothing: a line of the file and its discriminator.
struct SourceLine {
  uint32_t line = 0;  // 0: not known
  uint32_t discriminator = 0;
};

// What to do about code that the compiler gave no line. llvm-profgen writes it at an offset that is
// nonsense; kSkip leaves it out, and a call without a line makes its inlined callee part of the
// caller. It leaves out bare functions as well.
enum class LineZero { kSkip, kWrite };

// What the frame tables of one pass over the units of a file may have together. When it is used up,
// the file is damaged, and which units were read by then depends on the threads: none counts.
struct FrameBudget {
  explicit FrameBudget(const DebugInfo& debug_info)
      : entries(debug_info.entry_limit()), line_bytes(debug_info.line_limit()) {}

  bool is_used_up() const { return entries.is_used_up() || line_bytes.is_used_up(); }

  EntryBudget entries, line_bytes;
};

class FrameTable {
 public:
  static constexpr uint32_t kNoFrame = ~uint32_t{0};

  // One frame of an inline stack: a function, or a function inlined at one place. Parents come
  // before children.
  struct Frame {
    uint32_t parent = kNoFrame;  // the frame that this one was inlined into
    llvm::StringRef name;        // linkage name
    uint32_t decl_line = 0;
    FileNumber decl_file;
    SourceLine call;  // where in the parent
    // Clang's -gline-tables-only by itself says neither the name that it looks functions up by nor
    // the line that its places are counted from: nothing of such a profile would apply.
    bool is_bare = false;
  };

  // `unit` is the context's unit number `unit`; the table keeps its line rows in the context.
  FrameTable(DebugInfo& debug_info, size_t context, size_t unit, LineZero line_zero,
             const SymbolNames& symbol_names, FrameBudget& budget);
  ~FrameTable();
  FrameTable(const FrameTable&) = delete;
  FrameTable& operator=(const FrameTable&) = delete;

  const std::vector<Frame>& frames() const { return frames_; }

  // Where the code at an address comes from: the innermost frame and the line in it.
  struct Place {
    ElfAddr end;  // every address from the one asked for up to here has this place
    uint32_t frame = kNoFrame;
    SourceLine line;
    uint64_t file = kNoFile;  // of the line; unknown where the line is that of a call
  };
  static constexpr uint64_t kNoFile = ~uint64_t{0};
  // O(log(frames + rows)).
  Place find(ElfAddr addr) const;
  // The line of code that is in no frame: padding, and functions that the compiler made without
  // describing them. kNoFrame; O(log(rows)).
  Place find_line_alone(ElfAddr addr) const;
  // A line's file, as read_file_paths() takes it. Not of kNoFile.
  FileNumber file_number(uint64_t file) const;
  // Without directories; empty for kNoFile.
  llvm::StringRef file_name(uint64_t file) const;

 private:
  struct Interval {
    ElfAddr begin, end;
    uint32_t frame = 0;
  };
  // The innermost frame that has a name, and the line in it, for code of a frame; `line` is of the
  // code itself when `own_line`.
  struct Leaf {
    uint32_t frame = kNoFrame;
    bool own_line = true;
    SourceLine line;
  };
  // LLVM's line table, whose header takes most of a second in each unit that includes it.
  struct Lines;

  Leaf find_leaf(uint32_t frame, LineZero line_zero) const;
  void find_line(ElfAddr addr, Place& place) const;

  llvm::DWARFContext& context_;
  llvm::DWARFUnit& unit_;
  std::vector<Frame> frames_;
  std::vector<Leaf> leaves_;            // of frames_[i]
  std::vector<Interval> intervals_;     // sorted by begin, disjoint
  std::unique_ptr<const Lines> lines_;  // null: the unit has none
};

}  // namespace pgo

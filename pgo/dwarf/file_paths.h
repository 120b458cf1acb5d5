// The paths of source files, which debug information refers to by number: each unit has a table of
// directories and files in the header of its line table.
//
//   std::vector<FileNumber> files = ...;   // FrameTable::Frame::decl_file
//   std::vector<std::string> paths = read_file_paths(debug_info, files, text);
//
// The file of a function may be in the table of another unit than the function's code (link-time
// optimization inlines across units), so that files are asked for all together: each header is read
// once, and nothing of its line program.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "pgo/dwarf/debug_info.h"
#include "pgo/dwarf/entry_budget.h"

namespace pgo {

// A file by its number in the line table of a unit, which is known by its offset in .debug_info. Of
// code in a split file it is the skeleton's offset.
struct FileNumber {
  static constexpr uint64_t kUnknown = ~uint64_t{0};

  uint64_t unit = kUnknown;
  uint64_t file = 0;

  bool is_known() const { return unit != kUnknown; }
  auto operator<=>(const FileNumber&) const = default;
};

// The path of each of `files`, which are sorted: with the directory of the compilation where it is
// relative, empty where the table does not have it. Uses as much of `text` as the paths have bytes;
// when it is used up, what the paths are depends on the threads. What cannot be read goes to the
// damage of `debug_info`. O(bytes of the headers and paths).
std::vector<std::string> read_file_paths(DebugInfo& debug_info,
                                         const std::vector<FileNumber>& files, EntryBudget& text);

}  // namespace pgo

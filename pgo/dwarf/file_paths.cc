#include "pgo/dwarf/file_paths.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include <algorithm>
#include <optional>

#include "pgo/base/parallel.h"
#include "pgo/dwarf/line_header.h"

namespace pgo {
namespace {

using LineHeader = llvm::DWARFDebugLine::Prologue;

// The unit of this thread's context; null when it cannot be read.
llvm::DWARFUnit* find_unit(const std::vector<llvm::DWARFUnit*>& units, uint64_t offset) {
  auto found = std::lower_bound(
      units.begin(), units.end(), offset,
      [](const llvm::DWARFUnit* unit, uint64_t wanted) { return unit->getOffset() < wanted; });
  return found == units.end() || (*found)->getOffset() != offset ? nullptr : *found;
}

std::optional<LineHeader> read_header(llvm::DWARFUnit& unit, DebugInfo& debug_info,
                                      EntryBudget& line_bytes) {
  if (std::optional<std::string> fault =
          line_header_fault(unit, debug_info.line_limit(), line_bytes)) {
    debug_info.damage().add(".debug_line", *fault);
    return std::nullopt;
  }
  std::optional<uint64_t> offset = find_line_table(unit);
  if (!offset) return std::nullopt;
  llvm::DWARFDataExtractor data(unit.getContext().getDWARFObj(), unit.getLineSection(),
                                unit.isLittleEndian(), unit.getAddressByteSize());
  LineHeader header;
  auto note = [&](llvm::Error error) { debug_info.damage().add(".debug_line", std::move(error)); };
  if (llvm::Error error = header.parse(data, &*offset, note, unit.getContext(), &unit)) {
    note(std::move(error));
    return std::nullopt;
  }
  return header;
}

}  // namespace

std::vector<std::string> read_file_paths(DebugInfo& debug_info,
                                         const std::vector<FileNumber>& files, EntryBudget& text) {
  std::vector<std::string> paths(files.size());
  // Where the files of each unit begin.
  std::vector<size_t> begins;
  for (size_t i = 0; i < files.size(); i++)
    if (files[i].is_known() && (i == 0 || files[i].unit != files[i - 1].unit)) begins.push_back(i);
  EntryBudget line_bytes(debug_info.line_limit());  // many units may have one large header
  parallel_for_by_thread(begins.size(), debug_info.context_count(), [&](size_t thread, size_t k) {
    if (text.is_used_up()) return;
    const uint64_t offset = files[begins[k]].unit;
    llvm::DWARFUnit* unit = find_unit(debug_info.units(thread), offset);
    if (unit == nullptr) return;
    std::optional<LineHeader> header = read_header(*unit, debug_info, line_bytes);
    if (!header) return;
    const llvm::StringRef directory = unit->getCompilationDir();
    for (size_t i = begins[k]; i < files.size() && files[i].unit == offset; i++) {
      if (!header->getFileNameByIndex(files[i].file, directory,
                                      llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
                                      paths[i]))
        paths[i].clear();
      text.use(paths[i].size());
      if (text.is_used_up()) return;
    }
  });
  if (line_bytes.is_used_up()) paths.assign(files.size(), "");
  return paths;
}

}  // namespace pgo

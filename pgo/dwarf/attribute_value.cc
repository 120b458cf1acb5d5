#include "pgo/dwarf/attribute_value.h"

#include <llvm/DebugInfo/DWARF/DWARFDebugAbbrev.h>
#include <llvm/DebugInfo/DWARF/DWARFFormValue.h>

namespace pgo {

std::optional<uint64_t> end_of_value(const llvm::DWARFDataExtractor& data,
                                     const llvm::DWARFUnit& unit, llvm::dwarf::Form form,
                                     uint64_t offset) {
  uint64_t end = offset;
  if (form == llvm::dwarf::DW_FORM_indirect || offset > data.size() ||
      !llvm::DWARFFormValue::skipValue(form, data, &end, unit.getFormParams()))
    return std::nullopt;
  if (end < offset || end > data.size()) return std::nullopt;
  return end;
}

bool has_readable_entry(const llvm::DWARFUnit& unit) {
  llvm::DWARFDataExtractor data = unit.getDebugInfoExtractor();
  const auto* abbreviations = unit.getAbbreviations();
  uint64_t offset = unit.getOffset() + unit.getHeaderSize();
  if (abbreviations == nullptr || offset >= data.size()) return true;
  uint64_t code = data.getULEB128(&offset);
  const auto* abbreviation = abbreviations->getAbbreviationDeclaration(static_cast<uint32_t>(code));
  if (abbreviation == nullptr) return true;
  for (const auto& attribute : abbreviation->attributes()) {
    if (attribute.isImplicitConst()) continue;
    std::optional<uint64_t> end = end_of_value(data, unit, attribute.Form, offset);
    if (!end) return false;
    offset = *end;
  }
  return true;
}

}  // namespace pgo

#include "pgo/dwarf/line_header.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDataExtractor.h>
#include <llvm/DebugInfo/DWARF/DWARFFormValue.h>

#include <algorithm>
#include <vector>

#include "pgo/base/number_text.h"

namespace pgo {
namespace {

using llvm::DWARFDataExtractor;
using Cursor = llvm::DataExtractor::Cursor;
using llvm::dwarf::Form;

// One field of the entries of directories, or of files.
struct Field {
  uint64_t content = 0, form = 0;
};

bool is_constant(uint64_t form) {
  using namespace llvm::dwarf;
  return form == DW_FORM_udata || form == DW_FORM_data1 || form == DW_FORM_data2 ||
         form == DW_FORM_data4 || form == DW_FORM_data8;
}

// The forms that DWARF 5 allows in these tables (6.2.4.1), and those of strings in another file.
// Each takes at least one byte, so that a count cannot be greater than the header is long.
bool is_allowed(uint64_t form) {
  switch (form) {
    case llvm::dwarf::DW_FORM_block:
    case llvm::dwarf::DW_FORM_block1:
    case llvm::dwarf::DW_FORM_block2:
    case llvm::dwarf::DW_FORM_block4:
    case llvm::dwarf::DW_FORM_data16:
    case llvm::dwarf::DW_FORM_flag:
    case llvm::dwarf::DW_FORM_line_strp:
    case llvm::dwarf::DW_FORM_sdata:
    case llvm::dwarf::DW_FORM_sec_offset:
    case llvm::dwarf::DW_FORM_string:
    case llvm::dwarf::DW_FORM_strp:
    case llvm::dwarf::DW_FORM_strx:
    case llvm::dwarf::DW_FORM_strx1:
    case llvm::dwarf::DW_FORM_strx2:
    case llvm::dwarf::DW_FORM_strx3:
    case llvm::dwarf::DW_FORM_strx4:
    case llvm::dwarf::DW_FORM_strp_sup:
    case llvm::dwarf::DW_FORM_GNU_strp_alt: return true;
    default: return is_constant(form);
  }
}

// What LLVM takes for a number without asking whether the form has one.
bool must_be_constant(uint64_t content) {
  return content == llvm::dwarf::DW_LNCT_directory_index ||
         content == llvm::dwarf::DW_LNCT_timestamp || content == llvm::dwarf::DW_LNCT_size;
}

std::vector<Field> read_format(const DWARFDataExtractor& data, Cursor& cursor) {
  std::vector<Field> format(data.getU8(cursor));
  for (Field& field : format) {
    field.content = data.getULEB128(cursor);
    field.form = data.getULEB128(cursor);
  }
  return format;
}

std::optional<std::string> format_fault(const std::vector<Field>& format) {
  for (const Field& field : format) {
    if (!is_allowed(field.form))
      return "form " + format_hex(field.form) + ", which DWARF does not allow there";
    if (must_be_constant(field.content) && !is_constant(field.form))
      return "form " + format_hex(field.form) + " for a number";
  }
  return std::nullopt;
}

// Moves the cursor behind the entries of a table; false where they are not whole.
bool skip_entries(const DWARFDataExtractor& data, Cursor& cursor, const std::vector<Field>& format,
                  const llvm::dwarf::FormParams& parameters) {
  uint64_t count = data.getULEB128(cursor);
  for (uint64_t i = 0; i < count && cursor && !format.empty(); i++)
    for (const Field& field : format) {
      uint64_t offset = cursor.tell();
      if (!llvm::DWARFFormValue::skipValue(static_cast<Form>(field.form), data, &offset,
                                           parameters) ||
          offset <= cursor.tell() || offset > data.size())
        return false;
      cursor.seek(offset);
    }
  return static_cast<bool>(cursor);
}

// Of the header at the cursor. What cannot be read is no fault: LLVM finds that, too, since it
// reads the same.
std::optional<std::string> header_fault(DWARFDataExtractor data, Cursor& cursor, uint64_t limit,
                                        EntryBudget& budget) {
  llvm::dwarf::FormParams parameters{};
  uint64_t length = 0;
  std::tie(length, parameters.Format) = data.getInitialLength(cursor);
  if (!cursor) return std::nullopt;
  const uint64_t bytes = std::min(length, data.size() - cursor.tell());
  if (bytes > limit)
    return "claims " + std::to_string(bytes) + " bytes of line program, and " +
           std::to_string(limit) + " at most are plausible for a file of its size";
  budget.use(bytes);
  if (budget.is_used_up())
    return "is one of many that claim more than " + std::to_string(limit) +
           " bytes of line programs together, and no more are plausible for a file of its size";
  data = DWARFDataExtractor(data, cursor.tell() + length);
  parameters.Version = data.getU16(cursor);
  if (!cursor || parameters.Version != 5) return std::nullopt;
  // No allowed form depends on the size of addresses. With the header's, which may be 0,
  // skipValue() would skip nothing, while LLVM reads on.
  parameters.AddrSize = 8;
  data.skip(cursor, 2);  // the sizes of addresses and of segment selectors
  uint64_t header_length = data.getUnsigned(cursor, parameters.getDwarfOffsetByteSize());
  data = DWARFDataExtractor(data, cursor.tell() + header_length);
  data.skip(cursor, 5);  // how the line program counts
  uint8_t opcode_base = data.getU8(cursor);
  if (opcode_base > 1) data.skip(cursor, opcode_base - uint64_t{1});
  for (int table = 0; table < 2; table++) {  // directories, files
    std::vector<Field> format = read_format(data, cursor);
    if (!cursor) return std::nullopt;
    if (auto fault = format_fault(format)) return "uses " + *fault;
    if (!skip_entries(data, cursor, format, parameters)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint64_t> find_line_table(llvm::DWARFUnit& unit) {
  llvm::DWARFDie entry = unit.getUnitDIE();
  auto statements =
      llvm::dwarf::toSectionOffset(entry ? entry.find(llvm::dwarf::DW_AT_stmt_list) : std::nullopt);
  if (!statements) return std::nullopt;
  return *statements + unit.getLineTableOffset();
}

std::optional<std::string> line_header_fault(llvm::DWARFUnit& unit, uint64_t limit,
                                             EntryBudget& budget) {
  std::optional<uint64_t> offset = find_line_table(unit);
  if (!offset) return std::nullopt;
  DWARFDataExtractor data(unit.getContext().getDWARFObj(), unit.getLineSection(),
                          unit.isLittleEndian(), unit.getAddressByteSize());
  Cursor cursor(*offset);
  std::optional<std::string> fault = header_fault(data, cursor, limit, budget);
  llvm::consumeError(cursor.takeError());
  if (fault) return "the header at offset " + format_hex(*offset) + " " + *fault;
  return std::nullopt;
}

}  // namespace pgo

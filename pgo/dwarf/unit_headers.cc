#include "pgo/dwarf/unit_headers.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/Support/DataExtractor.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <set>

namespace pgo {
namespace {

// The contents of the section `name` or `name`.dwo; empty when there is none.
llvm::StringRef find_section(const llvm::object::ObjectFile& object, llvm::StringRef name) {
  for (const llvm::object::SectionRef& section : object.sections()) {
    auto found = section.getName();
    if (!found) {
      llvm::consumeError(found.takeError());
      continue;
    }
    found->consume_back(".dwo");
    if (*found != name || section.isVirtual()) continue;
    auto contents = section.getContents();
    if (contents) return *contents;
    llvm::consumeError(contents.takeError());
  }
  return {};
}

// What cannot be read ends the list, as it does for LLVM. Stops behind `most` units.
void read_headers(llvm::StringRef section, uint64_t most, uint64_t& units,
                  std::set<uint64_t>& tables) {
  llvm::DataExtractor data(section, true, 8);
  for (uint64_t offset = 0; data.isValidOffset(offset) && units <= most;) {
    llvm::DataExtractor::Cursor cursor(offset);
    uint64_t length = data.getU32(cursor);
    const bool is_64_bit = length == llvm::dwarf::DW_LENGTH_DWARF64;
    if (is_64_bit) length = data.getU64(cursor);
    const uint64_t begin = cursor.tell();
    const uint16_t version = data.getU16(cursor);
    if (version >= 5) data.skip(cursor, 2);  // type of unit, size of addresses
    uint64_t abbreviations = is_64_bit ? data.getU64(cursor) : data.getU32(cursor);
    if (llvm::Error error = cursor.takeError()) {
      llvm::consumeError(std::move(error));
      return;
    }
    units++;
    tables.insert(abbreviations);
    if (length > section.size() - begin) return;
    offset = begin + length;
  }
}

// Where the table at `offset` ends: code, tag, children, then attributes up to 0, 0; up to code 0.
uint64_t end_of_table(const llvm::DataExtractor& data, uint64_t offset) {
  llvm::DataExtractor::Cursor cursor(offset);
  while (cursor && data.getULEB128(cursor) != 0) {
    data.getULEB128(cursor);
    data.skip(cursor, 1);
    for (;;) {
      uint64_t attribute = data.getULEB128(cursor), form = data.getULEB128(cursor);
      if (!cursor || (attribute == 0 && form == 0)) break;
      if (form == llvm::dwarf::DW_FORM_implicit_const) data.getSLEB128(cursor);
    }
  }
  uint64_t end = cursor.tell();
  llvm::consumeError(cursor.takeError());
  return end;
}

}  // namespace

UnitHeaders read_unit_headers(const llvm::object::ObjectFile& object, uint64_t stored) {
  constexpr uint64_t kAlways = 1 << 14, kBytesOfUnit = 32, kAlwaysAbbreviations = 1 << 16;
  const uint64_t most = kAlways + stored / kBytesOfUnit;
  UnitHeaders headers;
  std::set<uint64_t> tables;  // of abbreviations, by offset
  for (const char* name : {".debug_info", ".debug_types"})
    read_headers(find_section(object, name), most, headers.units, tables);
  if (headers.units > most) {
    headers.fault = "has more than " + std::to_string(most) + " units, in a file of " +
                    std::to_string(stored) + " bytes";
    return headers;
  }

  llvm::StringRef section = find_section(object, ".debug_abbrev");
  llvm::DataExtractor data(section, true, 8);
  // Tables that do not overlap are together as long as the section.
  uint64_t bytes = 0;
  for (uint64_t offset : tables) {
    if (offset >= section.size()) continue;
    const uint64_t table = end_of_table(data, offset) - offset;
    headers.longest_table = std::max(headers.longest_table, table);
    bytes += table;
    if (bytes <= 2 * section.size()) continue;
    headers.fault = "has tables of abbreviations that overlap";
    return headers;
  }
  const uint64_t limit = kAlwaysAbbreviations + object.getData().size() / 2;
  if (bytes > limit)
    headers.fault = "has " + std::to_string(bytes) + " bytes of abbreviations, and " +
                    std::to_string(limit) + " at most are plausible for a file of its size";
  return headers;
}

}  // namespace pgo

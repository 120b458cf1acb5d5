#include "pgo/dwarf/unit_index.h"

#include <llvm/Support/DataExtractor.h>

#include <vector>

namespace pgo {

// DWARF 5, 7.3.5.3: version, columns, units, slots (32 bits each); a signature for each slot (64
// bits), the row of each slot (32 bits; from 1, 0 where it is empty); a number for each column; and
// for each row two tables of a number for each column.
bool is_sound_unit_index(llvm::StringRef section) {
  constexpr uint64_t kHeader = 16, kSignature = 8, kNumber = 4;
  if (section.size() < kHeader) return true;
  llvm::DataExtractor data(section, true, 8);
  uint64_t offset = kNumber;
  const uint64_t columns = data.getU32(&offset);
  const uint64_t rows = data.getU32(&offset);
  const uint64_t slots = data.getU32(&offset);
  const uint64_t left = section.size() - kHeader;
  if (slots > left / (kSignature + kNumber)) return false;
  const uint64_t numbers = (left - slots * (kSignature + kNumber)) / kNumber;
  if (columns != 0 && rows * 2 + 1 > numbers / columns) return false;
  // A look-up steps by an odd number through slots that are a power of two, and so comes to each.
  if ((slots & (slots - 1)) != 0 || rows > slots) return false;

  std::vector<bool> has_slot(static_cast<size_t>(rows));
  bool has_empty_slot = slots == 0;
  offset = kHeader + slots * kSignature;
  for (uint64_t i = 0; i < slots; i++) {
    uint64_t row = data.getU32(&offset);
    if (row > rows) return false;
    if (row == 0)
      has_empty_slot = true;
    else
      has_slot[static_cast<size_t>(row - 1)] = true;
  }
  for (bool has : has_slot)
    if (!has) return false;
  return has_empty_slot;
}

}  // namespace pgo

#include "pgo/dwarf/unit_index.h"

#include <gtest/gtest.h>

#include "pgo/base/bytes.h"
#include "tests/data/byte_writer.h"

namespace pgo::unit_index_test {
namespace {

// An index of these rows by slot; `columns`, `rows` and `slots` as its header has them.
struct Index {
  uint32_t columns = 2, rows = 2, slots = 4;
  std::vector<uint32_t> row_of_slot{0, 2, 0, 1};
  size_t missing = 0;  // bytes at the end
};

bool is_sound(const Index& index) {
  test::ByteVector bytes;
  for (uint32_t number : {uint32_t{5}, index.columns, index.rows, index.slots})
    test::put32(bytes, number);
  for (size_t i = 0; i < index.row_of_slot.size(); i++) test::put64(bytes, 0x1122334455667788 + i);
  for (uint32_t row : index.row_of_slot) test::put32(bytes, row);
  for (size_t i = 0; i < 2 * (2 * 2 + 1); i++) test::put32(bytes, 1);
  return is_sound_unit_index(as_text(bytes).substr(0, bytes.size() - index.missing));
}

TEST(UnitIndex, AcceptsOneSlotForEachRow) {
  EXPECT_TRUE(is_sound({}));
  EXPECT_TRUE(is_sound({.rows = 0, .slots = 0}));
  EXPECT_TRUE(is_sound_unit_index(""));
  EXPECT_TRUE(is_sound_unit_index("short")) << "LLVM ignores it";
}

// LLVM writes to where the row is said to be.
TEST(UnitIndex, RefusesRowsBeyondTheEnd) {
  EXPECT_FALSE(is_sound({.row_of_slot = {0, 3, 2, 1}}));
  EXPECT_FALSE(is_sound({.row_of_slot = {0, 0xffffffff, 2, 1}}));
}

// LLVM reads the columns of each row through a pointer that a slot sets.
TEST(UnitIndex, RefusesRowsWithoutASlot) {
  EXPECT_FALSE(is_sound({.row_of_slot = {0, 1, 0, 1}}));
  EXPECT_FALSE(is_sound({.rows = 2, .slots = 0}));
}

// LLVM's look-up of what is not there would go round for ever.
TEST(UnitIndex, RefusesTablesWithoutAnEmptySlot) {
  EXPECT_FALSE(is_sound({.row_of_slot = {1, 2, 1, 2}}));
  EXPECT_FALSE(is_sound({.slots = 3, .row_of_slot = {0, 2, 1}})) << "no power of two";
}

// In LLVM, 0x15555556 times 12 is 8.
TEST(UnitIndex, RefusesTablesThatAreCutShort) {
  EXPECT_FALSE(is_sound({.missing = 1}));
  for (uint32_t many : {0x1000u, 0x10000000u, 0x15555556u, 0x80000000u, 0xffffffffu}) {
    EXPECT_FALSE(is_sound({.columns = many}));
    EXPECT_FALSE(is_sound({.rows = many}));
    EXPECT_FALSE(is_sound({.slots = many}));
  }
}

}  // namespace
}  // namespace pgo::unit_index_test

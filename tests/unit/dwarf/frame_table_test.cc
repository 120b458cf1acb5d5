// LLVM's own answer, address by address, is the oracle: the flattened lookup must not differ at any
// of them, and neither may a run of addresses reach into one where LLVM answers otherwise.
#include "pgo/dwarf/frame_table.h"

#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include <algorithm>
#include <map>

#include "pgo/dwarf/unit_map.h"
#include "tests/data/debug_program.h"

namespace pgo::test::frame_table_test {
namespace {

// The frames of a place from the outside in, with the lines that each of them is at.
std::vector<LlvmFrame> frames_of(const FrameTable& table, const FrameTable::Place& place) {
  std::vector<LlvmFrame> frames;
  SourceLine line = place.line;
  for (uint32_t i = place.frame; i != FrameTable::kNoFrame; i = table.frames()[i].parent) {
    const FrameTable::Frame& frame = table.frames()[i];
    frames.insert(frames.begin(),
                  {frame.name.str(), frame.decl_line, line.line, line.discriminator});
    line = frame.call;
  }
  return frames;
}

std::string text(const std::vector<LlvmFrame>& frames) {
  std::string text;
  for (const LlvmFrame& frame : frames)
    text += frame.name + " (" + std::to_string(frame.decl_line) + ") " +
            std::to_string(frame.line) + "." + std::to_string(frame.discriminator) + "; ";
  return text;
}

class FrameTableTest : public DebugProgramTest {
 protected:
  const FrameTable& table_of(uint32_t unit, LineZero line_zero = LineZero::kWrite) {
    std::unique_ptr<FrameTable>& table = tables_[unit];
    if (!budget_) budget_.emplace(*program->debug_info);
    if (!table)
      table = std::make_unique<FrameTable>(*program->debug_info, 1, unit, line_zero, SymbolNames(),
                                           *budget_);
    return *table;
  }

  std::optional<FrameBudget> budget_;
  std::map<uint32_t, std::unique_ptr<FrameTable>> tables_;
};

TEST_P(FrameTableTest, AnswersAsLlvmAtEveryAddress) {
  llvm::DWARFContext& context = program->debug_info->context(0);
  UnitMap units(*program->debug_info);
  size_t with_frames = 0, inlined = 0, runs = 0;
  for (const UnitMap::Interval& interval : units.intervals()) {
    const FrameTable& table = table_of(interval.unit);
    for (uint64_t a = interval.begin.value; a < interval.end.value; runs++) {
      FrameTable::Place place = table.find(ElfAddr{a});
      ASSERT_GT(place.end, ElfAddr{a});
      std::vector<LlvmFrame> ours = frames_of(table, place);
      for (; a < std::min(place.end, interval.end).value; a++) {
        std::vector<LlvmFrame> theirs = llvm_frames(context, a);
        ASSERT_TRUE(ours == theirs)
            << std::hex << a << "\nours:   " << text(ours) << "\nLLVM's: " << text(theirs);
        with_frames += !theirs.empty();
        inlined += theirs.size() > 1;
      }
    }
  }
  EXPECT_GT(with_frames, 500u) << "this program shows nothing";
  EXPECT_LT(2 * runs, with_frames) << "runs are short: what are they for?";
  if (GetParam() != "unoptimized") {
    EXPECT_GT(inlined, 100u);
  }
}

// Outside of all units LLVM knows no frames either, and inside it takes the same unit.
TEST_P(FrameTableTest, FindsTheUnitThatLlvmFinds) {
  llvm::DWARFContext& context = program->debug_info->context(0);
  UnitMap units(*program->debug_info);
  auto interval = units.intervals().begin();
  uint64_t previous_end = 0;
  for (const UnitMap::Interval& i : units.intervals()) {
    EXPECT_LE(previous_end, i.begin.value);
    EXPECT_LT(i.begin, i.end);
    previous_end = i.end.value;
  }
  for (const ElfImage::Section* section : program->code_sections())
    for (uint64_t a = section->addr.value; a < section->addr.value + section->size; a++) {
      while (interval != units.intervals().end() && interval->end.value <= a) ++interval;
      const llvm::DWARFUnit* expected = context.getCompileUnitForCodeAddress(a);
      bool inside = interval != units.intervals().end() && interval->begin.value <= a;
      ASSERT_EQ(inside ? program->debug_info->units(0)[interval->unit] : nullptr, expected)
          << std::hex << a;
    }
}

// A call without a line makes its callee part of the caller; everything else stays as it is.
TEST_P(FrameTableTest, EndsStacksAtCallsWithoutALine) {
  UnitMap units(*program->debug_info);
  for (const UnitMap::Interval& interval : units.intervals()) {
    const FrameTable& table = table_of(interval.unit, LineZero::kSkip);
    FrameBudget budget(*program->debug_info);
    FrameTable whole(*program->debug_info, 0, interval.unit, LineZero::kWrite, {}, budget);
    for (uint64_t a = interval.begin.value; a < interval.end.value; a++) {
      std::vector<LlvmFrame> expected = frames_of(whole, whole.find(ElfAddr{a}));
      for (size_t i = 0; i + 1 < expected.size(); i++)
        if (expected[i].line == 0) expected.resize(i + 1);
      std::vector<LlvmFrame> ours = frames_of(table, table.find(ElfAddr{a}));
      ASSERT_TRUE(ours == expected)
          << std::hex << a << "\nours:     " << text(ours) << "\nexpected: " << text(expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, FrameTableTest, testing::ValuesIn(debug_program_names()),
                         program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FrameTableTest);

}  // namespace
}  // namespace pgo::test::frame_table_test

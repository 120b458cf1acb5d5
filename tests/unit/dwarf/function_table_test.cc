// The oracle walks LLVM's own DIEs and looks everything up by trying all ranges.
#include "pgo/dwarf/function_table.h"

#include <llvm/DebugInfo/DWARF/DWARFDie.h>
#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

#include <map>
#include <set>

#include "tests/data/debug_program.h"

namespace pgo::test::function_table_test {
namespace {

struct Oracle {
  std::map<std::string, std::vector<std::pair<uint64_t, uint64_t>>> functions;
  std::map<uint64_t, std::pair<uint64_t, std::string>> starts;  // the first to claim a start

  explicit Oracle(DebugProgram& program) {
    std::vector<llvm::DWARFDie> split;
    for (llvm::DWARFUnit* unit : program.debug_info->units(0)) {
      add(unit->getUnitDIE(false), first_code(program));
      llvm::DWARFDie full = unit->getNonSkeletonUnitDIE(false);
      if (full && full.getDwarfUnit() != unit) split.push_back(full);
    }
    for (llvm::DWARFDie die : split) add(die, first_code(program));
  }

  // The start whose range holds `addr`, or null: only the nearest start before it is looked at.
  const std::pair<const uint64_t, std::pair<uint64_t, std::string>>* find(uint64_t addr) const {
    auto after = starts.upper_bound(addr);
    if (after == starts.begin() || std::prev(after)->second.first <= addr) return nullptr;
    return &*std::prev(after);
  }

 private:
  static uint64_t first_code(const DebugProgram& program) {
    for (const ElfImage::Segment& segment : program.binary.image->segments())
      if (segment.executable) return segment.addr.value & ~uint64_t{0xfff};
    return 0;
  }

  void add(llvm::DWARFDie die, uint64_t first) {
    if (die.getTag() == llvm::dwarf::DW_TAG_subprogram) {
      const char* name = die.getName(llvm::DINameKind::LinkageName);
      auto ranges = die.getAddressRanges();
      if (!ranges) llvm::consumeError(ranges.takeError());
      if (name != nullptr && ranges) {
        for (const llvm::DWARFAddressRange& range : *ranges) {
          if (range.LowPC >= range.HighPC || range.LowPC < first) continue;
          functions[name].emplace_back(range.LowPC, range.HighPC);
          starts.try_emplace(range.LowPC, range.HighPC, name);
        }
      }
    }
    for (llvm::DWARFDie child : die.children()) add(child, first);
  }
};

class FunctionTableTest : public DebugProgramTest {};

TEST_P(FunctionTableTest, HasTheFunctionsOfTheDebugInformation) {
  Oracle oracle(*program);
  FunctionTable table(*program->debug_info, *program->binary.image, *program->binary.image);
  ASSERT_EQ(table.functions().size(), oracle.functions.size());
  EXPECT_GT(oracle.functions.size(), 4u);
  for (const FunctionTable::Function& function : table.functions()) {
    auto expected = oracle.functions.find(function.name.str());
    ASSERT_NE(expected, oracle.functions.end()) << function.name.str();
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    for (const FunctionTable::Range& range : function.ranges)
      ranges.emplace_back(range.begin.value, range.end.value);
    EXPECT_EQ(ranges, expected->second) << function.name.str();
  }
  EXPECT_EQ(program->debug_info->damage().first(), "");
}

TEST_P(FunctionTableTest, FindsTheFunctionOfEveryAddress) {
  Oracle oracle(*program);
  FunctionTable table(*program->debug_info, *program->binary.image, *program->binary.image);
  for (const ElfImage::Section* section : program->code_sections())
    for (uint64_t a = section->addr.value; a < section->addr.value + section->size; a++) {
      const auto* expected = oracle.find(a);
      std::optional<uint32_t> found = table.find(ElfAddr{a});
      ASSERT_EQ(found ? table.functions()[*found].name.str() : "",
                expected == nullptr ? "" : expected->second.second)
          << std::hex << a;
    }
}

// A function in one piece is entered at its start if any symbol lies in it; of one in several
// pieces, only the piece with a symbol of its name.
TEST_P(FunctionTableTest, KnowsWhereFunctionsAreEntered) {
  Oracle oracle(*program);
  std::set<uint64_t> entries;
  for (const ElfImage::Symbol& symbol : program->binary.image->symbols()) {
    const ElfImage::Section& section = program->binary.image->sections()[symbol.section];
    if (!section.executable || section.name == ".plt") continue;
    const auto* start = oracle.find(symbol.addr.value);
    if (start == nullptr) continue;
    const std::string& name = start->second.second;
    std::string plain(symbol.name.substr(0, symbol.name.find(".llvm.")));
    if (oracle.functions.at(name).size() == 1 || plain == name) entries.insert(start->first);
  }
  EXPECT_GT(entries.size(), 4u);
  FunctionTable table(*program->debug_info, *program->binary.image, *program->binary.image);
  for (const ElfImage::Section* section : program->code_sections())
    for (uint64_t a = section->addr.value; a < section->addr.value + section->size; a++) {
      std::optional<uint32_t> found = table.find_entry(ElfAddr{a});
      ASSERT_EQ(found.has_value(), entries.contains(a)) << std::hex << a;
      if (found) {
        ASSERT_EQ(table.functions()[*found].name.str(), oracle.starts.at(a).second);
      }
    }
}

TEST_P(FunctionTableTest, DoesNotDependOnThreads) {
  FunctionTable two(*program->debug_info, *program->binary.image, *program->binary.image);
  std::unique_ptr<DebugInfo> single = DebugInfo::open(*program->binary.image, 1).value();
  FunctionTable one(*single, *program->binary.image, *program->binary.image);
  ASSERT_EQ(one.functions().size(), two.functions().size());
  for (size_t i = 0; i < one.functions().size(); i++)
    EXPECT_EQ(one.functions()[i].name.str(), two.functions()[i].name.str());
}

INSTANTIATE_TEST_SUITE_P(Programs, FunctionTableTest, testing::ValuesIn(debug_program_names()),
                         program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FunctionTableTest);

}  // namespace
}  // namespace pgo::test::function_table_test

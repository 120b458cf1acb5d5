// Names of the programs' functions in all the forms in which profiles have them.
#include "pgo/dwarf/function_names.h"

#include <set>

#include "pgo/code/demangled_name.h"
#include "tests/data/debug_program.h"

namespace pgo::test::function_names_test {
namespace {

using FunctionNamesTest = DebugProgramTest;

std::set<std::string> named(const FunctionNames& names, std::span<const uint32_t> numbers) {
  std::set<std::string> all;
  for (uint32_t number : numbers) all.insert(names.functions()[number].name.str());
  return all;
}

TEST_P(FunctionNamesTest, FindWhatPeopleAndLinkersCallThem) {
  FunctionNames names(*program->debug_info, SymbolNames(*program->binary.image));
  ASSERT_GT(names.functions().size(), 5u);
  for (const FunctionNames::Function& function : names.functions()) {
    std::string name = function.name.str();
    FunctionNames::Meaning meaning = names.find(name);
    EXPECT_EQ(named(names, meaning.first), std::set<std::string>{name});
    EXPECT_TRUE(named(names, meaning.all).contains(name));
    // Profiles may name thousands of functions that mean the same thousands.
    EXPECT_EQ(meaning.all.data(), names.find(name).all.data());
    // Line tables alone have names without their scopes and parameters, which can be anything.
    if (!name.starts_with("_Z")) continue;
    for (const std::string& other :
         {name + ".__uniq.123", name + ".llvm.45", name + ".__uniq.123.llvm.45",
          demangled_name(name), simple_name(demangled_name(name))})
      EXPECT_TRUE(named(names, names.find(other).all).contains(name)) << other;
  }
  for (const char* absent : {"_Z6absentv", "absent", ""}) {
    EXPECT_TRUE(names.find(absent).first.empty());
    EXPECT_TRUE(names.find(absent).all.empty());
  }
}

TEST_P(FunctionNamesTest, KnowWhereFunctionsStart) {
  FunctionNames names(*program->debug_info, SymbolNames(*program->binary.image));
  // GCC's debug information has names of which symbols make others.
  if (GetParam().starts_with("gcc")) return;
  bool any = false;
  for (const ElfImage::Section* section : program->code_sections())
    for (uint64_t a = section->addr.value; a < section->addr.value + section->size; a++)
      for (const LlvmFrame& frame : llvm_frames(program->debug_info->context(0), a)) {
        std::optional<uint32_t> number = names.number_of(frame.name);
        if (!number) continue;
        any = true;
        uint32_t line = names.functions()[*number].decl_line;
        EXPECT_TRUE(line == frame.decl_line || line == 0) << frame.name;
      }
  EXPECT_TRUE(any);
}

INSTANTIATE_TEST_SUITE_P(Programs, FunctionNamesTest, testing::ValuesIn(debug_program_names()),
                         program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FunctionNamesTest);

}  // namespace
}  // namespace pgo::test::function_names_test

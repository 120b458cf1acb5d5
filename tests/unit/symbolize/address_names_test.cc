// LLVM's own answer is the oracle: of each instruction of each program, frame by frame.
#include "pgo/symbolize/address_names.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include <sstream>

#include "pgo/code/demangled_name.h"
#include "tests/data/debug_program.h"

namespace pgo::test::address_names_test {
namespace {

struct Expected {
  std::string name, file;
  uint32_t start_line = 0, line = 0;
};

// Innermost first, up to the first frame without a name.
std::vector<Expected> llvm_stack(llvm::DWARFContext& context, uint64_t addr) {
  using Specifier = llvm::DILineInfoSpecifier;
  llvm::DIInliningInfo info = context.getInliningInfoForAddress(
      {addr, llvm::object::SectionedAddress::UndefSection},
      {Specifier::FileLineInfoKind::AbsoluteFilePath, Specifier::FunctionNameKind::LinkageName});
  std::vector<Expected> stack;
  for (uint32_t i = info.getNumberOfFrames(); i-- > 0;) {
    const llvm::DILineInfo& frame = info.getFrame(i);
    if (frame.FunctionName.empty() || frame.FunctionName == llvm::DILineInfo::BadString) break;
    stack.insert(stack.begin(),
                 {frame.FunctionName, frame.StartFileName, frame.StartLine, frame.Line});
  }
  return stack;
}

std::vector<ElfAddr> addresses_of(const DebugProgram& program) {
  std::vector<ElfAddr> addresses;
  for (uint64_t start : program.instructions()) addresses.push_back({start});
  return addresses;
}

// Symbols name what the debug information names only within its scope: of the outermost function.
bool is_name(const std::string& ours, const std::string& llvms, bool is_outermost) {
  return ours == llvms || (is_outermost && !llvms.starts_with("_Z") && ours.starts_with("_Z") &&
                           ours.find(llvms) != std::string::npos);
}

class AddressNamesTest : public DebugProgramTest {};

TEST_P(AddressNamesTest, NamesEachInstructionAsLlvmDoes) {
  const std::vector<ElfAddr> addresses = addresses_of(*program);
  const AddressNames names = name_addresses(program->binary, addresses, 2);
  EXPECT_TRUE(names.has_debug_info);
  EXPECT_EQ(names.diagnostics, Diagnostics());
  llvm::DWARFContext& context = program->debug_info->context(0);
  size_t frames = 0, inlined = 0, with_file = 0;
  for (size_t i = 0; i < addresses.size(); i++) {
    const std::vector<Expected> expected = llvm_stack(context, addresses[i].value);
    if (expected.empty()) {
      ASSERT_NE(names.sources[i], AddressNames::Source::kDebugInfo) << addresses[i].value;
      continue;
    }
    ASSERT_EQ(names.sources[i], AddressNames::Source::kDebugInfo) << addresses[i].value;
    const auto stack = names.stack_of(i);
    ASSERT_EQ(stack.size(), expected.size()) << addresses[i].value;
    for (size_t k = 0; k < stack.size(); k++) {
      const AddressNames::Function& function = names.functions[stack[k].function];
      const AddressNames::Name& name = names.names[function.name];
      ASSERT_TRUE(is_name(name.linkage_name, expected[k].name, k + 1 == stack.size()))
          << name.linkage_name << ", LLVM: " << expected[k].name;
      EXPECT_EQ(name.demangled, demangled_name(name.linkage_name));
      ASSERT_EQ(stack[k].line, expected[k].line) << name.linkage_name;
      ASSERT_EQ(function.start_line, expected[k].start_line) << name.linkage_name;
      if (!expected[k].file.empty()) {
        ASSERT_EQ(names.files[function.file], expected[k].file) << name.linkage_name;
        with_file++;
      }
    }
    frames += stack.size();
    inlined += stack.size() > 1;
  }
  EXPECT_GT(frames, 300u) << "this program shows nothing";
  EXPECT_GT(2 * with_file, frames);
  if (GetParam() != "unoptimized") {
    EXPECT_GT(inlined, 50u);
  }
}

// One address by itself, and among all, on one thread and on several.
TEST_P(AddressNamesTest, NamesAnAddressWhateverElseIsAsked) {
  const std::vector<ElfAddr> addresses = addresses_of(*program);
  const AddressNames all = name_addresses(program->binary, addresses, 3);
  auto text = [](const AddressNames& names, size_t i) {
    std::ostringstream out;
    out << static_cast<int>(names.sources[i]);
    for (const AddressNames::Frame& frame : names.stack_of(i)) {
      const AddressNames::Function& function = names.functions[frame.function];
      out << ' ' << names.names[function.name].linkage_name << ' ' << names.files[function.file]
          << ':' << function.start_line << ' ' << frame.line;
    }
    return out.str();
  };
  for (size_t i = 0; i < addresses.size(); i += addresses.size() / 16 + 1) {
    const AddressNames one = name_addresses(program->binary, {&addresses[i], 1}, 1);
    EXPECT_EQ(text(one, 0), text(all, i));
  }
}

// _start and others come from the C library, which has no debug information here.
TEST_P(AddressNamesTest, NamesTheRestBySymbol) {
  std::vector<ElfAddr> addresses;
  for (const ElfImage::Symbol& symbol : program->binary.image->symbols())
    if (symbol.name == "_start") addresses.push_back(symbol.addr);
  ASSERT_EQ(addresses.size(), 1u);
  const AddressNames names = name_addresses(program->binary, addresses, 1);
  ASSERT_EQ(names.sources[0], AddressNames::Source::kSymbol);
  const auto stack = names.stack_of(0);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(names.names[names.functions[stack[0].function].name].linkage_name, "_start");
  EXPECT_EQ(stack[0].line, 0u);
  EXPECT_EQ(names.files[names.functions[stack[0].function].file], "");
}

INSTANTIATE_TEST_SUITE_P(Programs, AddressNamesTest, testing::ValuesIn(debug_program_names()),
                         program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(AddressNamesTest);

}  // namespace
}  // namespace pgo::test::address_names_test

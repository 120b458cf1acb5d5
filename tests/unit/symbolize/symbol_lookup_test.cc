// LLVM's answer for each instruction is the oracle: a sample that has the names and lines of an
// instruction has it in its place, with those of the same names and lines, and no others.
#include "pgo/symbolize/symbol_lookup.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include <map>
#include <set>

#include "pgo/code/demangled_name.h"
#include "pgo/code/instruction_decoder.h"
#include "tests/data/byte_writer.h"
#include "tests/data/debug_program.h"
#include "tests/data/elf_builder.h"

namespace pgo::test::symbol_lookup_test {
namespace {

// Leaf first.
using Stack = std::vector<LlvmFrame>;
using Key = std::vector<std::pair<std::string, uint32_t>>;

Key key_of(const Stack& stack) {
  Key key;
  for (const LlvmFrame& frame : stack) key.emplace_back(frame.name, frame.line);
  return key;
}

class NamedPlacesTest : public DebugProgramTest {
 protected:
  void SetUp() override {
    DebugProgramTest::SetUp();
    for (uint64_t addr : program->instructions()) {
      Stack stack = llvm_frames(program->debug_info->context(0), addr);
      std::reverse(stack.begin(), stack.end());
      if (stack.empty() || stack[0].line == 0 || stack[0].name.empty()) continue;
      auto [found, is_new] = by_key.try_emplace(key_of(stack));
      if (is_new) stacks.push_back(stack);
      found->second.insert(addr);
    }
    ASSERT_GT(stacks.size(), 20u);
  }

  const Binary& binary() const { return program->binary; }

  std::vector<Stack> stacks;  // one of each key
  std::map<Key, std::set<uint64_t>> by_key;
};

// What a profile makes of a stack.
struct Writing {
  std::string (*name)(const std::string& linkage_name) = [](const std::string& n) { return n; };
  int64_t moved = 0;            // lines in the profile are so much larger
  bool starts = false;          // it says where functions start
  size_t inlined = ~size_t{0};  // frames of the first place, at most
  std::string file;
};

SymbolLookup look_up(const std::vector<Stack>& stacks, const Binary& binary, const Writing& writing,
                     WithoutLine without_line = WithoutLine::kLeaveOut) {
  StackProfile profile;
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  LabelsId none = profile.add_labels({});
  for (const Stack& stack : stacks) {
    std::vector<StackLine> own, around;
    for (const LlvmFrame& frame : stack) {
      FunctionId function =
          profile.add_function({profile.strings.add(writing.name(frame.name)),
                                {},
                                profile.strings.add(writing.file),
                                writing.starts ? frame.decl_line + writing.moved : 0});
      int64_t line = frame.line == 0 ? 0 : frame.line + writing.moved;
      (own.size() < writing.inlined ? own : around).push_back({function, line, 0});
    }
    profile.add_sample(
        {profile.add_stack({profile.add_location({}, own), profile.add_location({}, around)}),
         none},
        {1});
  }
  return SymbolLookup::find(binary, profile, without_line, 2).value();
}

std::set<uint64_t> code_of(const SymbolLookup& places, size_t sample) {
  std::set<uint64_t> code;
  if (!places.answers()[sample].place) return code;
  for (ElfAddr addr : places.instructions_of(*places.answers()[sample].place))
    code.insert(addr.value);
  return code;
}

TEST_P(NamedPlacesTest, AreTheInstructionsOfTheSameNamesAndLines) {
  SymbolLookup places = look_up(stacks, binary(), {});
  for (size_t i = 0; i < stacks.size(); i++) {
    EXPECT_EQ(code_of(places, i), by_key[key_of(stacks[i])]) << stacks[i][0].name;
    EXPECT_FALSE(places.answers()[i].inlined_otherwise);
  }
}

TEST_P(NamedPlacesTest, AreFoundWhereTheProfileDoesNotSayWhatIsInlined) {
  // As if all were calls of functions that are not inlined: the longest stack is the right one.
  Writing writing;
  writing.inlined = 1;
  SymbolLookup places = look_up(stacks, binary(), writing);
  for (size_t i = 0; i < stacks.size(); i++) {
    std::set<uint64_t> code = code_of(places, i);
    bool is_alone = by_key.contains(Key{key_of(stacks[i])[0]});
    EXPECT_EQ(code, by_key[is_alone ? Key{key_of(stacks[i])[0]} : key_of(stacks[i])]);
    EXPECT_EQ(places.answers()[i].inlined_otherwise, !is_alone && stacks[i].size() > 1);
  }
}

TEST_P(NamedPlacesTest, AreFoundWhereLessIsInlinedThanInTheProfile) {
  std::vector<Stack> deeper = stacks;
  for (Stack& stack : deeper) {
    stack.push_back(stack.back());
    stack.back().name = "caller_of_another_build";
  }
  SymbolLookup places = look_up(deeper, binary(), {});
  for (size_t i = 0; i < stacks.size(); i++)
    EXPECT_EQ(code_of(places, i), by_key[key_of(stacks[i])]) << stacks[i][0].name;
}

TEST_P(NamedPlacesTest, AreFoundByNamesWithOtherSuffixes) {
  Writing writing;
  writing.name = [](const std::string& name) { return name + ".__uniq.77.llvm.88"; };
  SymbolLookup places = look_up(stacks, binary(), writing);
  for (size_t i = 0; i < stacks.size(); i++)
    EXPECT_EQ(code_of(places, i), by_key[key_of(stacks[i])]) << stacks[i][0].name;
}

TEST_P(NamedPlacesTest, AreFoundByDemangledNamesThatAreNotAmbiguous) {
  Writing writing;
  writing.name = [](const std::string& name) { return simple_name(demangled_name(name)); };
  SymbolLookup places = look_up(stacks, binary(), writing);
  size_t found = 0;
  for (size_t i = 0; i < stacks.size(); i++) {
    if (!places.answers()[i].place) continue;
    EXPECT_EQ(code_of(places, i), by_key[key_of(stacks[i])]) << stacks[i][0].name;
    found++;
  }
  // Overloads on one line, and instances of a template, are what is left.
  EXPECT_GT(found, stacks.size() / 3);
}

TEST_P(NamedPlacesTest, AreFoundWhereFunctionsHaveMovedInTheirFile) {
  FunctionNames names(*program->debug_info, SymbolNames(*program->binary.image));
  // Where functions of one name start on several lines, nothing tells how far they moved.
  auto is_followed = [&](const Stack& stack) {
    return std::all_of(stack.begin(), stack.end(), [&](const LlvmFrame& frame) {
      std::optional<uint32_t> number = names.number_of(frame.name);
      return frame.line != 0 && number && names.functions()[*number].decl_line != 0;
    });
  };
  Writing writing;
  writing.moved = 1000;
  SymbolLookup lost = look_up(stacks, binary(), writing);
  writing.starts = true;
  SymbolLookup places = look_up(stacks, binary(), writing);
  size_t followed = 0;
  for (size_t i = 0; i < stacks.size(); i++) {
    EXPECT_EQ(lost.answers()[i].reason, Dropped::kUnknownLine);
    EXPECT_FALSE(lost.answers()[i].place);
    if (!is_followed(stacks[i])) continue;
    followed++;
    EXPECT_EQ(code_of(places, i), by_key[key_of(stacks[i])]) << stacks[i][0].name;
  }
  EXPECT_GT(followed, stacks.size() / 3);
}

TEST_P(NamedPlacesTest, AreNowhereInAnotherFile) {
  Writing writing;
  writing.file = "/src/another.cc";
  SymbolLookup places = look_up(stacks, binary(), writing);
  for (const SymbolLookup::Answer& answer : places.answers()) {
    EXPECT_FALSE(answer.place);
    EXPECT_EQ(answer.reason, Dropped::kUnknownLine);
  }
}

TEST_P(NamedPlacesTest, AreAllOfAFunctionWithoutALine) {
  std::vector<Stack> without = stacks;
  std::map<std::string, std::set<uint64_t>> by_leaf;
  for (uint64_t addr : program->instructions()) {
    Stack stack = llvm_frames(program->debug_info->context(0), addr);
    if (!stack.empty()) by_leaf[stack.back().name].insert(addr);
  }
  for (Stack& stack : without) stack[0].line = 0;
  SymbolLookup left_out = look_up(without, binary(), {});
  SymbolLookup anywhere = look_up(without, binary(), {}, WithoutLine::kAnywhereInFunction);
  for (size_t i = 0; i < stacks.size(); i++) {
    EXPECT_FALSE(left_out.answers()[i].place);
    EXPECT_EQ(left_out.answers()[i].reason, Dropped::kNoLine);
    // Where it is inlined GCC does not say which of several functions of a name it is.
    std::set<uint64_t> code = code_of(anywhere, i), all = by_leaf[stacks[i][0].name];
    if (GetParam().starts_with("gcc")) {
      EXPECT_TRUE(std::includes(all.begin(), all.end(), code.begin(), code.end()));
    } else {
      EXPECT_EQ(code, all) << stacks[i][0].name;
    }
  }
}

TEST_P(NamedPlacesTest, SayWhatIsNotThere) {
  Stack unknown = {stacks[0][0]}, line = stacks[0];
  unknown[0].name = "absent";
  line[0].line = 99999;
  SymbolLookup places = look_up({unknown, line}, binary(), {});
  EXPECT_EQ(places.answers()[0].reason, Dropped::kUnknownFunction);
  EXPECT_EQ(places.answers()[1].reason, Dropped::kUnknownLine);
  EXPECT_EQ(places.count(), 0u);
}

// The function f at 0x1000, which is 16 instructions, and of which debug information says that it
// has 2^62 bytes.
std::vector<uint8_t> program_with_endless_function() {
  using namespace llvm::dwarf;
  const ByteVector range{DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8, 0, 0};
  ByteVector abbreviations{1, DW_TAG_compile_unit, 1};
  put_bytes(abbreviations, range);
  put_bytes(abbreviations, ByteVector{2, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string});
  put_bytes(abbreviations, range);
  abbreviations.push_back(0);
  ByteVector entries;
  auto put_range = [&] {
    put64(entries, 0x1000);
    put64(entries, uint64_t{1} << 62);
  };
  entries.push_back(1);
  put_range();
  entries.insert(entries.end(), {2, 'f', 0});
  put_range();
  entries.push_back(0);
  ByteVector info;
  put32(info, static_cast<uint32_t>(7 + entries.size()));
  put(info, uint16_t{4});
  put32(info, 0);  // .debug_abbrev
  info.push_back(8);
  put_bytes(info, entries);

  ElfBuilder elf;
  elf.header.e_machine = EM_X86_64;
  const std::string text = std::string(15, '\x90') + "\xc3";
  uint16_t section = elf.next_section();
  elf.add_code(0x1000, text);
  elf.add_symbol("f", STT_FUNC, section, 0x1000, text.size());
  elf.add_section(".debug_abbrev", SHT_PROGBITS, 0, 0, as_text(abbreviations));
  elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, as_text(info));
  return elf.finish();
}

TEST(SymbolLookup, TakesNoLongerForFunctionsThatDebugInformationMakesEndless) {
  const std::vector<uint8_t> file = program_with_endless_function();
  Binary binary;
  binary.image = std::make_unique<ElfImage>(ElfImage::parse(file, "program").value());
  binary.code = make_code_map(*binary.image, *binary.image).value();
  SymbolLookup places = look_up({{{.name = "f"}}}, binary, {}, WithoutLine::kAnywhereInFunction);
  EXPECT_EQ(code_of(places, 0).size(), 16u);
}

INSTANTIATE_TEST_SUITE_P(Programs, NamedPlacesTest, testing::ValuesIn(debug_program_names()),
                         program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NamedPlacesTest);

}  // namespace
}  // namespace pgo::test::symbol_lookup_test

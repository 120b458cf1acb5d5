#include "pgo/stacks/stack_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

#include "pgo/base/temporary_directory.h"
#include "tests/data/debug_program.h"
#include "tests/data/elf_builder.h"

namespace pgo::stack_names_test {
namespace {

constexpr uint64_t kText = 0x1200, kBegin = 0x555555554000, kKernel = 0xffffffff81000100;
const std::string kId = "0011223344556677889900112233445566778899";

// A program without debug information:
//
//   1200 main   push; call work; nop; ret            returns to 1206
//   1208 last   nop; nop; nop; call work             the call does not return, to 1210
//   1210 work   nop; nop; ret; padding up to 1217
//   1218 first  call work; ret                       the call has no instruction before it
struct Program {
  Program() {
    ElfBuilder elf;
    elf.add_build_id(*BuildId::from_hex(kId));
    const unsigned char code[] = {0x55, 0xe8, 0x0a, 0,    0,    0,    0x90, 0xc3,   // main
                                  0x90, 0x90, 0x90, 0xe8, 0,    0,    0,    0,      // last
                                  0x90, 0x90, 0xc3, 0x90, 0x90, 0x90, 0x90, 0x90,   // work
                                  0xe8, 0xf3, 0xff, 0xff, 0xff, 0xc3, 0x90, 0x90};  // first
    std::string text(reinterpret_cast<const char*>(code), sizeof code);
    const uint16_t section = elf.next_section();
    offset = elf.add_code(kText, text);
    elf.add_symbol("main", STT_FUNC, section, 0x1200, 8);
    elf.add_symbol("_Z4lastv", STT_FUNC, section, 0x1208, 8);
    elf.add_symbol("work", STT_FUNC, section, 0x1210, 3);
    elf.add_symbol("first", STT_FUNC, section, 0x1218, 6);
    path = directory.file("program");
    std::ofstream(path, std::ios::binary) << as_text(elf.finish());
    binaries.emplace(BinarySet::open({path}, {}).value());
  }

  TemporaryDirectory directory = TemporaryDirectory::make().value();
  std::string path;
  uint64_t offset = 0;
  std::optional<BinarySet> binaries;
};

// A profile that counts samples, of a process that has the program at kBegin.
class Profile {
 public:
  explicit Profile(const Program& program, const std::string& id = kId) {
    profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
    StackMapping mapping;
    mapping.filename = profile.strings.add("/srv/program");
    mapping.build_id = profile.strings.add(id);
    mapping.begin = RuntimeAddr{kBegin};
    mapping.end = RuntimeAddr{kBegin + 32};
    mapping.file_offset = FileOffset{program.offset};
    main = profile.add_mapping(mapping);
  }

  // Of the program, by the address in its file.
  LocationId at(uint64_t elf, std::initializer_list<StackLine> lines = {}) {
    return profile.add_location({main, RuntimeAddr{kBegin + elf - kText}}, lines);
  }
  LocationId in_kernel() { return profile.add_location({kNoMapping, RuntimeAddr{kKernel}}, {}); }
  FunctionId function(const std::string& name) {
    return profile.add_function({profile.strings.add(name)});
  }
  void sample(std::initializer_list<LocationId> stack, int64_t value = 1) {
    profile.add_sample({profile.add_stack(stack), profile.add_labels({})}, {value});
  }

  StackProfile profile;
  MappingId main{};
};

// "work:3", the innermost inlined function first, or "?".
std::string frame_text(const StackProfile& profile, LocationId id) {
  std::string text;
  for (const StackLine& line : profile.lines[static_cast<size_t>(id)]) {
    if (!text.empty()) text += " in ";
    text += profile.text(profile.functions[static_cast<size_t>(line.function)].name);
    if (line.line != 0) text += ":" + std::to_string(line.line);
  }
  return text.empty() ? "?" : text;
}

// Each sample as "1: work < main", the leaf first.
std::string stacks_of(const StackProfile& profile) {
  std::string text;
  for (size_t i = 0; i < profile.samples.size(); i++) {
    std::string frames;
    for (LocationId id : profile.stacks[static_cast<size_t>(profile.samples[i].stack)])
      frames += (frames.empty() ? "" : " < ") + frame_text(profile, id);
    text += std::to_string(profile.values_of(i)[0]) + ": " + frames + "\n";
  }
  return text;
}

std::string name(Profile& made, const Program& program, StackNaming* result = nullptr) {
  StackNaming naming = name_stacks(made.profile, *program.binaries, {.name = "p.pb.gz"});
  EXPECT_EQ(made.profile.check(), std::nullopt);
  if (result != nullptr) *result = naming;
  return stacks_of(made.profile);
}

// The first address of a stack is where the sample was; the others are behind a call.
TEST(StackNames, LooksUpReturnAddressesInTheCall) {
  Program program;
  Profile made(program);
  made.sample({made.at(0x1211), made.at(0x1206)});
  made.sample({made.at(0x1211), made.at(0x1210)}, 2);
  EXPECT_EQ(name(made, program), "1: work < main\n2: work < last()\n");
}

TEST(StackNames, MakesTwoLocationsOfOneThatIsBothSampleAndCaller) {
  Program program;
  Profile made(program);
  LocationId both = made.at(0x1210);
  made.sample({both});
  made.sample({made.at(0x1211), both}, 2);
  EXPECT_EQ(made.profile.locations.size(), 2u);
  EXPECT_EQ(name(made, program), "1: work\n2: work < last()\n");
  EXPECT_EQ(made.profile.locations.size(), 3u);
}

// Some producers store the address of the call itself.
TEST(StackNames, LooksUpACallThatIsBehindNoCallAsItIs) {
  Program program;
  Profile made(program);
  made.sample({made.at(0x1211), made.at(0x1218)});
  EXPECT_EQ(name(made, program), "1: work < first\n");
}

// 1210 is where the process was interrupted, right behind a call, and no return address.
TEST(StackNames, LooksUpTheAddressBelowTheKernelAsItIs) {
  Program program;
  Profile made(program);
  made.sample({made.in_kernel(), made.at(0x1210), made.at(0x1206)});
  EXPECT_EQ(name(made, program), "1: [kernel] < work < main\n");
}

TEST(StackNames, TakesTheFilesOwnAddresses) {
  Program program;
  Profile made(program);
  LocationId leaf = made.profile.add_location({made.main, RuntimeAddr{0x1201}}, {});
  made.sample({leaf});
  EXPECT_EQ(name(made, program), "1: main\n");
}

TEST(StackNames, KeepsLinkageNamesBesideReadableOnes) {
  Program program;
  Profile made(program);
  made.sample({made.at(0x1209)});
  name(made, program);
  ASSERT_EQ(made.profile.functions.size(), 1u);
  EXPECT_EQ(made.profile.text(made.profile.functions[0].name), "last()");
  EXPECT_EQ(made.profile.text(made.profile.functions[0].system_name), "_Z4lastv");
}

// A symbol is no better than what the producer knew.
TEST(StackNames, KeepsFunctionsThatASymbolWouldReplace) {
  Program program;
  Profile made(program);
  made.sample({made.at(0x1211, {{made.function("better"), 7, 0}})});
  made.sample({made.at(0x1212, {{made.function(""), 7, 0}})}, 2);
  StackNaming naming;
  EXPECT_EQ(name(made, program, &naming), "1: better:7\n2: work\n");
  EXPECT_EQ(naming.weight.by_profile, 1u);
  EXPECT_EQ(naming.weight.by_symbol, 2u);
}

TEST(StackNames, SaysWhatMappingsHaveNow) {
  Program program;
  Profile made(program);
  made.sample({made.at(0x1211)});
  name(made, program);
  const StackMapping& mapping = made.profile.mappings[0];
  EXPECT_TRUE(mapping.has_functions);
  EXPECT_FALSE(mapping.has_filenames);
  EXPECT_FALSE(mapping.has_line_numbers);
  EXPECT_FALSE(mapping.has_inline_frames);
}

TEST(StackNames, WeighsWhatIsNamedByFile) {
  Program program;
  Profile made(program);
  StackMapping other;
  other.filename = made.profile.strings.add("/lib/other.so");
  other.build_id = made.profile.strings.add("ff00");
  other.begin = RuntimeAddr{0x7000}, other.end = RuntimeAddr{0x8000};
  MappingId of_other = made.profile.add_mapping(other);
  made.sample({made.profile.add_location({of_other, RuntimeAddr{0x7100}}, {}), made.at(0x1206)},
              30);
  made.sample({made.at(0x1211), made.at(0x1206)}, 50);
  made.sample({made.at(0x1214)}, 5);  // padding
  made.sample({made.in_kernel(), made.at(0x1206)}, 15);
  StackNaming naming;
  name(made, program, &naming);
  ASSERT_EQ(naming.files.size(), 3u);
  EXPECT_EQ(naming.files[0].path, "/srv/program");
  EXPECT_EQ(naming.files[0].binary, 0u);
  EXPECT_EQ(naming.files[0].weight.by_symbol, 50u);
  EXPECT_EQ(naming.files[0].weight.unnamed, 5u);
  EXPECT_EQ(naming.files[1].path, "/lib/other.so");
  EXPECT_EQ(naming.files[1].build_id, "ff00");
  EXPECT_EQ(naming.files[1].binary, std::nullopt);
  EXPECT_EQ(naming.files[1].weight.unnamed, 30u);
  EXPECT_EQ(naming.files[2].path, "");
  EXPECT_EQ(naming.files[2].weight.unnamed, 15u);
  EXPECT_EQ(naming.weight.total(), 100u);
  EXPECT_EQ(naming.weight.unnamed, 50u);
  EXPECT_EQ(naming.diagnostics, Diagnostics());
}

TEST(StackNames, NamesNothingOfAnotherBuild) {
  Program program;
  Profile made(program, "ff00112233445566778899001122334455667788");
  made.sample({made.at(0x1211)});
  StackNaming naming;
  EXPECT_EQ(name(made, program, &naming), "1: ?\n");
  EXPECT_EQ(naming.addresses, 0u);
}

TEST(StackNames, NamesAMappingWithoutBuildIdWhenItIsAssumed) {
  Program program;
  Profile made(program, "");
  made.sample({made.at(0x1211)});
  ASSERT_TRUE(program.binaries->assume({kId}));
  StackNaming naming;
  EXPECT_EQ(name(made, program, &naming), "1: work\n");
  EXPECT_EQ(naming.diagnostics.entries().count("assumed-build-id"), 1u);
}

// Naming what is named changes nothing.
TEST(StackNames, IsTheSameWhenDoneTwice) {
  Program program;
  Profile made(program);
  made.sample({made.in_kernel(), made.at(0x1210), made.at(0x1206)});
  made.sample({made.at(0x1211), made.at(0x1210)}, 2);
  name(made, program);
  StackProfile once = made.profile;
  name(made, program);
  EXPECT_EQ(made.profile, once);
}

// One sample in each instruction of a program with debug information, at the file's own addresses;
// all are called "old".
StackProfile profile_of(const test::DebugProgram& program, bool has_inline_frames) {
  StackProfile profile;
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  StackMapping mapping;
  mapping.filename = profile.strings.add("/srv/program");
  mapping.has_inline_frames = has_inline_frames;
  mapping.build_id = profile.strings.add(program.binary.image->build_id().hex());
  mapping.has_functions = true;
  const MappingId id = profile.add_mapping(mapping);
  const FunctionId old = profile.add_function({profile.strings.add("old")});
  for (uint64_t address : program.instructions()) {
    LocationId location = profile.add_location({id, RuntimeAddr{address}}, {{old, 1, 0}});
    profile.add_sample({profile.add_stack({location}), profile.add_labels({})}, {1});
  }
  return profile;
}

class StackNamesOfProgram : public test::DebugProgramTest {};

TEST_P(StackNamesOfProgram, ReplacesNamesThatShowNoInlinedFunctions) {
  const BinarySet binaries = BinarySet::open({program->binary.image->path()}, {}).value();
  StackProfile profile = profile_of(*program, false);
  const StackNaming naming = name_stacks(profile, binaries, {.name = "p.pb.gz"});
  EXPECT_GT(naming.weight.by_debug_info, 100u);
  EXPECT_EQ(naming.weight.by_symbol, 0u);
  EXPECT_EQ(naming.weight.unnamed, 0u);
  EXPECT_EQ(naming.weight.total(), program->instructions().size());
  size_t deepest = 0;
  for (size_t i = 0; i < profile.lines.size(); i++)
    deepest = std::max(deepest, profile.lines[i].size());
  if (GetParam() != "unoptimized") {
    EXPECT_GT(deepest, 1u);
  }
  const StackMapping& mapping = profile.mappings[0];
  EXPECT_TRUE(mapping.has_functions);
  EXPECT_TRUE(mapping.has_filenames);
  EXPECT_TRUE(mapping.has_line_numbers);
  EXPECT_TRUE(mapping.has_inline_frames);
}

TEST_P(StackNamesOfProgram, KeepsNamesThatShowInlinedFunctions) {
  const BinarySet binaries = BinarySet::open({program->binary.image->path()}, {}).value();
  StackProfile profile = profile_of(*program, true);
  StackProfile before = profile;
  before.normalize();
  const StackNaming naming = name_stacks(profile, binaries, {.name = "p.pb.gz"});
  EXPECT_EQ(naming.weight.by_profile, naming.weight.total());
  EXPECT_EQ(naming.addresses, 0u);
  EXPECT_EQ(profile, before);
}

INSTANTIATE_TEST_SUITE_P(Programs, StackNamesOfProgram,
                         testing::ValuesIn(test::debug_program_names()), test::program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StackNamesOfProgram);

}  // namespace
}  // namespace pgo::stack_names_test

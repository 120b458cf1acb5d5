// LLVM's answer for each address is the oracle: the places of a build are the lines of all frames
// of all its addresses, and no others.
#include "pgo/match/source_places.h"

#include <llvm/IR/DebugInfoMetadata.h>

#include <map>
#include <set>

#include "tests/data/debug_program.h"

namespace pgo::test::source_places_test {
namespace {

// {offset, base discriminator} by function.
using Lines = std::map<std::string, std::set<std::pair<uint32_t, uint32_t>>>;

Lines all_lines(DebugProgram& program, bool by_gcc) {
  Lines lines;
  for (const ElfImage::Section* section : program.code_sections())
    for (uint64_t a = section->addr.value; a < section->addr.value + section->size; a++)
      for (const LlvmFrame& frame : llvm_frames(program.debug_info->context(0), a)) {
        // Code without a line has no place, nor has what is inlined at such a call.
        if (frame.line == 0) break;
        lines[frame.name].emplace(
            (frame.line - frame.decl_line) & 0xffff,
            by_gcc ? frame.discriminator
                   : llvm::DILocation::getBaseDiscriminatorFromDiscriminator(frame.discriminator));
      }
  return lines;
}

using SourcePlacesTest = DebugProgramTest;

TEST_P(SourcePlacesTest, AreTheLinesOfAllFrames) {
  Lines expected = all_lines(*program, GetParam().starts_with("gcc"));
  ASSERT_GT(expected.size(), 5u);
  WantedFunctions wanted;
  for (const auto& [name, lines] : expected) wanted.guids.push_back(function_guid(name));
  SourcePlaces places(*program->debug_info, wanted, Discriminators::kEncoded);
  for (const auto& [name, lines] : expected) {
    std::set<std::pair<uint32_t, uint32_t>> ours;
    for (const SourcePlace& place : places.of(function_guid(name))) {
      ours.emplace(place.offset, place.discriminator);
      EXPECT_TRUE(places.has(place));
      EXPECT_TRUE(places.has_line(place.function, place.offset));
    }
    EXPECT_EQ(ours, lines) << name;
    EXPECT_EQ(places.has_function(function_guid(name)), !lines.empty()) << name;
  }
}

TEST_P(SourcePlacesTest, AreOfWantedFunctionsOnly) {
  Lines expected = all_lines(*program, GetParam().starts_with("gcc"));
  WantedFunctions wanted{{function_guid("main")}, {"main.__uniq.1", "absent"}};
  SourcePlaces places(*program->debug_info, wanted, Discriminators::kEncoded);
  for (const auto& [name, lines] : expected)
    EXPECT_EQ(places.has_function(function_guid(name)), name == "main") << name;
  EXPECT_EQ(places.names().other_name("absent"), "");
  // main is known by its own name; when it is not, it may be one that is.
  EXPECT_EQ(places.names().other_name("main.__uniq.1"), "");
  wanted.guids.clear();
  SourcePlaces unknown(*program->debug_info, wanted, Discriminators::kEncoded);
  EXPECT_EQ(unknown.names().other_name("main.__uniq.1"), "main");
  EXPECT_EQ(unknown.names().other_name("main"), "");
}

INSTANTIATE_TEST_SUITE_P(Programs, SourcePlacesTest, testing::ValuesIn(debug_program_names()),
                         program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SourcePlacesTest);

}  // namespace
}  // namespace pgo::test::source_places_test

#include "pgo/stacks/function_calls.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

#include "tests/data/called_program.h"

namespace pgo::test::function_calls_test {
namespace {

constexpr uint64_t kElsewhere = 0x10;  // in no mapping

// Branches from the first to the second address of the program, each seen once more than the one
// before. Which are calls: "f 1, g 3".
std::string calls_of(const std::vector<std::pair<uint64_t, uint64_t>>& branches) {
  CalledProgram program;
  const Mmap2 map = program.map(10);
  StackProfile profile;
  const StringId count = profile.strings.add("count");
  profile.sample_types = {{profile.strings.add("times"), count},
                          {profile.strings.add("rate"), count}};
  StackMapping mapping;
  mapping.filename = profile.strings.add(map.path);
  mapping.begin = RuntimeAddr{map.addr};
  mapping.end = RuntimeAddr{map.addr + map.len};
  mapping.file_offset = FileOffset{map.pgoff};
  const MappingId id = profile.add_mapping(mapping);
  auto location = [&](uint64_t address) {
    return address == kElsewhere
               ? profile.add_location({kNoMapping, RuntimeAddr{address}}, {})
               : profile.add_location({id, RuntimeAddr{CalledProgram::at(address)}}, {});
  };
  int64_t times = 1;
  for (const auto& [from, to] : branches) {
    const StackId stack = profile.add_stack({location(to), location(from)});
    profile.add_sample({stack, profile.add_labels({})}, {times, 10 * times});
    times++;
  }
  profile.normalize();
  const BinarySet binaries = BinarySet::open({program.path()}, {}).value();
  const StackProfile calls = find_calls(profile, binaries, 1);
  EXPECT_EQ(calls.check(), std::nullopt);
  std::string text;
  for (size_t i = 0; i < calls.samples.size(); i++) {
    const std::span<const LocationId> stack =
        calls.stacks[static_cast<size_t>(calls.samples[i].stack)];
    EXPECT_EQ(stack.size(), 1u);
    EXPECT_EQ(calls.values_of(i)[1], 10 * calls.values_of(i)[0]);
    const std::span<const StackLine> lines = calls.lines[static_cast<size_t>(stack[0])];
    const std::string_view name =
        lines.empty() ? "?"
                      : calls.text(calls.functions[static_cast<size_t>(lines[0].function)].name);
    text += (text.empty() ? "" : ", ") + std::string(name) + " " +
            std::to_string(calls.values_of(i)[0]);
  }
  return text;
}

TEST(FunctionCalls, GoToTheStartOfAFunction) {
  using P = CalledProgram;
  EXPECT_EQ(calls_of({{P::kCallInMain, P::kF}}), "f 1");
  EXPECT_EQ(calls_of({{P::kCallInMain, P::kF + 1}, {P::kF + 255, P::kCallInMain + 5}}), "");
  // From several places, which may be unknown: another library, a stub.
  EXPECT_EQ(calls_of({{P::kCallInMain, P::kF}, {kElsewhere, P::kF}, {kElsewhere, P::kG}}),
            "f 3, g 3");
  EXPECT_EQ(calls_of({{P::kCallInMain, kElsewhere}}), "");
}

TEST(FunctionCalls, AreTailCallsToo) {
  EXPECT_EQ(calls_of({{CalledProgram::kMain + 0x20, CalledProgram::kG}}), "g 1");
}

TEST(FunctionCalls, AreRecursionAndNotLoops) {
  using P = CalledProgram;
  EXPECT_EQ(calls_of({{P::kF + 0x80, P::kF}, {P::kCold + 0x10, P::kF}}), "");
  EXPECT_EQ(calls_of({{P::kF + 0x80, P::kF}, {P::kCallInF, P::kF}}), "f 2");
}

TEST(FunctionCalls, AreNotOfPartsThatWereSplitOff) {
  using P = CalledProgram;
  EXPECT_EQ(calls_of({{P::kF + 0x80, P::kCold}, {P::kMain + 0x80, P::kCold}}), "");
}

}  // namespace
}  // namespace pgo::test::function_calls_test

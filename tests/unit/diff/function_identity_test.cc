#include "pgo/diff/diff.h"

#include <gtest/gtest.h>

#include "tests/unit/diff/diff_fixture.h"

namespace pgo::function_identity_test {
namespace {

class FunctionIdentityTest : public test::DiffFixture {};

TEST_F(FunctionIdentityTest, WarnsWhereOnlyOneSideNamesInlinedFunctions) {
  // A leaf, perhaps with a function inlined there, and its caller, perhaps with another.
  enum class Flag : uint8_t { kUnset, kSet };
  auto profile = [&](const std::string& name, bool in_leaf, bool in_caller, Flag flag) {
    StackProfile stacks;
    auto function = [&](const char* word) {
      const StringId id = stacks.strings.add(word);
      return StackLine{stacks.add_function({.name = id, .system_name = id}), 1, 0};
    };
    const StringId samples = stacks.strings.add("samples"), count = stacks.strings.add("count");
    stacks.sample_types = {{samples, count}};
    const MappingId mapping = stacks.add_mapping(
        {.filename = stacks.strings.add("server"), .has_inline_frames = flag == Flag::kSet});
    auto place = [&](uint64_t address, bool has_inlined, const char* outer) {
      std::vector<StackLine> lines;
      if (has_inlined) lines.push_back(function("inlined"));
      lines.push_back(function(outer));
      return stacks.add_location({mapping, RuntimeAddr{address}}, lines);
    };
    const LocationId leaf = place(1, in_leaf, "scan"), caller = place(2, in_caller, "main");
    stacks.add_sample({stacks.add_stack({leaf, caller}), stacks.add_labels({})}, {1000});
    stacks.normalize();
    return write(name, write_pprof(stacks));
  };
  const std::string inlined = profile("inlined.pb", true, false, Flag::kUnset);
  auto warnings = [&](const std::string& other) {
    size_t count = 0;
    for (const auto& [before, after] : {std::pair(inlined, other), std::pair(other, inlined)}) {
      const DiffResult result = diff(request({before}, {after})).value();
      EXPECT_TRUE(result.has_inlined_frames);
      count += result.diagnostics.entries().count("no-inlined-frames");
    }
    return count;
  };
  EXPECT_EQ(warnings(profile("none.pb", false, false, Flag::kUnset)), 2u);
  // Nothing is missing: nothing was inlined where samples were taken.
  EXPECT_EQ(warnings(profile("flag.pb", false, false, Flag::kSet)), 0u);
  EXPECT_EQ(warnings(profile("caller.pb", false, true, Flag::kUnset)), 0u);
}

TEST_F(FunctionIdentityTest, ComparesByNamesForPeopleWhereASideHasNoOthers) {
  write_pprof_of("a.pb", {{"_Z1fi", 10, ""}});
  write("b.folded", "f(int) 20\n");
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("b.folded")}));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->rows[0].key.name, "f(int)");
}

// One name for people, two linkage names, both in one stack: it counts once.
TEST_F(FunctionIdentityTest, CountsAStackOnceForANameThatIsTwoFunctions) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  profile.sample_types = {{text("samples"), text("count")}};
  std::vector<LocationId> stack;
  for (const char* name : {"_ZN1TC2Ev", "_ZN1TC1Ev"})
    stack.push_back(profile.add_location(
        {kNoMapping, RuntimeAddr{stack.size() + 1}},
        {{profile.add_function({.name = text(name), .system_name = text(name)}), 1, 0}}));
  profile.add_sample({profile.add_stack(stack), profile.add_labels({})}, {10});
  profile.normalize();
  write("a.pb", write_pprof(profile));
  write("b.folded", "T::T() 20\n");
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("b.folded")}));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_DOUBLE_EQ(result->rows[0].cumulative.rate_a, 1);
  EXPECT_DOUBLE_EQ(result->rows[0].flat.rate_a, 1);
}

TEST_F(FunctionIdentityTest, KeepsProgramsApartWhereASideHasSeveral) {
  write_pprof_of("a.pb", {{"main", 10, ""}}, "samples", "/srv/server");
  write_pprof_of("b/1.pb", {{"main", 10, ""}}, "samples", "/srv/server-2");
  write_pprof_of("b/2.pb", {{"main", 10, ""}}, "samples", "/srv/worker");
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("b")}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->rows.size(), 3u);
}

// Addresses in the program that no function has a name for, under two names of it.
TEST_F(FunctionIdentityTest, TakesNamelessCodeOfBothProgramsForOne) {
  for (const char* name : {"server", "server.bolt"}) {
    StackProfile profile;
    auto text = [&](const char* word) { return profile.strings.add(word); };
    profile.sample_types = {{text("samples"), text("count")}};
    MappingId mapping = profile.add_mapping({.filename = text(name)});
    LocationId place = profile.add_location({mapping, RuntimeAddr{1}}, {});
    profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {1000});
    profile.normalize();
    write(std::string(name) + ".pb", write_pprof(profile));
  }
  DiffRequest two = request({path("server.pb")}, {path("server.bolt.pb")});
  two.wants_graph = true;
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->rows[0].key.name, "[server.bolt]");
  EXPECT_DOUBLE_EQ(result->rows[0].flat.difference(), 0);
  EXPECT_EQ(result->graph->functions.size(), 1u);
  EXPECT_EQ(result->diagnostics.entries().at("code-without-names").count, 2u);
}

TEST_F(FunctionIdentityTest, TakesTheProgramsOfBothSidesForOne) {
  write_pprof_of("a.pb", {{"f", 10, ""}}, "samples", "/srv/server");
  write_pprof_of("b.pb", {{"f", 20, ""}}, "samples", "/srv/server.bolt");
  DiffRequest two = request({path("a.pb")}, {path("b.pb")});
  two.wants_graph = true;
  Result<DiffResult> result = diff(two);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 1u);
  EXPECT_EQ(result->rows[0].key.binary, "server.bolt");
  ASSERT_EQ(result->graph->functions.size(), 1u);
  EXPECT_EQ(result->graph->functions[0].flat, (FlameValues{kFlameWhole, kFlameWhole}));
}

// A program that calls itself by another name, as a wrapper of llvm-bolt's output: the functions of
// both are in one stack, which would count twice if they were one.
TEST_F(FunctionIdentityTest, KeepsProgramsApartWhereOneSideHasBoth) {
  StackProfile profile;
  auto text = [&](const char* word) { return profile.strings.add(word); };
  profile.sample_types = {{text("samples"), text("count")}};
  FunctionId f = profile.add_function({.name = text("f"), .system_name = text("f")});
  std::vector<LocationId> stack;
  for (const char* program : {"/srv/server", "/srv/server.bolt"}) {
    MappingId mapping = profile.add_mapping({.filename = text(program)});
    stack.push_back(profile.add_location({mapping, RuntimeAddr{1}}, {{f, 1, 0}}));
  }
  profile.add_sample({profile.add_stack(stack), profile.add_labels({})}, {10});
  profile.normalize();
  write("a.pb", write_pprof(profile));
  write_pprof_of("b.pb", {{"f", 20, ""}}, "samples", "/srv/server.bolt");
  Result<DiffResult> result = diff(request({path("a.pb")}, {path("b.pb")}));
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->rows.size(), 2u);
  for (const DiffRow& row : result->rows) EXPECT_LE(row.cumulative.rate_a, 1);
}

}  // namespace
}  // namespace pgo::function_identity_test

#include "pgo/upload/unnamed_stacks.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/data/small_stacks.h"

namespace pgo::unnamed_stacks_test {
namespace {

// The mapping `server` has a build ID, and `jit` has none.
StackProfile stacks() {
  StackProfile profile = test::small_stacks({{.stack = {{"work", "w.cc"}, {"main", "w.cc"}}},
                                             {.stack = {{"script", "s.js", "jit"}}},
                                             {.stack = {{"", "", "server"}}, .count = 3}});
  for (StackMapping& mapping : profile.mappings) {
    mapping.has_functions = mapping.has_line_numbers = true;
    if (profile.text(mapping.filename) == "server")
      mapping.build_id = profile.strings.add("0011223344556677");
  }
  profile.normalize();
  return profile;
}

std::string names_of(const StackProfile& profile) {
  std::string names;
  for (size_t i = 0; i < profile.locations.size(); i++) {
    names += std::to_string(profile.locations[i].address.value);
    for (const StackLine& line : profile.lines[i])
      names += " " + std::string(
                         profile.text(profile.functions[static_cast<size_t>(line.function)].name));
    names += "; ";
  }
  return names;
}

TEST(UnnamedStacks, HaveAddressesWhereTheseSayAsMuch) {
  StackProfile profile = stacks();
  EXPECT_EQ(leave_out_names(profile), 2u);
  EXPECT_EQ(profile.check(), std::nullopt);
  const std::string names = names_of(profile);
  EXPECT_EQ(names.find("work"), names.npos) << names;
  EXPECT_NE(names.find("script"), names.npos) << names;
  EXPECT_EQ(profile.samples.size(), 3u);
  for (const StackMapping& mapping : profile.mappings)
    EXPECT_EQ(mapping.has_functions, profile.text(mapping.filename) == "jit");
  const StackProfile once = profile;
  EXPECT_EQ(leave_out_names(profile), 0u);
  EXPECT_EQ(profile, once);
}

TEST(UnnamedStacks, KeepNamesWithoutAddresses) {
  StackProfile profile = stacks();
  for (StackLocation& location : profile.locations) location.address.value = 0;
  profile.normalize();
  const std::string names = names_of(profile);
  EXPECT_EQ(leave_out_names(profile), 0u);
  EXPECT_EQ(names_of(profile), names);
}

}  // namespace
}  // namespace pgo::unnamed_stacks_test

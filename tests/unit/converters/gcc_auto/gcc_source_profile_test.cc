#include "converters/gcc_auto/gcc_source_profile.h"

#include <gtest/gtest.h>
#include <llvm/ProfileData/SampleProf.h>

namespace pgo::gcc_source_profile_test {
namespace {

using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::SampleContext;

FunctionSamples& add_function(SourceProfile& profile, llvm::StringRef name, uint64_t head) {
  FunctionSamples& samples = profile.functions().create(SampleContext(name));
  samples.setContext(SampleContext(name));
  samples.addHeadSamples(head);
  return samples;
}

FunctionSamples& add_inlined(FunctionSamples& caller, uint32_t line, uint32_t discriminator,
                             llvm::StringRef name) {
  FunctionSamples& samples = caller.functionSamplesAt({line, discriminator})[FunctionId(name)];
  samples.setContext(SampleContext(name));
  return samples;
}

GccAutoProfile made(const SourceProfile& source, GccPlaces places = GccPlaces::kLines) {
  Result<GccAutoProfile> profile = make_gcc_auto_profile(source, places);
  EXPECT_TRUE(profile) << profile.error().message;
  return profile ? *profile : GccAutoProfile{};
}

// Lines of several discriminators, each kind of count among them.
SourceProfile with_discriminators() {
  SourceProfile source;
  FunctionSamples& f = add_function(source, "f", 5);
  f.addBodySamples(1, 0, 10);
  f.addBodySamples(1, 3, 40);
  f.addBodySamples(1, 2, 20);
  f.addCalledTargetSamples(1, 2, FunctionId("g"), 8);
  f.addCalledTargetSamples(1, 3, FunctionId("g"), 6);
  f.addCalledTargetSamples(1, 3, FunctionId("h.constprop.0"), 30);
  f.addBodySamples(0xffff, 0, 0);
  add_inlined(f, 2, 1, "g").addBodySamples(1, 0, 7);
  add_inlined(f, 2, 6, "g").addBodySamples(1, 4, 9);
  return source;
}

TEST(GccSourceProfile, ALineHasTheLargestOfItsCounts) {
  GccAutoProfile::Function expected{5, {}};
  expected.body.positions[1 << 16] = {40, {{"g", 8}, {"h", 30}}};
  expected.body.positions[0xffff0000] = {0, {}};
  expected.body.inlined[{2 << 16, "g"}].positions[1 << 16].count = 9;
  GccAutoProfile profile = made(with_discriminators());
  ASSERT_EQ(profile.functions.size(), 1u);
  EXPECT_TRUE(profile.functions["f"] == expected);
}

TEST(GccSourceProfile, LaterReleasesGetTheDiscriminators) {
  GccAutoProfile::Function expected{5, {}};
  expected.body.positions[1 << 16] = {10, {}};
  expected.body.positions[(1 << 16) + 2] = {20, {{"g", 8}}};
  expected.body.positions[(1 << 16) + 3] = {40, {{"g", 6}, {"h", 30}}};
  expected.body.positions[0xffff0000] = {0, {}};
  expected.body.inlined[{(2 << 16) + 1, "g"}].positions[1 << 16].count = 7;
  expected.body.inlined[{(2 << 16) + 6, "g"}].positions[(1 << 16) + 4].count = 9;
  GccAutoProfile profile = made(with_discriminators(), GccPlaces::kDiscriminators);
  EXPECT_TRUE(profile.functions["f"] == expected);
}

TEST(GccSourceProfile, AnImpossibleDiscriminatorStaysOnItsLine) {
  SourceProfile source;
  add_function(source, "f", 5).addBodySamples(8, 0x20003, 40);
  GccAutoProfile profile = made(source, GccPlaces::kDiscriminators);
  EXPECT_EQ(profile.functions["f"].body.positions[(8 << 16) + 3].count, 40u);
}

TEST(GccSourceProfile, CopiesAreOneFunctionAndAddUp) {
  SourceProfile source;
  add_function(source, "f.part.0", 1).addBodySamples(4, 1, 5);
  add_function(source, "f", 2).addBodySamples(4, 1, 6);
  add_function(source, "f.constprop.1", 4).addBodySamples(4, 2, 10);
  add_function(source, ".without", 4).addBodySamples(1, 0, 10);
  GccAutoProfile profile = made(source);
  ASSERT_EQ(profile.functions.size(), 1u);
  EXPECT_EQ(profile.functions["f"].head, 7u);
  EXPECT_EQ(profile.functions["f"].body.positions[4 << 16].count, 11u);
}

TEST(GccSourceProfile, ConstructorsHaveTheNameOfTheirCode) {
  SourceProfile source;
  for (const char* name : {"_ZN1AC4Ev", "_ZN1AD4Ev", "_ZN2C4C4EOS_", "_ZN1BC4IiEET_",
                           // no constructors: another name, a lambda in one
                           "_ZN2C44workEv", "_ZZN1AC4EvENKUlvE_clEv", "C4"})
    add_function(source, name, 1).addBodySamples(0, 0, 1);
  std::vector<std::string> names;
  for (const auto& [name, function] : made(source).functions) names.push_back(name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"C4", "_ZN1AC2Ev", "_ZN1AD2Ev", "_ZN1BC2IiEET_",
                                      "_ZN2C44workEv", "_ZN2C4C2EOS_", "_ZZN1AC4EvENKUlvE_clEv"}));
}

TEST(GccSourceProfile, WhatRanWasEntered) {
  SourceProfile source;
  add_function(source, "main", 0).addBodySamples(1, 0, 900);
  add_function(source, "cold", 0).addBodySamples(1, 0, 0);
  GccAutoProfile profile = made(source);
  EXPECT_EQ(profile.functions["main"].head, 1u);
  EXPECT_EQ(profile.functions["cold"].head, 0u);
}

TEST(GccSourceProfile, RefusesWhatGccHasNoIdeaOf) {
  SourceProfile source = with_discriminators();
  source.is_flow_sensitive = true;
  Result<GccAutoProfile> profile = make_gcc_auto_profile(source, GccPlaces::kLines);
  ASSERT_FALSE(profile);
  EXPECT_EQ(
      profile.error(),
      (Error{ErrorKind::kUnsupported,
             "flow-sensitive discriminators (-enable-fs-discriminator) are not supported by GCC; "
             "record a build without them"}));
  source.is_probe_based = true;
  EXPECT_EQ(
      make_gcc_auto_profile(source, GccPlaces::kLines).error(),
      (Error{ErrorKind::kUnsupported, "GCC has no pseudo probes, and this profile counts by them",
             "\xFF{by-line} counts by line"}));
}

}  // namespace
}  // namespace pgo::gcc_source_profile_test

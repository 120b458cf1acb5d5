#include "pgo/symbolize/source_profile.h"

#include <gtest/gtest.h>
#include <llvm/ProfileData/SampleProf.h>

#include "converters/llvm_sample/llvm_sample_writer.h"

namespace pgo::source_profile_test {
namespace {

using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::SampleContext;

FunctionSamples& function(SourceProfile& profile, llvm::StringRef name) {
  FunctionSamples& samples = profile.functions().create(SampleContext(name));
  samples.setContext(SampleContext(name));
  return samples;
}

std::string text(const SourceProfile& profile) {
  return write_llvm_sample(profile, LlvmSampleFormat::kText).value();
}

TEST(SourceProfile, AddsCountsBySourcePosition) {
  SourceProfile one, two;
  FunctionSamples& both = function(one, "both");
  both.addTotalSamples(10);
  both.addHeadSamples(1);
  both.addBodySamples(3, 0, 7);
  both.addCalledTargetSamples(3, 0, FunctionId("callee"), 5);
  function(one, "first").addTotalSamples(2);

  FunctionSamples& again = function(two, "both");
  again.addTotalSamples(100);
  again.addBodySamples(3, 0, 70);
  again.addBodySamples(4, 2, 9);
  FunctionSamples& inlined = again.functionSamplesAt({5, 1})[FunctionId("inlined")];
  inlined.setContext(SampleContext("inlined"));
  inlined.addTotalSamples(20);
  inlined.addBodySamples(1, 0, 20);
  function(two, "second").addTotalSamples(3);
  two.coverage.all = 50;
  two.coverage.calls_no_line = ~0ull;
  one.coverage.all = 8;
  one.coverage.calls_no_line = 1;
  two.is_flow_sensitive = true;

  one.add(std::move(two));
  EXPECT_EQ(text(one),
            "both:110:1\n"
            " 3: 77 callee:5\n"
            " 4.2: 9\n"
            " 5.1: inlined:20\n"
            "  1: 20\n"
            "second:3:0\n"
            "first:2:0\n");
  EXPECT_EQ(one.coverage.all, 58u);
  EXPECT_EQ(one.coverage.calls_no_line, ~0ull);
  EXPECT_TRUE(one.is_flow_sensitive);
}

// Probes of other code are other probes, though they have the same numbers.
TEST(SourceProfile, CopiesHaveFunctionsOfTheirOwn) {
  SourceProfile one;
  EXPECT_TRUE(one.is_empty());
  function(one, "first").addTotalSamples(2);
  SourceProfile copy = one, assigned;
  assigned = one;
  function(copy, "second").addTotalSamples(3);
  function(assigned, "third").addTotalSamples(4);
  EXPECT_EQ(one.function_count(), 1u);
  EXPECT_EQ(one.function_names(), std::vector<std::string_view>{"first"});
  EXPECT_EQ(text(copy), "second:3:0\nfirst:2:0\n");
  SourceProfile taken = std::move(copy);
  EXPECT_TRUE(copy.is_empty());
  EXPECT_EQ(text(taken), "second:3:0\nfirst:2:0\n");
  EXPECT_EQ(text(assigned), "third:4:0\nfirst:2:0\n");
}

TEST(SourceProfile, KeepsTheBuildThatRanMoreWhereChecksumsDiffer) {
  auto with_checksums = [](uint64_t same, uint64_t changed, uint64_t total) {
    SourceProfile profile;
    profile.is_probe_based = true;
    for (const auto& [name, checksum] :
         {std::pair{"same", same}, std::pair{"_Z7changedv", changed}}) {
      FunctionSamples& samples = function(profile, name);
      samples.setFunctionHash(checksum);
      samples.addTotalSamples(total);
      samples.addBodySamples(1, 0, total);
    }
    return profile;
  };
  for (bool more_first : {false, true}) {
    SourceProfile sum = with_checksums(7, more_first ? 9 : 8, more_first ? 50 : 3);
    sum.add(with_checksums(7, more_first ? 8 : 9, more_first ? 3 : 50));
    EXPECT_EQ(text(sum),
              "same:53:0\n 1: 53\n !CFGChecksum: 7\n"
              "_Z7changedv:50:0\n 1: 50\n !CFGChecksum: 9\n");
    const Diagnostics::Entry& entry = sum.diagnostics.entries().at("other-checksum");
    EXPECT_EQ(entry.count, 1u);
    EXPECT_EQ(entry.messages[0],
              "changed(): its code differs between the binaries; the counts of the binary that ran "
              "it less are left out");
  }
}

TEST(SourceProfile, SaysWhereChecksumsOfInlinedCodeDiffer) {
  auto with_inlined = [](uint64_t checksum, uint64_t total) {
    SourceProfile profile;
    profile.is_probe_based = true;
    FunctionSamples& samples = function(profile, "_Z6callerv");
    samples.setFunctionHash(7);
    samples.addTotalSamples(total);
    FunctionSamples& inlined = samples.functionSamplesAt({2, 0})[FunctionId("inlined")];
    inlined.setFunction(FunctionId("inlined"));
    inlined.setFunctionHash(checksum);
    inlined.addTotalSamples(total);
    inlined.addBodySamples(1, 0, total);
    return profile;
  };
  SourceProfile sum = with_inlined(8, 50);
  sum.add(with_inlined(8, 2));
  EXPECT_TRUE(sum.diagnostics.entries().empty());
  sum.add(with_inlined(9, 3));
  EXPECT_EQ(text(sum),
            "_Z6callerv:55:0\n 2: inlined:52\n  1: 52\n  !CFGChecksum: 8\n !CFGChecksum: 7\n");
  const Diagnostics::Entry& entry = sum.diagnostics.entries().at("other-checksum");
  EXPECT_EQ(entry.count, 1u);
  EXPECT_EQ(entry.messages[0],
            "caller(): the code inlined into it differs between the binaries; the counts of that "
            "code are left out for all binaries but one");
}

TEST(SourceProfile, HasNoDensityWithoutCounts) {
  SourceProfile profile;
  EXPECT_EQ(profile.density(1), 0.0);
  function(profile, "zero").addBodySamples(1, 0, 0);
  EXPECT_EQ(profile.density(1), 0.0);
}

// Densities 100, 40 (inlined code included) and 1. The first two make 98 % of all counts, so the
// third is needed for 99 %; with a little less of it, it is not.
TEST(SourceProfile, TakesTheDensityWhereTheHotCodeEnds) {
  SourceProfile profile;
  function(profile, "dense").addBodySamples(1, 0, 100);
  FunctionSamples& medium = function(profile, "medium");
  medium.addBodySamples(1, 0, 50);
  FunctionSamples& inlined = medium.functionSamplesAt({2, 0})[FunctionId("inlined")];
  inlined.addBodySamples(1, 0, 30);
  FunctionSamples& thin = function(profile, "thin");
  for (uint32_t line = 0; line < 3; line++) thin.addBodySamples(line, 0, 1);
  EXPECT_EQ(profile.density(1), 1.0);
  EXPECT_EQ(profile.density(4), 1.0);
  SourceProfile denser;
  denser.add(profile);
  function(denser, "dense").addBodySamples(1, 0, 1000);
  EXPECT_EQ(denser.density(1), 40.0);
}

}  // namespace
}  // namespace pgo::source_profile_test

#include "pgo/match/profile_match.h"

#include <gtest/gtest.h>
#include <llvm/ProfileData/SampleProf.h>

#include "pgo/symbolize/source_profile.h"
#include "tests/data/byte_writer.h"

namespace pgo::profile_match_test {
namespace {

using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;
using llvm::sampleprof::SampleContext;

class ProfileMatchTest : public testing::Test {
 protected:
  FunctionSamples& function(llvm::StringRef name) {
    FunctionSamples& samples = profile.functions().create(SampleContext(name));
    samples.setContext(SampleContext(name));
    return samples;
  }
  static FunctionSamples& inlined(FunctionSamples& caller, uint32_t offset, llvm::StringRef name) {
    FunctionSamples& samples = caller.functionSamplesAt(LineLocation(offset, 0))[FunctionId(name)];
    samples.setContext(SampleContext(name));
    return samples;
  }
  void code(llvm::StringRef name, std::initializer_list<uint32_t> offsets) {
    for (uint32_t offset : offsets) places.add({function_guid(name), offset, 0});
    places.add_name(name);
  }
  ProfileMatch match() {
    places.finish();
    return match_lines(profile, places, symbols);
  }
  // The part of `match` of the function with this name.
  static FunctionMatch of(const ProfileMatch& match, const std::string& name) {
    for (const FunctionMatch& function : match.functions)
      if (function.name == name) return function;
    return {};
  }

  SourceProfile profile;
  SourcePlaces places;
  StaticNames symbols;
};

TEST_F(ProfileMatchTest, UnchangedSourceMatches) {
  function("f").addBodySamples(1, 0, 10);
  function("g").addBodySamples(4, 0, 5);
  code("f", {1, 2});
  code("g", {4});
  ProfileMatch found = match();
  EXPECT_EQ(found.weights.of(MatchOutcome::kMatched), 15u);
  EXPECT_EQ(found.weights.unmatched(), 0u);
  EXPECT_EQ(found.match_rate(), 1);
  EXPECT_EQ(found.functions.size(), 2u);
}

TEST_F(ProfileMatchTest, FunctionsOfOtherBinariesCanBeLeftOut) {
  function("here").addBodySamples(1, 0, 10);
  function("here").addBodySamples(3, 0, 30);
  function("elsewhere").addBodySamples(1, 0, 1000);
  function("parse").addBodySamples(1, 0, 7);
  symbols.add("parse");  // a static function of a library without line tables
  function("local.__uniq.1").addBodySamples(1, 0, 40);
  function("local.__uniq.2").addBodySamples(1, 0, 500);  // of another source
  code("here", {1, 2});
  places.add({function_guid("local.__uniq.1"), 1, 0});
  ProfileMatch found = match();
  EXPECT_EQ(found.functions.front().name, "elsewhere");
  EXPECT_EQ(found.weights.of(MatchOutcome::kNoDebugInfo), 7u);
  EXPECT_EQ(found.leave_out_absent(), 1507u);
  EXPECT_EQ(found.match_rate(), 50 / 80.0);
  EXPECT_EQ(found.weights.main_reason(), MatchOutcome::kNoLine);
  ASSERT_EQ(found.functions.size(), 2u);
  EXPECT_EQ(found.functions.front().name, "here");
}

TEST_F(ProfileMatchTest, NothingIsLeftOfAnotherProgram) {
  function("elsewhere").addBodySamples(1, 0, 1000);
  code("here", {1});
  ProfileMatch found = match();
  found.leave_out_absent();
  EXPECT_EQ(found.weights.all(), 0u);
  EXPECT_TRUE(found.functions.empty());
}

TEST_F(ProfileMatchTest, AnEmptyProfileHasTheRateZero) {
  EXPECT_EQ(match().match_rate(), 0);
  function("f").addBodySamples(1, 0, 0);
  EXPECT_EQ(match().match_rate(), 0);
}

// Inlining differs between builds; that leaves nothing unmatched.
TEST_F(ProfileMatchTest, CopiesOfAFunctionAreOne) {
  FunctionSamples& f = function("f");
  f.addBodySamples(1, 0, 10);
  inlined(f, 3, "g").addBodySamples(2, 0, 7);
  function("g").addBodySamples(2, 0, 1);
  code("f", {1, 3});
  code("g", {2});
  EXPECT_EQ(match().weights.of(MatchOutcome::kMatched), 18u);
}

// What was inlined at a call that is gone counts against the caller, which is what changed.
TEST_F(ProfileMatchTest, InlinedCodeIsUnmatchedWithItsCall) {
  FunctionSamples& f = function("f");
  FunctionSamples& g = inlined(f, 3, "g");
  g.addBodySamples(2, 0, 7);
  inlined(g, 5, "h").addBodySamples(1, 0, 2);
  code("f", {1, 4});
  code("g", {2, 5});
  code("h", {1});
  ProfileMatch found = match();
  EXPECT_EQ(found.weights.unmatched(), 9u);
  EXPECT_EQ(found.functions[0].name, "f");
  EXPECT_EQ(found.functions[0].weights.of(MatchOutcome::kNoLine), 9u);
  EXPECT_EQ(of(found, "g").weights.all(), 0u);
}

TEST_F(ProfileMatchTest, LinesThatAnEditMovedAreUnmatched) {
  FunctionSamples& f = function("f");
  for (uint32_t line : {1u, 2u, 5u, 6u, 9u}) f.addBodySamples(line, 0u, 10);
  // Two lines were inserted after line 2: 5 and 6 are 7 and 8, 9 is 11.
  code("f", {1, 2, 7, 8, 11});
  ProfileMatch found = match();
  EXPECT_EQ(found.weights.of(MatchOutcome::kMatched), 20u);
  EXPECT_EQ(found.weights.of(MatchOutcome::kNoLine), 30u);
  EXPECT_EQ(found.functions[0].weights.main_reason(), MatchOutcome::kNoLine);
}

TEST_F(ProfileMatchTest, LinesThatTheOptimizerRemovedMatch) {
  FunctionSamples& f = function("f");
  for (uint32_t line : {0u, 2u, 5u, 6u, 9u}) f.addBodySamples(line, 0u, 10);
  code("f", {2, 6, 9});
  ProfileMatch found = match();
  EXPECT_EQ(found.weights.of(MatchOutcome::kMatched), 30u);
  EXPECT_EQ(found.weights.of(MatchOutcome::kOptimizedAway), 20u);
  EXPECT_EQ(found.match_rate(), 1);
}

// Moved lines may come to be where others were. That there are many new ones gives it away.
TEST_F(ProfileMatchTest, LinesThatAnEditMovedOntoOthersDoNotHideIt) {
  auto match_with = [&](uint32_t new_lines) {
    profile = {};
    places = {};
    FunctionSamples& f = function("f");
    for (uint32_t line = 1; line <= 40; line++) f.addBodySamples(line, 0, 10);
    for (uint32_t line = 1; line <= 40; line++)
      if (line != 7) code("f", {line});
    for (uint32_t i = 0; i < new_lines; i++) code("f", {100 + i});
    return match();
  };
  EXPECT_EQ(match_with(1).weights.of(MatchOutcome::kOptimizedAway), 10u);
  EXPECT_EQ(match_with(2).weights.of(MatchOutcome::kNoLine), 10u);
}

// Behind the last line that both have, nothing holds the others in place.
TEST_F(ProfileMatchTest, LinesBehindTheLastAreUnmatched) {
  FunctionSamples& f = function("f");
  for (uint32_t line : {1u, 2u, 8u, 9u}) f.addBodySamples(line, 0u, 10);
  code("f", {1, 2});
  EXPECT_EQ(match().weights.of(MatchOutcome::kNoLine), 20u);
}

TEST_F(ProfileMatchTest, PiecesOfALine) {
  FunctionSamples& f = function("f");
  for (uint32_t piece : {0u, 2u, 4u}) f.addBodySamples(1, piece, 10);
  for (uint32_t piece : {0u, 2u}) f.addBodySamples(3, piece, 1);
  code("f", {1, 3});
  places.add({function_guid("f"), 3, 6});
  ProfileMatch found = match();
  EXPECT_EQ(found.weights.of(MatchOutcome::kMatched), 11u);
  EXPECT_EQ(found.weights.of(MatchOutcome::kOptimizedAway), 20u);  // of line 1 no others are left
  EXPECT_EQ(found.weights.of(MatchOutcome::kOtherDiscriminator), 1u);
}

TEST_F(ProfileMatchTest, OffsetsOfNoLineAreToldFromOthers) {
  FunctionSamples& f = function("f");
  f.addBodySamples(65236, 0, 10);
  f.addBodySamples(65530, 0, 3);  // six lines before the function: a macro, perhaps
  code("f", {1, 65530});
  ProfileMatch found = match();
  EXPECT_EQ(found.weights.of(MatchOutcome::kNoLineWhenProfiled), 10u);
  EXPECT_EQ(found.weights.of(MatchOutcome::kMatched), 3u);
}

TEST_F(ProfileMatchTest, FunctionsThatAreNotThere) {
  function("gone").addBodySamples(1, 0, 3);
  function("without_lines").addBodySamples(1, 0, 5);
  function("local.__uniq.1").addBodySamples(1, 0, 7);
  function("plain").addBodySamples(1, 0, 9);
  function("local_without_lines.__uniq.1").addBodySamples(1, 0, 1);
  for (const char* name : {"without_lines", "main", "_ZL19local_without_linesv"}) symbols.add(name);
  code("local.__uniq.2", {1});
  code("plain.__uniq.2", {1});
  ProfileMatch found = match();
  EXPECT_EQ(found.match_rate(), 0);
  ASSERT_EQ(found.functions.size(), 5u);
  EXPECT_EQ(found.functions[0].name, "plain");
  EXPECT_EQ(found.functions[0].weights.main_reason(), MatchOutcome::kOtherName);
  EXPECT_EQ(found.functions[0].other_name, "plain.__uniq.2");
  EXPECT_EQ(found.functions[1].name, "local.__uniq.1");
  EXPECT_EQ(found.functions[1].weights.main_reason(), MatchOutcome::kOtherPath);
  EXPECT_EQ(found.functions[1].other_name, "local.__uniq.2");
  EXPECT_EQ(found.functions[2].weights.main_reason(), MatchOutcome::kNoDebugInfo);
  EXPECT_EQ(found.functions[3].weights.main_reason(), MatchOutcome::kNoFunction);
  EXPECT_EQ(found.functions[3].other_name, "");
  EXPECT_EQ(found.functions[4].weights.main_reason(), MatchOutcome::kNoDebugInfo);
}

// Only the hash of the source path makes the difference: the same linkage name, unique in both.
TEST_F(ProfileMatchTest, UniqueNamesOfAnotherPathAreToldFromOtherNames) {
  function("_ZL4filli.__uniq.1").addBodySamples(1, 0, 1);
  function("sort.__uniq.1").addBodySamples(1, 0, 2);
  function("_ZL5clearv").addBodySamples(1, 0, 4);
  code("_ZL4filli.__uniq.2", {1});
  code("_ZL4sortPi.__uniq.2", {1});  // compiled as C++ now
  code("_ZL5clearv.__uniq.2", {1});
  ProfileMatch found = match();
  EXPECT_EQ(found.weights.of(MatchOutcome::kOtherPath), 1u);
  EXPECT_EQ(found.weights.of(MatchOutcome::kOtherName), 6u);
}

// Profiles can have hashes instead of names.
TEST_F(ProfileMatchTest, HashedNames) {
  FunctionId id(function_guid("f"));
  FunctionSamples& f = profile.functions()[SampleContext(id)];
  f.setContext(SampleContext(id));
  f.addBodySamples(1, 0, 10);
  code("f", {1});
  EXPECT_EQ(match().match_rate(), 1);
  WantedFunctions wanted = wanted_functions(profile);
  EXPECT_EQ(wanted.guids, std::vector<uint64_t>{function_guid("f")});
  EXPECT_TRUE(wanted.names.empty());
}

// Of flow-sensitive discriminators, later passes' bits do not matter.
TEST_F(ProfileMatchTest, FlowSensitiveDiscriminators) {
  function("f").addBodySamples(1, 0x1203, 10);
  places.add({function_guid("f"), 1, 3});
  profile.is_flow_sensitive = true;
  EXPECT_EQ(match().weights.of(MatchOutcome::kMatched), 10u);
  profile.is_flow_sensitive = false;
  EXPECT_EQ(match().weights.of(MatchOutcome::kMatched), 0u);
}

TEST_F(ProfileMatchTest, WantsWhatWasInlinedToo) {
  FunctionSamples& f = function("f");
  inlined(inlined(f, 1, "g"), 2, "h");
  WantedFunctions wanted = wanted_functions(profile);
  std::vector<llvm::StringRef> names = wanted.names;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<llvm::StringRef>{"f", "g", "h"}));
  EXPECT_EQ(wanted.guids.size(), 3u);
}

TEST_F(ProfileMatchTest, MostUnmatchedFirst) {
  for (const char* name : {"b", "a", "c"}) function(name).addBodySamples(1, 0, 5);
  function("d").addBodySamples(1, 0, 6);
  ProfileMatch found = match();
  std::string order;
  for (const FunctionMatch& each : found.functions) order += each.name;
  EXPECT_EQ(order, "dabc");
}

// A section .pseudo_probe_desc.
class ProbeDescriptions {
 public:
  ProbeDescriptions& add(std::string_view name, uint64_t checksum) {
    test::put64(bytes_, function_guid(llvm::StringRef(name.data(), name.size())));
    test::put64(bytes_, checksum);
    bytes_.push_back(static_cast<uint8_t>(name.size()));
    bytes_.insert(bytes_.end(), name.begin(), name.end());
    return *this;
  }
  ProbeFunctions functions() const { return ProbeFunctions::parse(bytes_, "test").value(); }

 private:
  std::vector<uint8_t> bytes_;
};

TEST_F(ProfileMatchTest, FunctionsWithTheChecksumOfTheProfileMatch) {
  auto add = [&](llvm::StringRef name, uint64_t hash, uint64_t weight) {
    FunctionSamples& samples = function(name);
    samples.setFunctionHash(hash);
    samples.addBodySamples(1, 0, weight);
  };
  add("same", 10, 1);
  add("changed", 20, 2);
  add("twice", 31, 4);  // each of two units has its own
  add("gone", 40, 8);
  add("local.__uniq.1", 50, 16);
  add("of_a_library", 60, 32);
  add("local_of_a_library.__uniq.1", 70, 64);
  add("sibling.__uniq.1", 80, 128);
  add("sibling.__uniq.2", 80, 256);  // of another source, and not in this build
  for (const char* name : {"of_a_library", "local_of_a_library"}) symbols.add(name);
  ProbeDescriptions build;
  build.add("sibling.__uniq.1", 80);
  build.add("same", 10).add("changed", 21).add("twice", 30).add("twice", 31);
  build.add("local.__uniq.2", 50);
  ProbeFunctions functions = build.functions();
  ProfileMatch found = match_probes(profile, functions, symbols);
  EXPECT_EQ(found.weights.of(MatchOutcome::kMatched), 5u + 128);
  EXPECT_EQ(found.weights.of(MatchOutcome::kChanged), 2u);
  EXPECT_EQ(found.weights.of(MatchOutcome::kNoFunction), 8u + 256);
  EXPECT_EQ(found.weights.of(MatchOutcome::kOtherPath), 16u);
  EXPECT_EQ(found.weights.of(MatchOutcome::kNoProbes), 96u);
  EXPECT_EQ(of(found, "local.__uniq.1").other_name, "local.__uniq.2");
  EXPECT_EQ(found.leave_out_absent(), 8u + 256 + 96);
}

// What was inlined into a changed function is unmatched with it; a changed callee counts by itself.
TEST_F(ProfileMatchTest, ChecksumsOfInlinedFunctions) {
  FunctionSamples& f = function("f");
  f.setFunctionHash(1);
  f.addBodySamples(1, 0, 1);
  FunctionSamples& g = inlined(f, 2, "g");
  g.setFunctionHash(2);
  g.addBodySamples(1, 0, 2);
  FunctionSamples& h = inlined(g, 3, "h");
  h.setFunctionHash(3);
  h.addBodySamples(1, 0, 4);
  ProbeDescriptions build;
  ProbeFunctions functions = build.add("f", 1).add("g", 9).add("h", 3).functions();
  ProfileMatch found = match_probes(profile, functions, symbols);
  EXPECT_EQ(found.weights.of(MatchOutcome::kMatched), 1u);
  EXPECT_EQ(of(found, "g").weights.of(MatchOutcome::kChanged), 6u);
}

}  // namespace
}  // namespace pgo::profile_match_test

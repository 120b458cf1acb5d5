#include "pgo/infer/ambiguous_samples.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/data/code_builder.h"
#include "tests/data/code_image.h"

namespace pgo::infer::ambiguous_samples_test {
namespace {

using test::CodeBuilder;
using test::CodeImage;

constexpr uint64_t kText = 0x1000;

// f: a hot loop, and behind it a way that is seldom taken; then it returns.
struct Loop {
  CodeBuilder code{kText};
  std::unique_ptr<CodeImage> program;

  Loop() {
    code.plain(4).label("loop").plain(6).jump_if("rare").label("next").plain(6).jump_if("loop");
    code.plain(2).ret();
    code.label("rare").plain(6).jump("next").label("end");
    std::string bytes = code.finish();
    program = std::make_unique<CodeImage>(
        bytes, kText, std::vector<CodeImage::Function>{{"f", kText, kText + bytes.size()}});
  }
  uint64_t at(const std::string& label) const { return code.address(label); }
  // `count` plain instructions from `label` on.
  std::vector<ElfAddr> plain(const std::string& label, unsigned count) const {
    std::vector<ElfAddr> addrs;
    for (unsigned i = 0; i < count; i++) addrs.push_back(ElfAddr{at(label) + 2 * i});
    return addrs;
  }
  InferredCounts infer(const std::vector<AmbiguousSamples>& places, unsigned jobs = 1,
                       double weight = 1) const {
    InferOptions options;
    options.model.jobs = jobs;
    options.weight = weight;
    return infer_ambiguous_counts(*program->image, *program->image, places, options).value();
  }
};

double flow_at(const InferredCounts& inferred, uint64_t addr) {
  const InferredFunction& f = inferred.functions.at(0);
  for (size_t b = 0; b < f.graph.blocks.size(); b++)
    if (f.graph.instructions[f.graph.blocks[b].first].addr.value == addr) return f.flow.blocks[b];
  ADD_FAILURE() << "no block at " << addr;
  return 0;
}

std::vector<ElfAddr> operator+(std::vector<ElfAddr> a, const std::vector<ElfAddr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(AmbiguousSamples, AreAsGoodAsAddressesWhereAPlaceIsOneBlock) {
  Loop made;
  InferredCounts inferred = made.infer(
      {{made.plain("loop", 6), 6000}, {made.plain("next", 6), 6000}, {made.plain("rare", 6), 6}});
  double loop = flow_at(inferred, made.at("loop"));
  EXPECT_NEAR(flow_at(inferred, made.at("next")) / loop, 1, .1);
  EXPECT_LT(flow_at(inferred, made.at("rare")) / loop, .05);
  EXPECT_EQ(inferred.in_functions, 12006u);
  EXPECT_EQ(inferred.outside_functions, 0u);
}

TEST(AmbiguousSamples, CountInUnitsOfTheirWeight) {
  Loop made;
  std::vector<AmbiguousSamples> places{{made.plain("loop", 6), 60}, {made.plain("rare", 6), 7}};
  double once = flow_at(made.infer(places), made.at("loop"));
  for (AmbiguousSamples& place : places) place.count *= 10'000'019;
  InferredCounts weighed = made.infer(places, 1, 10'000'019);
  EXPECT_EQ(flow_at(weighed, made.at("loop")), once);
  EXPECT_EQ(weighed.in_functions, 67u);
}

// A line with code in two blocks. What else is known of the loop says which of the two ran.
TEST(AmbiguousSamples, GoToWhereControlFlows) {
  Loop made;
  std::vector<ElfAddr> rare = made.plain("rare", 6);
  AmbiguousSamples shared{
      made.plain("loop", 6) + std::vector<ElfAddr>(rare.begin(), rare.begin() + 3), 6000};
  AmbiguousSamples quiet{{rare.begin() + 3, rare.end()}, 3};
  InferredCounts inferred = made.infer({shared, {made.plain("next", 6), 6000}, quiet});
  double loop = flow_at(inferred, made.at("loop"));
  EXPECT_NEAR(flow_at(inferred, made.at("next")) / loop, 1, .2);
  // Evenly dealt out it would have a third of the place's samples: as much as the loop.
  EXPECT_LT(flow_at(inferred, made.at("rare")) / loop, .4);
}

TEST(AmbiguousSamples, GiveTheSameForAnyNumberOfThreads) {
  Loop made;
  std::vector<AmbiguousSamples> places = {{made.plain("loop", 6) + made.plain("rare", 6), 1000},
                                          {made.plain("next", 6), 700}};
  EXPECT_EQ(made.infer(places, 1).to_traces(), made.infer(places, 3).to_traces());
}

TEST(AmbiguousSamples, AreNothingWithoutPlaces) {
  Loop made;
  EXPECT_TRUE(made.infer({}).functions.empty());
}

TEST(AmbiguousSamples, SayWhatIsInNoFunction) {
  Loop made;
  InferredCounts inferred = made.infer({{{ElfAddr{kText - 8}}, 5}, {made.plain("loop", 6), 7}});
  EXPECT_EQ(inferred.in_functions, 7u);
  EXPECT_EQ(inferred.outside_functions, 5u);
}

TEST(AmbiguousSamples, DoNotOverflow) {
  Loop made;
  InferredCounts inferred = made.infer({{made.plain("loop", 6), ~uint64_t{0}}});
  EXPECT_GT(flow_at(inferred, made.at("loop")), 0);
}

}  // namespace
}  // namespace pgo::infer::ambiguous_samples_test

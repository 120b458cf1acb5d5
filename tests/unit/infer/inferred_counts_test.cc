#include "pgo/infer/inferred_counts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "pgo/code/instruction_decoder.h"
#include "pgo/profile/code_counts.h"
#include "tests/data/code_builder.h"
#include "tests/data/code_image.h"

namespace pgo::infer::inferred_counts_test {
namespace {

using test::CodeBuilder;
using test::CodeImage;

constexpr uint64_t kText = 0x1000;

// How often each instruction of the traces' ranges ran.
std::map<uint64_t, uint64_t> executions(const BinaryCounts& traces, const CodeImage& program) {
  std::unique_ptr<CodeMap> code = make_code_map(*program.image, *program.image).value();
  CodeCounts counts = count_code(traces, *code, 1);
  EXPECT_EQ(counts.broken_ranges, 0u);
  std::map<uint64_t, uint64_t> result;
  for (const RangeCount& range : counts.ranges)
    for (ElfAddr addr = range.first; addr <= range.last; addr.value++)
      if (code->is_code(addr)) result[addr.value] += range.count;
  return result;
}

// f: a loop of a block, a call and a conditional jump back; calls g.
struct LoopWithCall {
  CodeBuilder code{kText};
  std::unique_ptr<CodeImage> program;
  uint64_t g = 0;

  LoopWithCall() {
    code.plain(4).label("loop").plain(6).call("g").plain(6).jump_if("loop").plain(2).ret();
    code.label("g").plain(3).jump_if("skip").plain(5).label("skip").ret();
    g = code.address("g");
    std::string bytes = code.finish();
    program = std::make_unique<CodeImage>(
        bytes, kText,
        std::vector<CodeImage::Function>{{"f", kText, g}, {"g", g, kText + bytes.size()}});
  }
};

BinaryCounts counts_of(const std::vector<PcSample>& pc_samples) {
  BinaryCounts counts;
  counts.pc_samples = pc_samples;
  return counts;
}

// A half without samples says nothing of what ran.
TEST(InferredCounts, CompareHalvesThatHaveSamples) {
  LoopWithCall made;
  InferOptions options;
  options.split_half_iterations = 5;
  for (uint64_t samples : {1u, 200u}) {
    BinaryCounts counts = counts_of({{ElfAddr{kText + 9}, samples, samples}});
    InferredCounts inferred =
        infer_counts(*made.program->image, *made.program->image, counts, options).value();
    EXPECT_EQ(inferred.split_half_overlap.has_value(), samples > 1) << samples;
  }
}

// Samples at other instructions are other halves, whatever the number of threads.
TEST(InferredCounts, CompareHalvesThatDiffer) {
  LoopWithCall made;
  std::vector<PcSample> samples;
  for (uint64_t at = kText; at < made.g; at++) samples.push_back({ElfAddr{at}, at % 3, at % 3});
  std::vector<double> overlaps;
  for (unsigned jobs : {1u, 4u}) {
    InferOptions options;
    options.split_half_iterations = 40;
    options.model.jobs = jobs;
    InferredCounts inferred =
        infer_counts(*made.program->image, *made.program->image, counts_of(samples), options)
            .value();
    overlaps.push_back(inferred.split_half_overlap.value());
  }
  EXPECT_EQ(overlaps[0], overlaps[1]);
  EXPECT_GT(overlaps[0], .3);
  EXPECT_LT(overlaps[0], .999);
}

// f's first block was sampled, its loop of many rounds was not, g runs once a round.
TEST(InferredCounts, SayHowMuchOfTheFlowHasNoSamples) {
  LoopWithCall made;
  std::vector<PcSample> all, first;
  for (uint64_t addr = kText; addr < kText + 8; addr += 2) first.push_back({ElfAddr{addr}, 30, 30});
  for (uint64_t addr = kText; addr < made.g + 24; addr++) all.push_back({ElfAddr{addr}, 30, 30});
  auto infer = [&](const std::vector<PcSample>& ips) {
    return infer_counts(*made.program->image, *made.program->image, counts_of(ips), {}).value();
  };
  EXPECT_EQ(infer(all).unsampled_flow_share, 0);
  EXPECT_EQ(infer({}).unsampled_flow_share, std::nullopt);
  InferredCounts inferred = infer(first);
  const InferredFunction& f = inferred.functions.at(0);
  ASSERT_EQ(f.graph.blocks.size(), 3u);
  double sampled = 4 * f.flow.blocks[0], unsampled = 0;
  for (size_t b : {1u, 2u}) unsampled += f.graph.blocks[b].count * f.flow.blocks[b];
  EXPECT_DOUBLE_EQ(inferred.unsampled_flow_share.value(), unsampled / (sampled + unsampled));
  EXPECT_GT(inferred.unsampled_flow_share.value(), .1);
}

TEST(InferredCounts, BecomeTracesWithTheSameCounts) {
  LoopWithCall made;
  std::vector<PcSample> samples;
  for (uint64_t addr = kText + 8; addr < made.g + 12; addr++)
    samples.push_back({ElfAddr{addr}, 30, 30});
  InferredCounts inferred =
      infer_counts(*made.program->image, *made.program->image, counts_of(samples), {}).value();
  ASSERT_EQ(inferred.functions.size(), 2u);
  BinaryCounts traces = inferred.to_traces();
  std::map<uint64_t, uint64_t> ran = executions(traces, *made.program);
  for (const InferredFunction& function : inferred.functions)
    for (size_t b = 0; b < function.graph.blocks.size(); b++) {
      const Block& block = function.graph.blocks[b];
      auto count = static_cast<uint64_t>(std::llround(1000 * function.flow.blocks[b]));
      for (uint32_t i = block.first; i < block.first + block.count; i++)
        EXPECT_EQ(ran[function.graph.instructions[i].addr.value], count) << b << " " << i;
    }
  // The call, the jump back, and the one over half of g.
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> branches;
  for (const Trace& trace : traces.traces)
    if (trace.from) branches[{(*trace.from).value, (*trace.to).value}] += trace.count;
  ASSERT_EQ(branches.size(), 3u);
  auto& [call, calls] = *std::next(branches.begin(), 0);
  EXPECT_EQ(call.second, made.g);
  EXPECT_EQ(calls,
            static_cast<uint64_t>(std::llround(1000 * inferred.functions[0].flow.blocks[1])));
}

TEST(InferredCounts, SayWhatIsInNoFunction) {
  LoopWithCall made;
  std::vector<PcSample> samples = {{ElfAddr{kText - 8}, 5, 5}, {ElfAddr{kText + 2}, 7, 7}};
  InferredCounts inferred =
      infer_counts(*made.program->image, *made.program->image, counts_of(samples), {}).value();
  EXPECT_EQ(inferred.in_functions, 7u);
  EXPECT_EQ(inferred.outside_functions, 5u);
  ASSERT_EQ(inferred.functions.size(), 1u);
  EXPECT_EQ(inferred.functions[0].graph.function.name, "f");
}

TEST(InferredCounts, CountSamplesNotPeriods) {
  LoopWithCall made;
  std::vector<PcSample> samples = {{ElfAddr{kText + 10}, 3, 3}, {ElfAddr{kText + 14}, 8, 8}};
  InferOptions weighted;
  weighted.weight = 1e6;
  std::vector<PcSample> periods = samples;
  for (PcSample& sample : periods) sample.weight *= 1'000'000;
  const ElfImage& image = *made.program->image;
  EXPECT_EQ(infer_counts(image, image, counts_of(samples), {}).value().to_traces(),
            infer_counts(image, image, counts_of(periods), weighted).value().to_traces());
}

TEST(InferredCounts, AreNothingWithoutSamples) {
  LoopWithCall made;
  InferredCounts inferred =
      infer_counts(*made.program->image, *made.program->image, {}, {}).value();
  EXPECT_TRUE(inferred.functions.empty());
  EXPECT_TRUE(inferred.to_traces().traces.empty());
}

TEST(InferredCounts, RefuseOtherMachines) {
  ElfBuilder elf;
  elf.header.e_machine = EM_AARCH64;
  std::vector<uint8_t> bytes = elf.finish();
  ElfImage image = ElfImage::parse(bytes, "program").value();
  EXPECT_EQ(infer_counts(image, image, {}, {}).error().message,
            "program: is not an x86-64 binary; PC samples of other architectures cannot be used");
}

}  // namespace
}  // namespace pgo::infer::inferred_counts_test

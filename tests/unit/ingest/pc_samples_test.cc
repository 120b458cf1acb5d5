#include "pgo/ingest/pc_samples.h"

#include <elf.h>
#include <gtest/gtest.h>

#include "pgo/base/atomic_file.h"
#include "pgo/profile/bolt_evidence.h"
#include "tests/data/code_builder.h"
#include "tests/data/elf_builder.h"
#include "tests/data/probed_program.h"
#include "tests/data/temporary_files.h"

namespace pgo::pc_samples_test {
namespace {

Inference inference_from(uint64_t samples, std::optional<double> unsampled_flow_share) {
  Inference inference;
  inference.samples = samples;
  inference.functions = 30;
  inference.unsampled_flow_share = unsampled_flow_share;
  return inference;
}

TEST(PcSamples, MuchUnsampledFlowLowersTheQualityByOne) {
  struct Case {
    uint64_t samples;
    Quality quality, lower;
  };
  for (const Case& one :
       {Case{100'000, Quality::kGood, Quality::kFair}, Case{99'999, Quality::kFair, Quality::kThin},
        Case{2'000, Quality::kThin, Quality::kWeak}, Case{1'999, Quality::kWeak, Quality::kWeak}}) {
    EXPECT_EQ(inference_from(one.samples, std::nullopt).quality(), one.quality);
    EXPECT_EQ(inference_from(one.samples, .25).quality(), one.quality);
    EXPECT_EQ(inference_from(one.samples, .26).quality(), one.lower);
  }
}

TEST(PcSamples, JudgesEachBinaryLikeTheWhole) {
  Inference inference = inference_from(150'000, .1);
  EXPECT_EQ(inference.quality_of({.samples = 140'000}), Quality::kGood);
  EXPECT_EQ(inference.quality_of({.samples = 140'000, .unsampled_flow_share = .3}), Quality::kFair);
  EXPECT_EQ(inference.quality_of({.samples = 9'999}), Quality::kThin);
  EXPECT_EQ(inference.quality_of({.samples = 0}), Quality::kUnknown);
  inference.is_cpu_time = false;
  EXPECT_EQ(inference.quality_of({.samples = 140'000}), Quality::kUnknown);
}

class PcSamplesOfFiles : public test::TemporaryFiles {};

// The rows of a profile that was merged with a weight are rounded one by one, the sum only once.
TEST_F(PcSamplesOfFiles, GivesEachBinaryItsShareOfTheSamples) {
  const std::string other_id(40, 'f');
  std::vector<std::string> paths;
  AddressProfile one, two;
  for (const auto& [id, rows] : {std::pair{std::string(test::kProbedBuildId), uint64_t{1'500}},
                                 std::pair{other_id, uint64_t{499}}}) {
    paths.push_back(write(id, test::probed_program(id)));
    BinaryCounts& counts = two.binaries.emplace_back();
    counts.id = *BuildId::from_hex(id);
    counts.path_hint = paths.back();
    counts.pc_samples = {{ElfAddr{0x1208}, rows, rows}};
  }
  const BinarySet binaries = BinarySet::open(paths, {}).value();
  one.binaries = {two.binaries[0]};
  one.binaries[0].pc_samples[0].samples = 1'999;
  one.samples.seen = one.samples.pending = two.samples.seen = two.samples.pending = 2'001;

  const Inference of_one = infer_from_pc_samples(one, binaries, 1).value().value();
  EXPECT_EQ(of_one.binaries.at(0).samples, 2'001u);
  EXPECT_EQ(of_one.quality_of(of_one.binaries[0]), of_one.quality());
  const Inference of_two = infer_from_pc_samples(two, binaries, 1).value().value();
  EXPECT_EQ(of_two.binaries.at(0).samples, 1'502u);
  EXPECT_EQ(of_two.binaries.at(1).samples, 499u);
}

constexpr uint64_t kText = 0x1000;

// A program with one function, and the note of a profile unless `note` is empty.
std::string program_of(const std::string& code, const std::string& note = "") {
  ElfBuilder elf;
  elf.header.e_machine = EM_X86_64;
  const uint16_t text = elf.next_section();
  elf.add_code(kText, code);
  elf.add_build_id(*BuildId::from_hex(std::string(40, 'a')));
  if (!note.empty())
    elf.add_section(".note.prodpgo", SHT_NOTE, SHF_ALLOC, 0x3000,
                    ElfBuilder::note("ProdPGO", 1, note));
  elf.add_symbol("f", STT_FUNC, text, kText, code.size());
  return std::string(as_text(elf.finish()));
}

// How often a block of one instruction ran, inferred from samples in what is before and behind it.
// `note` is that of the program.
uint64_t runs_of_short_block(const std::string& path, const std::string& note) {
  test::CodeBuilder code(kText);
  code.plain(12).jump_if("end").label("short").plain().label("end").plain(12).ret();
  const uint64_t block = code.address("short"), end = code.address("end");
  const std::string bytes = code.finish();
  EXPECT_TRUE(write_file_atomically(path, program_of(bytes, note)));

  AddressProfile profile;
  BinaryCounts& counts = profile.binaries.emplace_back();
  counts.id = *BuildId::from_hex(std::string(40, 'a'));
  counts.path_hint = path;
  for (uint64_t addr = kText; addr < kText + bytes.size(); addr += 2)
    if (addr + 8 <= block || addr >= end) counts.pc_samples.push_back({ElfAddr{addr}, 50, 50});
  profile.samples.seen = profile.samples.pending = 50 * counts.pc_samples.size();
  Result<BinarySet> binaries = BinarySet::open({path}, {});
  EXPECT_TRUE(binaries) << (binaries ? "" : binaries.error().message);
  if (!binaries) return 0;
  auto inference = infer_from_pc_samples(profile, *binaries, 1);
  EXPECT_TRUE(inference) << (inference ? "" : inference.error().message);
  uint64_t runs = 0;
  for (const Trace& trace : profile.binaries[0].traces)
    if (trace.to && trace.last && (*trace.to).value <= block && (*trace.last).value >= block)
      runs += trace.count;
  return runs;
}

TEST_F(PcSamplesOfFiles, TrustTheLayoutOfABinaryWithANoteOfAProfile) {
  const std::string path = write("program", "");
  const uint64_t without = runs_of_short_block(path, R"({"name":"server"})");
  const uint64_t with = runs_of_short_block(path, R"({"profile":"sha256:12"})");
  EXPECT_GT(with, 2 * without);
}

TEST(PcSamples, QualityWithSingleStepsIsTheBetterOne) {
  Inference inference = inference_from(3'000, .1);
  inference.step_samples = 4'000;
  inference.quality_of_steps = Quality::kFair;
  EXPECT_EQ(inference.quality(), Quality::kFair);
  inference.samples = 100'000;
  EXPECT_EQ(inference.quality(), Quality::kGood);
  EXPECT_EQ(inference.quality_of({.samples = 0, .quality_of_steps = Quality::kThin}),
            Quality::kThin);
  EXPECT_EQ(inference.quality_of({.samples = 10'000, .quality_of_steps = Quality::kThin}),
            Quality::kFair);
}

// Two steps beside PC samples do not make branch records of what is inferred.
TEST(PcSamples, FewSingleStepsAreNoBranchRecords) {
  Inference inference = inference_from(1'174, .1);
  inference.step_samples = 2;
  inference.quality_of_steps = Quality::kWeak;
  auto verdict = [&](CompileProfileUse use) {
    return judge_for_bolt(inference.evidence(), inference.quality(), use);
  };
  EXPECT_EQ(inference.evidence(), Evidence::kPcSamples);
  EXPECT_EQ(inference.quality(), Quality::kWeak);
  EXPECT_EQ(verdict(CompileProfileUse::kUnknown), BoltEvidence::kLowQuality);
  EXPECT_EQ(verdict(CompileProfileUse::kUsed), BoltEvidence::kProfiledBuild);
  inference.samples = 100'000;
  EXPECT_EQ(verdict(CompileProfileUse::kUnknown), BoltEvidence::kUsable);
  EXPECT_EQ(verdict(CompileProfileUse::kUsed), BoltEvidence::kProfiledBuild);
  inference.quality_of_steps = Quality::kThin;
  EXPECT_EQ(inference.evidence(), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(verdict(CompileProfileUse::kUsed), BoltEvidence::kUsable);
}

// A library with two steps does not get the evidence of the program, which has thousands.
TEST(PcSamples, EachBinaryHasTheEvidenceOfItsOwnSteps) {
  Inference inference = inference_from(100'000, .1);
  inference.step_samples = 20'000;
  inference.quality_of_steps = Quality::kFair;
  EXPECT_EQ(inference.evidence_of({.is_inferred = true, .quality_of_steps = Quality::kThin}),
            Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(inference.evidence_of({.is_inferred = true, .quality_of_steps = Quality::kWeak}),
            Evidence::kPcSamples);
  EXPECT_EQ(inference.evidence_of({.is_inferred = false, .quality_of_steps = Quality::kWeak}),
            Evidence::kSoftwareBranchRecords);
  inference.step_samples = 0;
  EXPECT_EQ(inference.evidence_of({.is_inferred = true}), Evidence::kPcSamples);
}

// A branch that samples do not show, and records of single steps do. Records of a processor count
// alone.
TEST_F(PcSamplesOfFiles, CountTogetherWithSingleSteps) {
  test::CodeBuilder code(kText);
  code.plain(12).label("branch").jump_if("end").label("short").plain().label("end").plain(12).ret();
  const std::string bytes = code.finish();
  const std::string path = write("program", program_of(bytes));
  const BinarySet binaries = BinarySet::open({path}, {}).value();

  auto counts = [&](std::string_view event, bool taken) {
    const ElfAddr branch{code.address("branch")}, end{code.address("end")};
    AddressProfile profile;
    BinaryCounts& of_binary = profile.binaries.emplace_back();
    of_binary.id = *BuildId::from_hex(std::string(40, 'a'));
    of_binary.path_hint = path;
    for (uint64_t addr = kText; addr < kText + bytes.size(); addr += 4)
      of_binary.pc_samples.push_back({ElfAddr{addr}, 50, 50});
    if (taken)
      of_binary.traces = {{branch, end, {}, TraceReading::kBoth, 90}};
    else
      of_binary.traces = {{{}, ElfAddr{kText}, end, TraceReading::kBoth, 90}};
    profile.samples.pending = 50 * of_binary.pc_samples.size();
    profile.samples.used = profile.branches.used = profile.branches.seen = 90;
    profile.samples.seen = profile.samples.pending + 90;
    profile.events = {{"cpu-clock", profile.samples.pending, 250'007, false},
                      {std::string(event), 90, 4'000'000, false}};
    return profile;
  };
  auto share_taken = [&](const AddressProfile& profile) {
    double taken = 0, all = 0;
    for (const Trace& trace : profile.binaries[0].traces) {
      const uint64_t branch = code.address("branch");
      if (trace.from == ElfAddr{branch}) taken += static_cast<double>(trace.count);
      const bool passes =
          trace.to && trace.last && (*trace.to).value <= branch && (*trace.last).value >= branch;
      if (passes) all += static_cast<double>(trace.count);
    }
    return taken / all;
  };
  AddressProfile taken = counts(kSteppedEvent, true), not_taken = counts(kSteppedEvent, false);
  const Inference inference = infer_from_pc_samples(taken, binaries, 1).value().value();
  ASSERT_TRUE(infer_from_pc_samples(not_taken, binaries, 1).value());
  EXPECT_GT(share_taken(taken), .8);
  EXPECT_LT(share_taken(not_taken), .2);
  EXPECT_EQ(inference.step_samples, 90u);
  EXPECT_EQ(taken.samples.used, taken.samples.seen);
  EXPECT_EQ(taken.check(), std::nullopt);

  AddressProfile of_a_processor = counts("cycles:u", true);
  EXPECT_FALSE(infer_from_pc_samples(of_a_processor, binaries, 1).value());
  EXPECT_EQ(of_a_processor.samples[Dropped::kWithoutStack],
            of_a_processor.samples.seen - of_a_processor.samples.used);
}

TEST(PcSamples, QualityIsUnknownForOtherThanCpuTime) {
  Inference inference = inference_from(100'000, .26);
  inference.is_cpu_time = false;
  EXPECT_EQ(inference.quality(), Quality::kUnknown);
}

}  // namespace
}  // namespace pgo::pc_samples_test

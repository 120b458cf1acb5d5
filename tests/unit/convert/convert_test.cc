// convert() as a whole: recordings and a binary that are written here, and every byte of the
// outputs.
#include "pgo/convert/convert.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/data/probed_program.h"
#include "tests/data/temporary_files.h"

namespace pgo::test::convert_test {
namespace {

class Convert : public TemporaryFiles {
 protected:
  // Converts `inputs` of the program to one output of `format`.
  ConvertRequest request(const std::vector<std::string>& inputs, Format format) const {
    ConvertRequest request;
    request.inputs = inputs;
    request.binaries = {server_};
    request.outputs = {{format, path("out")}};
    request.read.jobs = 1;
    return request;
  }
  std::string contents_of(const ConvertRequest& request) const {
    Result<ConvertResult> result = convert(request);
    return result ? result->outputs.at(0).contents : "error: " + relative(result.error().message);
  }
  std::string contents_of(const std::vector<std::string>& inputs, Format format) const {
    return contents_of(request(inputs, format));
  }
  std::string error_of(const ConvertRequest& request) const {
    Result<ConvertResult> result = convert(request);
    return result ? "no error" : relative(result.error().message);
  }

  std::string server_ = write("server", probed_program());
};

// Ten times the ranges 1200 to 1208 and 1204 to 1208: block 1 ran 10 times, block 2 20 times, block
// 3 never. Of main only the call is known.
TEST_F(Convert, CountsBlocksByProbe) {
  ConvertResult result =
      convert(request({write("a.data", branch_recording(10))}, Format::kLlvmText)).value();
  ASSERT_EQ(result.outputs.size(), 1u);
  EXPECT_EQ(result.outputs[0].path, path("out"));
  EXPECT_EQ(result.outputs[0].contents,
            "work:30:10\n 1: 10\n 2: 20\n 3: 0\n !CFGChecksum: 7\n"
            "main:0:0\n 2: 10 work:10\n !CFGChecksum: 8\n");
  EXPECT_EQ(result.evidence, Evidence::kBranchRecords);
  EXPECT_EQ(result.profile.samples.seen, 10u);
  EXPECT_EQ(result.profile.samples.used, 10u);
  EXPECT_EQ(result.profile.branches.seen, 30u);
  EXPECT_EQ(result.profile.branches.used, 30u);
  EXPECT_EQ(result.inference, std::nullopt);
  EXPECT_TRUE(result.unused.empty());
}

TEST_F(Convert, GivesBoltTheTraces) {
  EXPECT_EQ(contents_of({write("a.data", branch_recording(10))}, Format::kPreaggregated),
            "T 1208 1204 1208 10\nB 1208 1204 10 0\nT 1210 1200 1208 10\n");
}

TEST_F(Convert, GivesTheSameBytesInAnyOrderAndWithAnyNumberOfThreads) {
  const std::string a = write("hosts/a.data", branch_recording(10)),
                    b = write("hosts/b.data", branch_recording(7)),
                    c = write("hosts/c.data", branch_recording(1));
  for (Format format : {Format::kAddressProfile, Format::kLlvm, Format::kPreaggregated}) {
    const std::string expected = contents_of({a, b, c}, format);
    EXPECT_EQ(contents_of({c, a, b}, format), expected);
    EXPECT_EQ(contents_of({path("hosts")}, format), expected);
    ConvertRequest threads = request({b, c, a}, format);
    threads.read.jobs = 3;
    EXPECT_EQ(contents_of(threads), expected);
  }
}

TEST_F(Convert, KeepsCountsInAddressProfiles) {
  const std::string recording = write("a.data", branch_recording(10));
  const std::string stored = contents_of({recording}, Format::kAddressProfile);
  write("a.addr", stored);
  EXPECT_EQ(contents_of({path("a.addr")}, Format::kLlvmText),
            contents_of({recording}, Format::kLlvmText));
}

TEST_F(Convert, InfersCountsFromPcSamples) {
  ConvertResult result =
      convert(request({write("a.data", clock_recording(50))}, Format::kLlvmText)).value();
  EXPECT_EQ(result.evidence, Evidence::kPcSamples);
  EXPECT_EQ(result.quality, Quality::kWeak);
  ASSERT_TRUE(result.inference);
  EXPECT_EQ(result.inference->samples, 50u);
  EXPECT_EQ(result.inference->functions, 1u);
  EXPECT_EQ(result.profile.samples.used, 50u);
  EXPECT_EQ(result.profile.samples.pending, 0u);
  EXPECT_TRUE(result.outputs[0].contents.starts_with("work:")) << result.outputs[0].contents;
  EXPECT_EQ(result.binaries.at(0).pc_samples, 50u);
  // An address profile has them as they are.
  EXPECT_EQ(convert(request({path("a.data")}, Format::kAddressProfile))->binaries.at(0).pc_samples,
            50u);
}

// 2 500 samples have quality thin; the 500 of one binary alone are weak.
TEST_F(Convert, JudgesTheCountsOfEachBinary) {
  const std::string id = "ffffffffffffffffffffffffffffffffffffffff";
  ConvertRequest two =
      request({write("a.data", clock_recording(2'000)), write("b.data", clock_recording(500, id))},
              Format::kPreaggregated);
  two.binaries.push_back(write("other", probed_program(id)));
  two.outputs[0].path = path("%b.preagg");
  ConvertResult result = convert(two).value();
  EXPECT_EQ(result.quality, Quality::kThin);
  ASSERT_EQ(result.binaries.size(), 2u);
  ASSERT_EQ(result.outputs.size(), 2u);
  const ConvertedBinary &server = result.binaries[0], &other = result.binaries[1];
  EXPECT_EQ(server.path, server_);
  EXPECT_EQ(server.pc_samples, 2'000u);
  EXPECT_EQ(server.quality, Quality::kThin);
  EXPECT_EQ(other.pc_samples, 500u);
  EXPECT_EQ(other.quality, Quality::kWeak);
  EXPECT_TRUE(other.split_half_overlap);
  EXPECT_EQ(result.outputs[0].binary, 0u);
  EXPECT_EQ(result.quality_of(result.outputs[1]), Quality::kWeak);
}

// An address profile names the binaries that it has, as a recording does.
TEST_F(Convert, NamesOtherBinariesOfAnAddressProfile) {
  const std::string id = "ffffffffffffffffffffffffffffffffffffffff";
  ConvertRequest two =
      request({write("a.data", clock_recording(30)), write("b.data", clock_recording(70, id))},
              Format::kAddressProfile);
  two.binaries.push_back(write("other", probed_program(id)));
  const std::string stored = contents_of(two);
  write("two.addr", stored);
  ConvertResult result = convert(request({path("two.addr")}, Format::kLlvmText)).value();
  ASSERT_EQ(result.others.size(), 1u);
  EXPECT_EQ(result.others[0].file.path, path("other"));
  EXPECT_EQ(result.others[0].file.id.hex(), id);
  EXPECT_EQ(result.others[0].samples, 70u);
  EXPECT_EQ(result.profile.samples[Dropped::kOtherBinary], 70u);
}

TEST_F(Convert, MeasuresTheDensityOfEachBinary) {
  const std::string id = "ffffffffffffffffffffffffffffffffffffffff";
  ConvertRequest two =
      request({write("a.data", branch_recording(10)), write("b.data", branch_recording(400, id))},
              Format::kLlvmText);
  two.binaries.push_back(write("other", probed_program(id)));
  ConvertResult result = convert(two).value();
  const ConvertedBinary &server = result.binaries.at(0), &other = result.binaries.at(1);
  EXPECT_EQ(server.density, convert(request({path("a.data")}, Format::kLlvmText))->density);
  EXPECT_EQ(other.density, 40 * server.density);
  EXPECT_EQ(result.density, 41 * server.density);
  EXPECT_EQ(server.quality, Quality::kFair);
  EXPECT_EQ(other.quality, Quality::kGood);
  // A single one is judged as the whole.
  EXPECT_EQ(convert(request({path("a.data")}, Format::kLlvmText))->binaries.at(0).density,
            server.density);
}

// Profiles have the counts of both then.
TEST_F(Convert, KnowsNoDensityOfCountsThatWereMerged) {
  ConvertRequest both = request({write("a.data", branch_recording(10)),
                                 write("b.data", branch_recording(400, kBoltedBuildId))},
                                Format::kLlvmText);
  both.binaries.push_back(write("server.bolt", bolted_program()));
  ConvertResult merged = convert(both).value();
  ASSERT_EQ(merged.moved.size(), 1u);
  EXPECT_EQ(merged.quality, Quality::kGood);
  ASSERT_EQ(merged.binaries.size(), 2u);
  for (const ConvertedBinary& binary : merged.binaries) {
    EXPECT_NE(binary.traces, 0u);
    EXPECT_EQ(binary.density, 0);
    EXPECT_EQ(binary.quality, Quality::kUnknown);
  }
  // Those that were moved alone are of the binary that ran.
  both.inputs = {path("b.data")};
  ConvertResult moved = convert(both).value();
  ASSERT_EQ(moved.moved.size(), 1u);
  EXPECT_EQ(moved.binaries.at(0).density, 0);
  EXPECT_EQ(relative(moved.binaries.at(1).path), "server.bolt");
  EXPECT_EQ(moved.binaries.at(1).density, moved.density);
  EXPECT_EQ(moved.binaries.at(1).quality, Quality::kGood);
}

constexpr const char* kTenTraces = "T 1208 1204 1208 10\nB 1208 1204 10 0\nT 1210 1200 1208 10\n";

TEST_F(Convert, GivesBoltTheTracesOfItsInput) {
  ConvertRequest both =
      request({write("b.data", branch_recording(10, kBoltedBuildId))}, Format::kPreaggregated);
  both.binaries.push_back(write("server.bolt", bolted_program()));
  ConvertResult result = convert(both).value();
  ASSERT_EQ(result.outputs.size(), 1u) << "one path is enough, without %b";
  // Without the newest branch of each stack.
  EXPECT_EQ(result.outputs[0].contents, "T 1208 1204 1208 10\nT 1210 1200 1208 10\n");
  EXPECT_EQ(relative(result.binaries.at(*result.outputs[0].binary).path), "server");
  EXPECT_EQ(relative(result.binaries.at(*result.outputs[0].counted).path), "server.bolt");
  ASSERT_EQ(result.moved.size(), 1u);
  EXPECT_EQ(relative(result.moved[0].from), "server.bolt");
  EXPECT_EQ(relative(result.moved[0].to), "server");
  EXPECT_EQ(result.moved[0].report.seen, 20u);
  EXPECT_EQ(result.moved[0].report.whole, 20u);
  EXPECT_EQ(result.evidence_of(result.outputs[0]), result.evidence);
  // What was recorded of the input itself adds up with it.
  both.inputs.push_back(write("a.data", branch_recording(1)));
  EXPECT_EQ(contents_of(both), "T 1208 1204 1208 11\nB 1208 1204 1 0\nT 1210 1200 1208 11\n");
}

TEST_F(Convert, MovesCountsOnceForTheCompilerAndForBolt) {
  ConvertRequest both =
      request({write("b.data", branch_recording(400, kBoltedBuildId))}, Format::kPreaggregated);
  both.binaries.push_back(write("server.bolt", bolted_program()));
  both.outputs.push_back({Format::kLlvmText, path("out.proftext")});
  ConvertResult result = convert(both).value();
  EXPECT_EQ(result.moved.size(), 1u);
  EXPECT_EQ(result.quality_of(result.outputs.at(0)), Quality::kGood);
}

TEST_F(Convert, FindsTheInputOfBoltBeside) {
  ConvertRequest alone =
      request({write("b.data", branch_recording(10, kBoltedBuildId))}, Format::kPreaggregated);
  alone.binaries = {write("build/app", bolted_program())};
  alone.outputs[0].path = path("%b.preagg");
  EXPECT_TRUE(convert(alone)->moved.empty());
  write("build/app.prebolt", probed_program("ffffffffffffffffffffffffffffffffffffffff"));
  EXPECT_TRUE(convert(alone)->moved.empty()) << "of another build";
  write("build/app.prebolt", "no ELF file");
  EXPECT_TRUE(convert(alone)->moved.empty());

  write("build/app.prebolt", probed_program());
  ConvertResult result = convert(alone).value();
  ASSERT_EQ(result.moved.size(), 1u);
  EXPECT_EQ(relative(result.moved[0].to), "build/app.prebolt");
  EXPECT_EQ(relative(result.outputs.at(0).path), "app.preagg") << "as the program is called";
  // One that was named is used instead.
  alone.binaries.push_back(server_);
  EXPECT_EQ(relative(convert(alone)->moved.at(0).to), "server");
}

TEST_F(Convert, PrefersBranchRecordsToPcSamples) {
  const std::string branches = write("a.data", branch_recording(10)),
                    clock = write("b.data", clock_recording(50));
  ConvertResult result = convert(request({clock, branches}, Format::kLlvmText)).value();
  EXPECT_EQ(result.outputs[0].contents, contents_of({branches}, Format::kLlvmText));
  EXPECT_EQ(result.evidence, Evidence::kBranchRecords);
  EXPECT_EQ(result.profile.samples[Dropped::kWithoutStack], 50u);
  EXPECT_EQ(result.binaries.at(0).pc_samples, 0u);
  EXPECT_EQ(result.binaries.at(0).pc_sample_weight, 0u);
  ASSERT_EQ(result.unused.size(), 1u);
  EXPECT_EQ(relative(result.unused[0].path), "b.data");
}

// As branch_recording() and clock_recording(), of other events.
ByteVector step_recording(int samples, const std::string& build_id = kProbedBuildId) {
  Event steps = branch_event();
  steps.name = std::string(kSteppedEvent);
  PerfDataBuilder perf;
  perf.event(steps).event_desc().mmap2(map_of_probed_program(build_id));
  for (int i = 0; i < samples; i++)
    perf.sample({.pid = 10,
                 .time = static_cast<uint64_t>(2 + i),
                 .ip = at(0x400000, 0x1204),
                 .branches = {{at(0x400000, 0x1208), at(0x400000, 0x1204)},
                              {at(0x400000, 0x1210), at(0x400000, 0x1200)}}});
  return perf.file();
}
ByteVector pc_recording(int samples, const std::string& event, uint64_t address) {
  Event plain = pc_sample_event();
  if (event == "cycles:u") plain.type = PERF_TYPE_HARDWARE, plain.config = PERF_COUNT_HW_CPU_CYCLES;
  plain.name = event;
  PerfDataBuilder perf;
  perf.event(plain).event_desc().mmap2(map_of_probed_program());
  for (int i = 0; i < samples; i++)
    perf.sample({.pid = 10,
                 .time = static_cast<uint64_t>(2 + i),
                 .ip = at(0x400000, address),
                 .period = 1});
  return perf.file();
}

// Whose samples have no branch records, as those of the clock; also after a conversion to address
// profiles.
TEST_F(Convert, CombinesSingleStepsWithPcSamplesOfCycles) {
  const std::string steps = write("a.data", step_recording(10));
  for (const char* event : {"cpu-clock:u", "cycles:u"}) {
    const std::string samples = write("b.data", pc_recording(50, event, 0x1208));
    const ConvertResult result = convert(request({steps, samples}, Format::kPreaggregated)).value();
    ASSERT_TRUE(result.inference) << event;
    EXPECT_EQ(result.inference->step_samples, 10u);
    EXPECT_EQ(result.inference->samples, 50u);
    EXPECT_EQ(result.evidence, Evidence::kPcSamples);  // so few steps
    EXPECT_TRUE(result.unused.empty());
    const std::string stored = write("a.addr", contents_of({steps}, Format::kAddressProfile)),
                      others = write("b.addr", contents_of({samples}, Format::kAddressProfile)),
                      both =
                          write("ab.addr", contents_of({stored, others}, Format::kAddressProfile));
    EXPECT_EQ(contents_of({stored, others}, Format::kPreaggregated), result.outputs[0].contents);
    EXPECT_EQ(contents_of({both}, Format::kPreaggregated), result.outputs[0].contents);
  }
}

// Two steps in a library do not make branch records of what is inferred of it.
TEST_F(Convert, GivesEachBinaryTheEvidenceOfItsOwnSteps) {
  const std::string id = "ffffffffffffffffffffffffffffffffffffffff";
  ConvertRequest two =
      request({write("a.data", step_recording(6'000)), write("b.data", step_recording(2, id)),
               write("c.data", clock_recording(50)), write("d.data", clock_recording(50, id))},
              Format::kPreaggregated);
  two.binaries.push_back(write("other", probed_program(id)));
  two.outputs[0].path = path("%b.preagg");
  two.outputs.push_back({Format::kLlvmText, path("both.proftext")});
  const ConvertResult result = convert(two).value();
  EXPECT_EQ(result.evidence, Evidence::kSoftwareBranchRecords);
  ASSERT_EQ(result.binaries.size(), 2u);
  EXPECT_EQ(result.binaries[0].evidence, Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(result.binaries[1].evidence, Evidence::kPcSamples);
  ASSERT_EQ(result.outputs.size(), 3u);
  EXPECT_EQ(result.evidence_of(result.outputs[0]), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(result.evidence_of(result.outputs[1]), Evidence::kPcSamples);
  EXPECT_EQ(result.evidence_of(result.outputs[2]), Evidence::kSoftwareBranchRecords);
}

// The steps of llvm-bolt's input, and those of its output, are too few alone.
TEST_F(Convert, JudgesTheSumOfBinariesByAllOfThem) {
  ConvertRequest both = request({write("a.data", step_recording(3'000)),
                                 write("b.data", step_recording(3'000, kBoltedBuildId)),
                                 write("c.data", clock_recording(50))},
                                Format::kPreaggregated);
  both.binaries.push_back(write("server.bolt", bolted_program()));
  const ConvertResult result = convert(both).value();
  ASSERT_EQ(result.outputs.size(), 1u);
  EXPECT_FALSE(result.outputs[0].counted);
  EXPECT_EQ(relative(result.binaries.at(*result.outputs[0].binary).path), "server");
  EXPECT_EQ(result.evidence_of(result.outputs[0]), Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(result.quality_of(result.outputs[0]), result.quality);
}

// All samples are in the padding between two functions. It is in no function, so no counts are
// inferred.
TEST_F(Convert, NamesPcSamplesBesideSingleStepsThatGaveNothing) {
  const std::string steps = write("a.data", step_recording(10)),
                    samples = write("b.data", pc_recording(50, "cpu-clock:u", 0x120f));
  const ConvertResult result = convert(request({steps, samples}, Format::kPreaggregated)).value();
  EXPECT_FALSE(result.inference);
  EXPECT_EQ(result.outputs[0].contents, contents_of({steps}, Format::kPreaggregated));
  EXPECT_EQ(result.evidence, Evidence::kSoftwareBranchRecords);
  EXPECT_EQ(result.profile.samples[Dropped::kWithoutStack], 50u);
  ASSERT_EQ(result.unused.size(), 1u);
  EXPECT_EQ(relative(result.unused[0].path), "b.data");
  EXPECT_EQ(result.unused[0].reason, "50 samples have no branch records");
}

TEST_F(Convert, WritesNothingItself) {
  ASSERT_TRUE(convert(request({write("a.data", branch_recording(10))}, Format::kLlvm)));
  EXPECT_FALSE(std::filesystem::exists(path("out")));
}

TEST_F(Convert, RefusesToOverwriteAnInput) {
  ConvertRequest same = request({write("a.data", branch_recording(10))}, Format::kLlvm);
  same.outputs[0].path = path("a.data");
  Result<ConvertResult> result = convert(same);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
}

TEST_F(Convert, RefusesRecordingsOfAnotherBuild) {
  ConvertRequest other = request({write("a.data", branch_recording(10))}, Format::kLlvm);
  other.binaries = {write("other", probed_program("ffffffffffffffffffffffffffffffffffffffff"))};
  Result<ConvertResult> result = convert(other);
  ASSERT_FALSE(result);
  EXPECT_NE(error_of(other).find(kProbedBuildId), std::string::npos) << error_of(other);
}

// Its addresses are inside instructions. perf2bolt takes such traces; a compiler's profile has
// none.
TEST_F(Convert, SaysThatNothingIsAtAnInstruction) {
  constexpr uint64_t kMap = 0x400000;
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(map_of_probed_program());
  perf.sample({.pid = 10,
               .time = 2,
               .ip = at(kMap, 0x1205),
               .branches = {{at(kMap, 0x1209), at(kMap, 0x1205)}}});
  const std::string recording = write("a.data", perf.file());
  EXPECT_EQ(error_of(request({recording}, Format::kLlvm)),
            "only 0.0 % of the recorded data is used: 100.0 % of the branch records are in the "
            "binary, but not at an instruction (PLT, data); its build ID was recorded, so this is "
            "the file that ran, and the addresses are in linkage tables or in code that changed "
            "while it ran");
}

TEST_F(Convert, TellsProgress) {
  ConvertRequest watched = request({write("a.data", branch_recording(10))}, Format::kLlvm);
  size_t steps = 0;
  watched.progress = [&](const auto&...) { steps++; };
  ASSERT_TRUE(convert(watched));
  EXPECT_GT(steps, 0u);
}

}  // namespace
}  // namespace pgo::test::convert_test

// ingest() of bundles: files of each kind count by their weights.
#include <gtest/gtest.h>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/ingest/ingest.h"
#include "tests/data/bundle_files.h"
#include "tests/data/probed_program.h"
#include "tests/data/temporary_files.h"

namespace pgo::test::weighted_inputs_test {
namespace {

class WeightedInputs : public TemporaryFiles {
 protected:
  Result<IngestResult> read(const std::string& name) const {
    IngestRequest request;
    PGO_TRY(request.files, find_input_files({path(name)}));
    request.read.jobs = 2;
    return ingest(request, binaries_);
  }
  // Two members that count 1/2 and 3/2.
  IngestResult read_bundle_of(const std::string& light, const std::string& heavy) const {
    write_bundle(path("q"), {{"a", light, {1, 4}}, {"b", heavy, {3, 4}}});
    Result<IngestResult> result = read("q");
    EXPECT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->profile.check(), std::nullopt);
    return *std::move(result);
  }

  std::string server_ = write("bin/server", probed_program());
  BinarySet binaries_ = BinarySet::open({server_}, {}).value();
};

std::string text_of_bytes(const ByteVector& bytes) { return {bytes.begin(), bytes.end()}; }

// `count` samples in a function that no file of the machine has an address of.
std::string symbolized(int64_t count) {
  StackProfile profile;
  auto text = [&](std::string_view words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}};
  FunctionId work = profile.add_function({text("work"), text("work"), text("work.cc"), 1});
  LocationId place = profile.add_location({kNoMapping, RuntimeAddr{0}}, {{work, 3, 0}});
  profile.add_sample({profile.add_stack({place}), profile.add_labels({})}, {count});
  profile.normalize();
  return write_pprof(profile);
}

TEST_F(WeightedInputs, OfRecordingsWithBranchRecords) {
  const IngestResult result =
      read_bundle_of(text_of_bytes(branch_recording(10)), text_of_bytes(branch_recording(100)));
  EXPECT_EQ(result.profile.samples.used, 155u);
  EXPECT_EQ(result.profile.branches.used, 465u);
  for (const Trace& trace : result.profile.binaries[0].traces) EXPECT_EQ(trace.count, 155u);
}

TEST_F(WeightedInputs, OfPcSamples) {
  const IngestResult result =
      read_bundle_of(text_of_bytes(clock_recording(10)), text_of_bytes(clock_recording(100)));
  EXPECT_EQ(result.profile.samples.pending, 155u);
  ASSERT_EQ(result.profile.binaries[0].pc_samples.size(), 1u);
  EXPECT_EQ(result.profile.binaries[0].pc_samples[0].samples, 155u);
}

TEST_F(WeightedInputs, OfAddressProfiles) {
  auto profile = [&](uint64_t count) {
    AddressProfile one;
    BinaryCounts counts;
    counts.id = binaries_.binaries()[0].image->build_id();
    counts.path_hint = server_;
    counts.traces = {{ElfAddr{0x10}, ElfAddr{0x20}, ElfAddr{0x30}, TraceReading::kBoth, count}};
    one.binaries = {counts};
    one.samples.seen = one.samples.used = count;
    one.normalize();
    return write_address_profile(one).value();
  };
  const IngestResult result = read_bundle_of(profile(10), profile(100));
  ASSERT_EQ(result.profile.binaries[0].traces.size(), 1u);
  EXPECT_EQ(result.profile.binaries[0].traces[0].count, 155u);
  EXPECT_EQ(result.profile.samples.seen, 155u);
}

TEST_F(WeightedInputs, OfSymbolizedSamples) {
  IngestResult result = read_bundle_of(symbolized(10), symbolized(101));
  EXPECT_EQ(result.symbolized.counted.samples.pending, 0u);  // they are in `profile`
  EXPECT_EQ(result.profile.samples.pending, 157u);           // 5 + 151.5, rounded
  Diagnostics diagnostics;
  const StackProfile stacks = std::move(result.symbolized.stacks).finish(diagnostics);
  ASSERT_EQ(stacks.samples.size(), 1u);
  EXPECT_EQ(stacks.values_of(0)[0], 157);
}

TEST_F(WeightedInputs, OfEqualWeightsAreAsWithoutABundle) {
  const std::string a = text_of_bytes(branch_recording(10)), b = text_of_bytes(branch_recording(7));
  write_bundle(path("q"), {{"a.data", a, {2, 7}}, {"b.data", b, {2, 7}}});
  write("plain/a.data", a);
  write("plain/b.data", b);
  EXPECT_EQ(read("q").value().profile, read("plain").value().profile);
}

TEST_F(WeightedInputs, RefuseAMemberThatWasChanged) {
  write_bundle(path("q"), {{"a.data", text_of_bytes(branch_recording(10))}});
  std::string changed = text_of_bytes(branch_recording(10));
  changed.back() ^= 1;
  write("q/a.data", changed);
  EXPECT_EQ(text_of(read("q").error()),
            "q/a.data: was changed: its SHA-256 digest is not what its bundle says; fetch the "
            "profiles again");
}

}  // namespace
}  // namespace pgo::test::weighted_inputs_test

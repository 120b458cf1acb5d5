// Bundles as inputs of merge(): members count by their weights.
#include <gtest/gtest.h>

#include "converters/address/address_profile_reader.h"
#include "converters/address/address_profile_writer.h"
#include "pgo/merge/merge.h"
#include "tests/data/bundle_files.h"
#include "tests/data/temporary_files.h"

namespace pgo::bundle_merging_test {
namespace {

class BundleMerging : public test::TemporaryFiles {
 protected:
  MergeRequest request(const std::string& name, Format format = Format::kFolded) const {
    MergeRequest request;
    request.inputs = {path(name)};
    request.outputs = {{format, path("merged")}};
    request.jobs = 2;
    return request;
  }
  std::string merged(const MergeRequest& request) const {
    Result<MergeResult> result = merge(request);
    return result ? result->outputs[0].contents : text_of(result.error());
  }
};

std::string address_profile(uint64_t count) {
  AddressProfile profile;
  BinaryCounts server;
  server.id = *BuildId::from_hex("0102030405060708");
  server.path_hint = "/bin/server";
  server.traces = {{ElfAddr{0x10}, ElfAddr{0x20}, ElfAddr{0x30}, TraceReading::kBoth, count}};
  server.pc_samples = {{ElfAddr{0x18}, count, 10 * count}};
  profile.binaries = {server};
  profile.samples.seen = count;
  profile.samples.used = count;
  profile.normalize();
  return write_address_profile(profile).value();
}

// The count of the one trace, and the samples and their weight at the one address.
std::string counts_of(const std::string& contents) {
  Result<AddressProfile> profile = read_address_profile(
      {reinterpret_cast<const uint8_t*>(contents.data()), contents.size()}, "merged");
  if (!profile) return profile.error().message;
  const BinaryCounts& counts = profile->binaries[0];
  return std::to_string(counts.traces[0].count) + " " +
         std::to_string(counts.pc_samples[0].samples) + " " +
         std::to_string(counts.pc_samples[0].weight) + " of " +
         std::to_string(profile->samples.seen);
}

TEST_F(BundleMerging, MultipliesStacksByRelativeWeights) {
  test::write_bundle(path("q"), {{"a.folded", "a 10\n", {1, 4}}, {"b.folded", "b 10\n", {3, 4}}});
  EXPECT_EQ(merged(request("q")), "a 5\nb 15\n");
}

TEST_F(BundleMerging, RoundsASumOnce) {
  // Each counts 1/2, 3/2 of 1: what is left is not the sum of rounded halves.
  std::vector<test::BundleFile> files;
  for (int i = 0; i < 10; i++)
    files.push_back({std::to_string(i) + ".folded", "a 1\n", {i < 5 ? 1u : 3u, 4}, {}});
  test::write_bundle(path("q"), files);
  EXPECT_EQ(merged(request("q")), "a 10\n");
}

TEST_F(BundleMerging, OfEqualWeightsIsAsWithoutABundle) {
  const std::string a = "main;work 10\nmain 1\n", b = "main;work 33\n";
  test::write_bundle(path("q"), {{"a.folded", a, {5, 7}}, {"b.folded", b, {5, 7}}});
  write("plain/a.folded", a);
  write("plain/b.folded", b);
  EXPECT_EQ(merged(request("q", Format::kPprof)), merged(request("plain", Format::kPprof)));
  const std::string x = address_profile(7), y = address_profile(9);
  test::write_bundle(path("qa"), {{"x.addr", x, {2, 1}}, {"y.addr", y, {2, 1}}});
  write("pa/x.addr", x);
  write("pa/y.addr", y);
  EXPECT_EQ(merged(request("qa", Format::kAddressProfile)),
            merged(request("pa", Format::kAddressProfile)));
}

TEST_F(BundleMerging, MultipliesAddressesAndPcSamples) {
  test::write_bundle(path("q"), {{"x.addr", address_profile(100), {1, 2}},
                                 {"y.addr", address_profile(1000), {3, 2}}});
  EXPECT_EQ(counts_of(merged(request("q", Format::kAddressProfile))), "1550 1550 15500 of 1550");
}

TEST_F(BundleMerging, GoesWithWeightsThatAreGiven) {
  test::write_bundle(path("q"), {{"a.folded", "a 10\n", {1, 4}}, {"b.folded", "b 10\n", {3, 4}}});
  write("c.folded", "c 10\n");
  MergeRequest both = request("q");
  both.inputs.push_back(path("c.folded"));
  both.weights = {{path("q"), {2, 1}, "\xFF{weight} q=2"}};
  EXPECT_EQ(merged(both), "a 10\nb 30\nc 10\n");
}

TEST_F(BundleMerging, GoesWithNormalization) {
  test::write_bundle(path("q"), {{"a.folded", "a 10\n", {1, 4}}, {"b.folded", "b 30\n", {3, 4}}});
  MergeRequest equal = request("q");
  equal.normalization = Normalization::kSamples;
  EXPECT_EQ(merged(equal), "a 10\nb 30\n");  // 20 each, times 1/2 and 3/2
}

TEST_F(BundleMerging, GivesLlvmProfilesTheSmallestWholeWeights) {
  auto profile = [](const char* name) { return std::string(name) + ":100:0\n 1: 100\n"; };
  test::write_bundle(path("q"),
                     {{"a.prof", profile("a"), {1, 4}}, {"b.prof", profile("b"), {3, 4}}});
  EXPECT_EQ(merged(request("q", Format::kLlvmText)), "b:300:0\n 1: 300\na:100:0\n 1: 100\n");
  test::write_bundle(path("e"),
                     {{"a.prof", profile("a"), {3, 4}}, {"b.prof", profile("b"), {3, 4}}});
  EXPECT_EQ(merged(request("e", Format::kLlvmText)), "a:100:0\n 1: 100\nb:100:0\n 1: 100\n");
}

TEST_F(BundleMerging, SaysWhyNothingIsLeft) {
  test::write_bundle(path("q"), {{"a.folded", "a 1\n", {1, 100}}, {"b.folded", "b 0\n", {1, 1}}});
  EXPECT_EQ(merged(request("q")),
            "nothing is left: the inputs count nothing, or what they count is rounded to 0, as the "
            "weight of " +
                std::string("q/a.folded in its bundle is below the mean; "));
}

TEST_F(BundleMerging, RefusesAMemberThatWasChanged) {
  test::write_bundle(path("q"), {{"a.folded", "a 1\n"}, {"b.folded", "b 2\n"}});
  write("q/b.folded", "b 3\n");
  EXPECT_EQ(merged(request("q")),
            "q/b.folded: was changed: its SHA-256 digest is not what its bundle says; fetch the "
            "profiles again");
}

}  // namespace
}  // namespace pgo::bundle_merging_test

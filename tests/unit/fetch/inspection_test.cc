#include "pgo/fetch/inspection.h"

#include <gtest/gtest.h>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "tests/data/small_stacks.h"
#include "tests/data/temporary_files.h"

namespace pgo::inspection_test {
namespace {

constexpr const char* kBuild = "0123456789abcdef0123456789abcdef01234567";

StackProfile cpu_profile() {
  StackProfile profile =
      test::small_stacks({{.stack = {{"scan"}, {"main"}}, .count = 30, .host = "web-1"},
                          {.stack = {{"parse"}, {"main"}}, .count = 10, .host = "web-1"}},
                         "cpu", "nanoseconds");
  profile.mappings[0].build_id = profile.strings.add(kBuild);
  profile.mappings[0].filename = profile.strings.add("/srv/queryd");
  profile.time = 1'000'000;
  profile.duration = 500;
  profile.normalize();
  return profile;
}

class InspectionTest : public test::TemporaryFiles {
 protected:
  Result<InspectedProfile> inspect(std::string_view contents, const std::string& type = "") {
    return inspect_profile(write("blob", contents), "s3://b/p: web-1.pb.gz", {type});
  }
  std::string error_of(std::string_view contents, const std::string& type = "") {
    const Result<InspectedProfile> found = inspect(contents, type);
    return found ? "no error" : text_of(found.error());
  }
};

TEST_F(InspectionTest, SaysWhatAProfileTells) {
  const InspectedProfile found = inspect(gzip(write_pprof(cpu_profile())).value()).value();
  EXPECT_EQ(found.format, Format::kPprof);
  EXPECT_EQ(found.type, "cpu/nanoseconds");
  EXPECT_EQ(found.total, 40);
  EXPECT_EQ(found.program, kBuild);
  EXPECT_EQ(found.builds, (std::vector<InspectedBuild>{{kBuild, 40, 2, "/srv/queryd"}}));
  EXPECT_EQ(found.outside_files, 0);
  EXPECT_EQ(found.window, (TimeWindow{1'000'000, 1'000'500}));
  EXPECT_EQ(found.labels, (Labels{{"host", "web-1"}}));
  EXPECT_EQ(found.evidence, Evidence::kPcSamples);
  EXPECT_EQ(found.leaves.top_name, "scan");
  EXPECT_EQ(found.leaves.top_share, .75);
}

TEST_F(InspectionTest, TakesTimeAndLabelsOfAnAddressProfile) {
  AddressProfile profile;
  BinaryCounts counts;
  counts.id = *BuildId::from_hex(kBuild);
  counts.path_hint = "/srv/queryd";
  counts.pc_samples = {{ElfAddr{0x10}, 3, 3000}};
  profile.binaries.push_back(counts);
  profile.samples.seen = profile.samples.used = 3;
  profile.origins = Origins::of({{"service", "queryd"}}, Origins::Window{1'000'000, 1'000'500});
  const InspectedProfile found = inspect(write_address_profile(profile).value()).value();
  EXPECT_EQ(found.window, (TimeWindow{1'000'000, 1'000'500}));
  EXPECT_EQ(found.labels, (Labels{{"service", "queryd"}}));
  EXPECT_EQ(found.program, kBuild);
}

TEST_F(InspectionTest, TellsTheKernelApart) {
  StackProfile profile = cpu_profile();
  profile.mappings[0].filename = profile.strings.add("[kernel.kallsyms]");
  const InspectedProfile found = inspect(write_pprof(profile)).value();
  EXPECT_EQ(found.outside_files, 1);
  EXPECT_EQ(found.builds[0].path, "[kernel.kallsyms]");
}

TEST_F(InspectionTest, KeepsLabelsThatAllSamplesShare) {
  const std::string contents = write_pprof(test::small_stacks(
      {{.stack = {{"a"}}, .host = "web-1"}, {.stack = {{"b"}}, .host = "web-2"}}));
  EXPECT_EQ(inspect(contents).value().labels, Labels());
}

TEST_F(InspectionTest, TellsFunctionsWithoutAddresses) {
  const InspectedProfile found = inspect("main;scan 3\nmain;parse 1\n").value();
  EXPECT_EQ(found.evidence, Evidence::kFunctionAndLine);
  EXPECT_EQ(found.samples, 4u);
  EXPECT_TRUE(found.program.empty());
}

TEST_F(InspectionTest, TellsWhatDoesNotCountTime) {
  const std::string heap =
      write_pprof(test::small_stacks({{.stack = {{"a"}}, .count = 9}}, "inuse_space", "bytes"));
  EXPECT_FALSE(inspect(heap).value().counts_cpu_time);
  EXPECT_EQ(inspect(heap, "inuse_space").value().type, "inuse_space/bytes");
  EXPECT_EQ(error_of(heap, "alloc_space"),
            "s3://b/p: web-1.pb.gz: does not count alloc_space, but inuse_space/bytes; ");
}

TEST_F(InspectionTest, NamesTheObjectOfAnEmptyAnswer) {
  const std::string idle = gzip(write_pprof(test::small_stacks({}))).value();
  EXPECT_EQ(error_of(idle), "s3://b/p: web-1.pb.gz: no samples in this window; ");
  EXPECT_EQ(inspect(idle).error().kind, ErrorKind::kEmpty);
  EXPECT_EQ(error_of(""),
            "s3://b/p: web-1.pb.gz: is empty; was it cut short, or never finished?; ");
  EXPECT_EQ(inspect("").error().kind, ErrorKind::kInput);
}

TEST_F(InspectionTest, RecognizesALoginPage) {
  const std::string expected =
      "s3://b/p: web-1.pb.gz: is a web page, not a profile; is a login page in front of the "
      "store?";
  EXPECT_EQ(error_of("<!DOCTYPE html><title>Sign in</title>"), expected);
  EXPECT_EQ(error_of("\n  <HTML>\n"), expected);
  EXPECT_EQ(error_of(gzip("<html>").value()), expected);
}

// Cut at any byte, a profile is an error that names the object, and never its file in the cache.
TEST_F(InspectionTest, NamesTheObjectOfAProfileThatIsCut) {
  const std::string whole = gzip(write_pprof(cpu_profile())).value();
  for (size_t size = 1; size < whole.size(); size++) {
    const std::string error = error_of(whole.substr(0, size));
    EXPECT_EQ(error.find("s3://b/p: web-1.pb.gz: "), 0u) << size << ": " << error;
    EXPECT_EQ(error.find("blob"), error.npos) << error;
  }
}

TEST_F(InspectionTest, RefusesOtherFiles) {
  EXPECT_EQ(error_of("\x7f"
                     "ELF\x02\x01\x01")
                .find("s3://b/p: web-1.pb.gz: is an ELF file"),
            0u)
      << error_of(
             "\x7f"
             "ELF\x02\x01\x01");
  EXPECT_EQ(inspect("main:100:10\n 1: 10\n").error().kind, ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace pgo::inspection_test

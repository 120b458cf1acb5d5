#include "pgo/refresh/conversions.h"

#include <gtest/gtest.h>

namespace pgo::conversions_test {
namespace {

const std::string kFirst = "0102030405060708", kSecond = "1112131415161718",
                  kLibrary = "2122232425262728", kMissing = "3132333435363738";

FoundBuild found(const std::string& id, double share, bool is_program = true) {
  return {{.id = *BuildId::from_hex(id), .executable = id}, share, is_program, share};
}

// Two releases of a program and a library; 20 % of the samples are of another release.
FoundBuilds two_releases() {
  FoundBuilds builds;
  builds.builds = {found(kFirst, .7), found(kSecond, .1), found(kLibrary, 0, false)};
  builds.missing = {{kMissing, .2, true}};
  return builds;
}

FetchedProfile profile_of(const std::string& host, const std::vector<std::string>& builds) {
  FetchedProfile profile;
  if (!host.empty()) profile.labels["host"] = host;
  for (const std::string& build : builds) profile.inspected.builds.push_back({build, 5, 5});
  return profile;
}

FetchResult recorded() {
  FetchResult fetched;
  fetched.profiles = {profile_of("a", {kFirst}), profile_of("b", {kLibrary, kSecond}),
                      profile_of("b", {kFirst}), profile_of("c", {kMissing, kLibrary}),
                      profile_of("", {kFirst})};
  fetched.hosts = {"a", "b", "c"};
  return fetched;
}

ConvertResult conversion(Quality quality, uint64_t samples) {
  ConvertResult result;
  result.quality = quality;
  result.density = 60;
  result.split_half_overlap = .9;
  result.profile.samples.used = samples;
  return result;
}

void add_binary(ConvertResult& conversion, const std::string& id, Quality quality) {
  ConvertedBinary& binary = conversion.binaries.emplace_back();
  binary.build_id = *BuildId::from_hex(id);
  binary.quality = quality;
}

BoltProfile bolt_profile(const std::string& library, const std::string& recorded, Quality quality,
                         uint64_t samples) {
  BoltProfile profile;
  profile.library = library;
  profile.recorded = recorded;
  profile.conversion = std::make_shared<ConvertResult>(conversion(quality, samples));
  return profile;
}

// The compile profile of both releases, and a BOLT profile of the second.
ConvertedFiles pair_of_two_releases() {
  ConvertedFiles files;
  files.compile_profile = "q.prof";
  files.compile = std::make_shared<ConvertResult>(conversion(Quality::kGood, 1000));
  files.bolt = {bolt_profile("", kSecond, Quality::kUnknown, 10)};
  add_binary(*files.compile, kFirst, Quality::kGood);
  add_binary(*files.compile, kSecond, Quality::kThin);
  files.compile->binaries[1].density = 3;
  files.compile->binaries[1].split_half_overlap = .5;
  return files;
}

// Without a compile profile: the program's BOLT profile, and that of a library.
ConvertedFiles bolt_alone() {
  ConvertedFiles files;
  files.bolt = {bolt_profile("", kFirst, Quality::kGood, 1000),
                bolt_profile("liba.so", kLibrary, Quality::kThin, 7)};
  return files;
}

TEST(FiguresOf, CountHostsAndSamplesOfArchivedPrograms) {
  const GateFigures figures = figures_of(recorded(), two_releases(), pair_of_two_releases());
  EXPECT_EQ(figures.hosts, 2u);
  EXPECT_DOUBLE_EQ(figures.missing_builds, .2);
  EXPECT_EQ(figures.samples, 1000u);
  EXPECT_EQ(figures.quality, Quality::kGood);
  EXPECT_EQ(figures.density, 60);
  EXPECT_EQ(figures.halves, .9);
}

TEST(FiguresOf, ABoltProfileOfOneBuildHasItsOwn) {
  ConvertedFiles files = pair_of_two_releases();
  GateFigures figures = figures_of(recorded(), two_releases(), files);
  ASSERT_EQ(figures.bolt.size(), 1u);
  EXPECT_EQ(figures.bolt[0].samples, 10u);
  EXPECT_EQ(figures.bolt[0].quality, Quality::kThin);
  EXPECT_EQ(figures.bolt[0].density, 3);
  EXPECT_EQ(figures.bolt[0].halves, .5);
  // One conversion made both.
  files.bolt[0].conversion = files.compile;
  EXPECT_TRUE(figures_of(recorded(), two_releases(), files).bolt.empty());
}

TEST(FiguresOf, ABoltProfileOfALibraryHasItsOwn) {
  ConvertedFiles files = pair_of_two_releases();
  files.bolt.push_back(bolt_profile("liba.so", kLibrary, Quality::kUnknown, 7));
  add_binary(*files.compile, kLibrary, Quality::kFair);
  const GateFigures figures = figures_of(recorded(), two_releases(), files);
  ASSERT_EQ(figures.bolt.size(), 2u);
  EXPECT_EQ(figures.bolt[0].library, "");
  EXPECT_EQ(figures.bolt[0].quality, Quality::kThin);
  EXPECT_EQ(figures.bolt[1].library, "liba.so");
  EXPECT_EQ(figures.bolt[1].quality, Quality::kFair);
  EXPECT_EQ(figures.bolt[1].samples, 7u);
}

// No other conversion has counted the library.
TEST(FiguresOf, WithoutACompileProfileTheyAreThoseOfEachBoltProfile) {
  const GateFigures figures = figures_of(recorded(), two_releases(), bolt_alone());
  EXPECT_FALSE(figures.density);
  EXPECT_EQ(figures.samples, 1000u);
  EXPECT_EQ(figures.quality, Quality::kGood);
  ASSERT_EQ(figures.bolt.size(), 1u);
  EXPECT_EQ(figures.bolt[0].library, "liba.so");
  EXPECT_EQ(figures.bolt[0].quality, Quality::kThin);
  EXPECT_EQ(figures.bolt[0].halves, .9);
  EXPECT_EQ(figures.bolt[0].samples, 7u);
}

// A library is not judged in the place of the program, nor the other way round.
TEST(FiguresOf, AProgramWhoseBoltProfileIsRefusedIsJudgedByItsOwnCounts) {
  ConvertedFiles files = bolt_alone();
  MissingBoltProfile& missing = files.missing_bolt.emplace_back();
  missing.conversion = files.bolt[0].conversion;
  files.bolt.erase(files.bolt.begin());
  EXPECT_FALSE(files.has_profiles()) << "the program's was the only output";
  EXPECT_EQ(figures_of(recorded(), two_releases(), files).samples, 1000u);
  files.compile_profile = "q.prof";
  files.compile = std::make_shared<ConvertResult>(conversion(Quality::kFair, 2000));
  EXPECT_TRUE(files.has_profiles());
  const GateFigures figures = figures_of(recorded(), two_releases(), files);
  EXPECT_EQ(figures.samples, 2000u);
  ASSERT_EQ(figures.bolt.size(), 1u);
  EXPECT_EQ(figures.bolt[0].library, "liba.so");
}

TEST(FiguresOf, InferredCountsHaveNoDensity) {
  ConvertedFiles files = pair_of_two_releases();
  files.compile->inference.emplace();
  files.bolt[0].conversion->evidence = Evidence::kPcSamples;
  const GateFigures figures = figures_of(recorded(), two_releases(), files);
  EXPECT_FALSE(figures.density);
  ASSERT_EQ(figures.bolt.size(), 1u);
  EXPECT_FALSE(figures.bolt[0].density);
  EXPECT_EQ(figures.bolt[0].evidence, Evidence::kPcSamples);
}

// A compile profile always has a density, so that a gate can refuse one of 0.
TEST(FiguresOf, ADensityOfZeroIsKnown) {
  ConvertedFiles files = pair_of_two_releases();
  files.compile->density = 0;
  EXPECT_EQ(figures_of(recorded(), two_releases(), files).density, 0);
}

TEST(FiguresOf, OfGoAreThoseOfTheProfiles) {
  FetchResult fetched = recorded();
  fetched.samples = 25;
  const GateFigures figures = figures_of(fetched, {}, {});
  EXPECT_EQ(figures.hosts, 3u);
  EXPECT_EQ(figures.samples, 25u);
}

TEST(LeaveOutThinBoltProfiles, LeavesTheProgramToTheVersion) {
  ConvertedFiles files = bolt_alone();
  files.compile_profile = "q.prof";
  files.compile = std::make_shared<ConvertResult>(conversion(Quality::kGood, 2000));
  files.bolt.push_back(bolt_profile("libb.so", kSecond, Quality::kGood, 20));
  ServiceGates gates;
  gates.samples = 5000;
  GateFigures figures = figures_of(recorded(), two_releases(), files);
  leave_out_thin_bolt_profiles({}, files, figures);
  ASSERT_EQ(files.bolt.size(), 2u);
  EXPECT_EQ(files.bolt[1].library, "libb.so");
  EXPECT_EQ(figures.bolt.size(), 2u);
  ASSERT_EQ(files.missing_bolt.size(), 1u);
  EXPECT_EQ(describe_missing_bolt_profile(files.missing_bolt[0]),
            "no BOLT profile of liba.so is pinned: min-quality failed (found thin, wanted at least "
            "fair): there are too few samples; record more hosts or a longer time");
  leave_out_thin_bolt_profiles(gates, files, figures);
  ASSERT_EQ(files.bolt.size(), 1u);
  EXPECT_EQ(files.bolt[0].library, "");
  EXPECT_EQ(figures.bolt.size(), 1u) << "the program's fails its gates below";
  EXPECT_TRUE(has_failed(check_gates(gates, figures)));
  // The program does little but call its libraries.
  files.bolt[0].own_share = .09;
  leave_out_thin_bolt_profiles(gates, files, figures);
  EXPECT_TRUE(files.bolt.empty());
  EXPECT_EQ(files.missing_bolt.back().library, "");
  EXPECT_TRUE(figures.bolt.empty());
}

TEST(LeaveOutThinBoltProfiles, KeepsTheOnlyOutput) {
  ConvertedFiles files = bolt_alone();
  files.bolt[0].own_share = .01;
  ServiceGates gates;
  gates.samples = 1000000;
  GateFigures figures = figures_of(recorded(), two_releases(), files);
  leave_out_thin_bolt_profiles(gates, files, figures);
  EXPECT_NE(find_bolt_profile(files.bolt, ""), nullptr);
}

TEST(ConvertedFiles, NameEachConversionOnce) {
  ConvertedFiles files = bolt_alone();
  files.compile = files.bolt[0].conversion;
  files.missing_bolt.emplace_back();  // was not converted
  EXPECT_EQ(files.conversions(), (std::vector<const ConvertResult*>{
                                     files.compile.get(), files.bolt[1].conversion.get()}));
}

}  // namespace
}  // namespace pgo::conversions_test

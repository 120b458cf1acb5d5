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

// The compile profile of both releases, and a BOLT profile of the second.
ConvertedFiles pair_of_two_releases() {
  ConvertedFiles files;
  files.compile_profile = "q.prof";
  files.bolt = {{.path = "q.fdata", .recorded = kSecond, .result = 1}};
  files.results.push_back(conversion(Quality::kGood, 1000));
  files.results.push_back(conversion(Quality::kUnknown, 10));
  ConvertedBinary& first = files.results[0].binaries.emplace_back();
  first.build_id = *BuildId::from_hex(kFirst);
  first.quality = Quality::kGood;
  ConvertedBinary& second = files.results[0].binaries.emplace_back();
  second.build_id = *BuildId::from_hex(kSecond);
  second.quality = Quality::kThin;
  second.density = 3;
  second.split_half_overlap = .5;
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
  files.results.pop_back();
  files.bolt[0].result = 0;
  EXPECT_TRUE(figures_of(recorded(), two_releases(), files).bolt.empty());
  // There is no compile profile, and so no density.
  files.compile_profile.clear();
  figures = figures_of(recorded(), two_releases(), files);
  EXPECT_FALSE(figures.density);
  EXPECT_EQ(figures.samples, 1000u);
}

TEST(FiguresOf, ABoltProfileOfALibraryHasItsOwn) {
  ConvertedFiles files = pair_of_two_releases();
  files.bolt.push_back(
      {.library = "liba.so", .path = "q.liba.so.fdata", .recorded = kLibrary, .result = 2});
  files.results.push_back(conversion(Quality::kUnknown, 7));
  ConvertedBinary& library = files.results[0].binaries.emplace_back();
  library.build_id = *BuildId::from_hex(kLibrary);
  library.quality = Quality::kFair;
  const GateFigures figures = figures_of(recorded(), two_releases(), files);
  ASSERT_EQ(figures.bolt.size(), 2u);
  EXPECT_EQ(figures.bolt[0].library, "");
  EXPECT_EQ(figures.bolt[0].quality, Quality::kThin);
  EXPECT_EQ(figures.bolt[1].library, "liba.so");
  EXPECT_EQ(figures.bolt[1].quality, Quality::kFair);
  EXPECT_EQ(figures.bolt[1].samples, 7u);
}

// A compile profile always has a density, so that a gate can refuse one of 0.
TEST(FiguresOf, ADensityOfZeroIsKnown) {
  ConvertedFiles files = pair_of_two_releases();
  files.results[0].density = 0;
  EXPECT_EQ(figures_of(recorded(), two_releases(), files).density, 0);
}

TEST(FiguresOf, OfGoAreThoseOfTheProfiles) {
  FetchResult fetched = recorded();
  fetched.samples = 25;
  const GateFigures figures = figures_of(fetched, {}, {});
  EXPECT_EQ(figures.hosts, 3u);
  EXPECT_EQ(figures.samples, 25u);
}

}  // namespace
}  // namespace pgo::conversions_test

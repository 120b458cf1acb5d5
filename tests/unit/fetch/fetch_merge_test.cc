#include "pgo/fetch/fetch.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/bytes.h"
#include "pgo/base/gzip.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/source/input_bytes.h"
#include "tests/data/small_stacks.h"
#include "tests/unit/fetch/fetch_fixture.h"
namespace pgo::fetch_merge_test {
namespace {

namespace fs = std::filesystem;
using test::kNew;
using test::kOld;
using test::profile;

using FetchMergeTest = test::FetchTest;

int64_t total_in(const std::string& path) {
  InputBytes input = InputBytes::open(path).value();
  Diagnostics diagnostics;
  StackProfile stacks = read_stack_profile(input, diagnostics).value();
  return total_of(stacks, 0);
}

TEST_F(FetchMergeTest, MergesTheProfilesOfEachBuild) {
  for (const char* host : {"web-1", "web-2"}) add(host, "10", profile("scan", 600, kOld));
  add("web-1", "11", profile("scan", 900, kNew));
  request_.form = BundleForm::kMerged;
  const FetchResult result = fetch(request_).value();
  ASSERT_EQ(result.bundle.members.size(), 2u);
  const BundleMember& old = result.bundle.members[0];
  EXPECT_EQ(old.path, std::string("profiles/") + kOld + ".pb.gz");
  EXPECT_EQ(old.object, "merged of 2 profiles");
  EXPECT_EQ(old.samples, 1200u);
  EXPECT_EQ(old.labels, (Labels{{"hour", "2026-11-26T10"}}));
  EXPECT_EQ(old.builds, std::vector<std::string>{kOld});
  EXPECT_EQ(old.build_samples, std::vector<uint64_t>{1200});
  EXPECT_EQ(old.merged, (MergedProfiles{2, {{"host", {{"web-1", 1}, {"web-2", 1}}}}}));
  EXPECT_EQ(total_in(path("b/" + old.path)), 1200);
  EXPECT_EQ(total_in(path("b/" + result.bundle.members[1].path)), 900);
}

// A profile with samples in the kernel, which is mapped second; perhaps with a label.
StackProfile in_kernel(int64_t count, int64_t of_kernel, const std::string& key = "",
                       const std::string& text = "") {
  StackProfile stacks =
      test::small_stacks({{.stack = {{"scan"}}, .count = count, .host = text},
                          {.stack = {{"read", "", "vmlinux"}}, .count = of_kernel, .host = text}});
  stacks.mappings[0].build_id = stacks.strings.add(kOld);
  stacks.mappings[1].build_id = stacks.strings.add(kNew);
  FlatLists<StackLabel> renamed;
  for (size_t set = 0; set < stacks.labels.size(); set++) {
    for (StackLabel label : stacks.labels[set]) {
      label.key = stacks.strings.add(key);
      renamed.push(label);
    }
    renamed.end_list();
  }
  stacks.labels = std::move(renamed);
  stacks.normalize();
  return stacks;
}

TEST_F(FetchMergeTest, CountsTheSamplesOfEachBuildOfAMember) {
  add("web-1", "10", gzip(write_pprof(in_kernel(100, 900))).value());
  add("web-2", "10", gzip(write_pprof(in_kernel(700, 300))).value());
  for (const BundleForm form : {BundleForm::kProfiles, BundleForm::kMerged}) {
    request_.form = form;
    uint64_t of_old = 0, of_new = 0;
    const Bundle bundle = fetch(request_).value().bundle;
    for (const BundleMember& member : bundle.members)
      for (size_t i = 0; i < member.builds.size(); i++)
        (member.builds[i] == kOld ? of_old : of_new) += member.build_samples.at(i);
    EXPECT_EQ(of_old, 800u);
    EXPECT_EQ(of_new, 1200u);
  }
  const Bundle merged = *read_bundle(path("b")).value();
  EXPECT_EQ(merged.members[0].builds,
            (std::vector<std::string>{kNew, kOld}));  // most samples first
}

std::set<std::string> label_keys(const std::string& path) {
  Diagnostics diagnostics;
  StackProfile stacks = read_stack_profile(InputBytes::open(path).value(), diagnostics).value();
  std::set<std::string> keys;
  for (size_t set = 0; set < stacks.labels.size(); set++)
    for (const StackLabel& label : stacks.labels[set]) keys.emplace(stacks.text(label.key));
  return keys;
}

TEST_F(FetchMergeTest, KeepsAllowedLabelsWhenItMerges) {
  add("web-1", "10", gzip(write_pprof(in_kernel(100, 10, "user", "ann"))).value());
  add("web-2", "10", gzip(write_pprof(in_kernel(110, 20, "session", "17"))).value());
  request_.form = BundleForm::kMerged;
  const std::string merged = path("b/profiles/" + std::string(kOld) + ".pb.gz");
  ASSERT_TRUE(fetch(request_));
  EXPECT_EQ(label_keys(merged), std::set<std::string>());
  request_.allowed_labels = {"user"};
  const FetchResult result = fetch(request_).value();
  EXPECT_EQ(label_keys(merged), std::set<std::string>{"user"});
  // What looking into the profiles has told is not told again by the merge.
  EXPECT_EQ(result.diagnostics.entries().at(kUserLabels).count, 1u);
}

TEST_F(FetchMergeTest, TellsWhatTheMergeWarnsOf) {
  // Of two hosts that tell no time themselves, equal profiles may be two.
  const std::string same = profile("scan", 600, kOld);
  for (const char* host : {"web-1", "web-2"}) add(host, "10", same);
  request_.form = BundleForm::kMerged;
  const FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.diagnostics.entries().at("copy").messages,
            std::vector<std::string>{"s3://bucket/p: web-2/10: is a copy of s3://bucket/p: "
                                     "web-1/10, and both are counted; leave one out"});
}

// A signal ends the merge at once, and there is nothing to remove.
TEST_F(FetchMergeTest, CanBeEndedWhileItMerges) {
  for (const char* host : {"web-1", "web-2"}) add(host, "10", profile("scan", 600 + host[4], kOld));
  request_.form = BundleForm::kMerged;
  request_.jobs = 1;
  int told = 0;
  request_.progress = [&](const Progress& progress) {
    if (progress.what != "merging") return;
    told++;
    sigset_t blocked;
    ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, nullptr, &blocked), 0);
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) EXPECT_EQ(::sigismember(&blocked, signal), 0);
    for (const auto& entry : fs::directory_iterator(directory()))
      EXPECT_EQ(entry.path().filename(), "cache");
  };
  ASSERT_TRUE(fetch(request_));
  EXPECT_EQ(told, 2);
  EXPECT_TRUE(is_written());
}

TEST_F(FetchMergeTest, NamesObjectsInErrorsOfTheMerge) {
  add("web-1", "10", profile("scan", 600, kOld));
  StackProfile other = test::small_stacks({{.stack = {{"scan"}}, .count = 610}});
  other.mappings[0].build_id = other.strings.add(kOld);
  other.period_type = {other.strings.add("cpu"), other.strings.add("nanoseconds")};
  add("web-2", "10", gzip(write_pprof(other)).value());
  request_.form = BundleForm::kMerged;
  request_.jobs = 1;
  EXPECT_EQ(error(),
            "s3://bucket/p: web-2/10: counts samples/count by a period of cpu/nanoseconds, but "
            "s3://bucket/p: web-1/10 counts samples/count; \xFF{sample-type} chooses one that both "
            "have; ");
  EXPECT_FALSE(is_written());
}

// What each member counts when its bundle is an input, of all.
std::map<std::string, double> build_shares(const Bundle& bundle, const std::string& directory) {
  const std::vector<RelativeWeight> weights = relative_weights(bundle);
  std::map<std::string, double> shares;
  double total = 0;
  for (size_t i = 0; i < weights.size(); i++) {
    const BundleMember& member = bundle.members[i];
    const double counts =
        weights[i].value() * static_cast<double>(total_in(directory + "/" + member.path));
    shares[member.builds.at(0)] += counts;
    total += counts;
  }
  for (auto& [build, share] : shares) share /= total;
  return shares;
}

// The profiles of one build stand for four times as many as those of the other, and one profile
// for twice as many as another of its build.
TEST_F(FetchMergeTest, KeepsTheWeightsBetweenBuildsWhenItMerges) {
  const struct {
    const char *host, *build;
    int listed;
  } kStrata[] = {{"web-1", kOld, 1}, {"web-2", kOld, 2}, {"web-3", kNew, 6}, {"web-4", kNew, 6}};
  for (const auto& [host, build, listed] : kStrata)
    for (int number = 0; number < listed; number++)
      source_.add(host + ("/" + std::to_string(number)), {{"host", host}},
                  profile("scan", 6000, build));
  request_.selection.max_profiles = 4;
  const Bundle separate = fetch(request_).value().bundle;
  ASSERT_EQ(separate.members.size(), 4u);
  const std::map<std::string, double> shares = build_shares(separate, path("b"));
  EXPECT_NEAR(shares.at(kNew), .8, 1e-9);

  request_.form = BundleForm::kMerged;
  request_.output = path("merged");
  const Bundle merged = fetch(request_).value().bundle;
  ASSERT_EQ(merged.members.size(), 2u);
  EXPECT_EQ(*read_bundle(path("merged")).value(), merged);
  EXPECT_EQ(merged.members[0].weight, (Weight{2, 5}));
  EXPECT_EQ(merged.members[1].weight, (Weight{8, 5}));
  const std::map<std::string, double> of_merged = build_shares(merged, path("merged"));
  EXPECT_NEAR(of_merged.at(kOld), shares.at(kOld), 1e-9);
  EXPECT_NEAR(of_merged.at(kNew), shares.at(kNew), 1e-9);
}

}  // namespace
}  // namespace pgo::fetch_merge_test

#include "pgo/fetch/fetch.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/bytes.h"
#include "pgo/base/gzip.h"
#include "pgo/base/sha256.h"
#include "pgo/fetch/fleet_figures.h"
#include "pgo/ingest/stack_input.h"
#include "pgo/profile/stack_selection.h"
#include "pgo/source/input_bytes.h"
#include "tests/data/memory_source.h"
#include "tests/data/small_stacks.h"
#include "tests/data/temporary_files.h"

namespace pgo::fetch_test {
namespace {

namespace fs = std::filesystem;

constexpr const char *kOld = "0000000000000000000000000000000000000001",
                     *kNew = "0000000000000000000000000000000000000002";

// A profile without samples.
const std::string kIdle = gzip(write_pprof(test::small_stacks({}))).value();

// A profile of `count` samples of `function`.
std::string profile(const std::string& function, int64_t count, const std::string& build = "",
                    int64_t time = 0) {
  StackProfile stacks =
      test::small_stacks({{.stack = {{function}, {"main"}}, .count = count}}, "samples");
  if (!build.empty()) stacks.mappings[0].build_id = stacks.strings.add(build);
  stacks.time = time;
  static int recordings = 0;  // no two have the same contents
  stacks.comments.push_back(stacks.strings.add("recording " + std::to_string(++recordings)));
  stacks.normalize();
  return gzip(write_pprof(stacks)).value();
}

class FetchTest : public test::TemporaryFiles {
 protected:
  FetchTest() {
    request_.sources = {&source_};
    request_.output = path("b");
    request_.cache = path("cache");
    request_.jobs = 2;
  }
  void add(const std::string& host, const std::string& hour, const std::string& contents) {
    source_.add(host + "/" + hour, {{"host", host}, {"hour", "2026-11-26T" + hour}}, contents);
  }
  std::string error() {
    const Result<FetchResult> result = fetch(request_);
    return result ? "no error" : text_of(result.error());
  }
  bool is_written() const { return fs::exists(path("b")); }

  test::MemorySource source_{"s3://bucket/p"};
  FetchRequest request_;
};

TEST_F(FetchTest, RefusesASourceThatIsGivenTwice) {
  add("web-1", "10", profile("scan", 600, kNew));
  test::MemorySource same("s3://bucket/p"), other("s3://bucket/q");
  request_.sources = {&source_, &other, &same};
  EXPECT_EQ(error(), "s3://bucket/p: is given twice; name each source once");
  test::MemorySource link("s3://bucket/./p", "s3://bucket/p");
  request_.sources = {&source_, &other, &link};
  EXPECT_EQ(error(), "s3://bucket/./p: is the same place as s3://bucket/p; name each source once");
  EXPECT_FALSE(is_written());
  request_.sources = {&source_, &other};
  EXPECT_EQ(error(), "no error");
}

TEST_F(FetchTest, WritesABundle) {
  add("web-1", "10", profile("scan", 600, kNew));
  add("web-2", "10", profile("scan", 700, kNew));
  request_.path_template = "{host}/{hour}";
  const FetchResult result = fetch(request_).value();
  EXPECT_TRUE(result.is_written);
  EXPECT_EQ(result.samples, 1300u);
  EXPECT_EQ(result.hosts, (std::set<std::string>{"web-1", "web-2"}));
  EXPECT_EQ(result.sample_type, "samples/count");
  EXPECT_EQ(result.quality, Quality::kWeak);
  const Bundle bundle = *read_bundle(path("b")).value();
  EXPECT_EQ(bundle, result.bundle);
  EXPECT_EQ(bundle.query, (Labels{{"path-template", "{host}/{hour}"}}));
  ASSERT_EQ(bundle.members.size(), 2u);
  for (const BundleMember& member : bundle.members) {
    EXPECT_EQ(fs::file_size(path("b/" + member.path)), member.size);
    EXPECT_EQ(member.source, "s3://bucket/p");
    EXPECT_EQ(member.builds, std::vector<std::string>{kNew});
    EXPECT_EQ(member.weight, Weight());
    EXPECT_EQ(member.window_evidence, TimeEvidence::kName);
  }
}

TEST_F(FetchTest, FetchesOnlyOnce) {
  add("web-1", "10", profile("scan", 600));
  add("web-2", "10", profile("scan", 700));
  ASSERT_TRUE(fetch(request_));
  source_.objects()[0].version = "2";
  const FetchResult again = fetch(request_).value();
  EXPECT_EQ(again.downloaded, 1u);
  EXPECT_EQ(again.found, 1u);
  EXPECT_EQ(source_.fetched(), (std::vector<std::string>{"web-1/10", "web-2/10", "web-1/10"}));
}

// Equal bytes are one recording, unless they are of hosts that differ and tell no time.
TEST_F(FetchTest, CountsCopiesOnce) {
  const std::string copied = profile("scan", 600), of_a_time = profile("scan", 600, kNew, 5);
  add("web-1", "10", copied);
  add("web-1", "11", copied);
  add("web-2", "10", copied);
  add("web-3", "10", of_a_time);
  add("web-4", "10", of_a_time);
  test::MemorySource other("s3://copy");
  other.add("web-1/10", {{"host", "web-1"}}, copied);
  request_.sources = {&other, &source_};
  request_.missing = MissingAction::kFail;
  const FetchResult result = fetch(request_).value();
  std::vector<std::string> objects;
  for (const FetchedProfile& one : result.profiles)
    objects.push_back(one.candidate.source_name + " " + one.candidate.object.name);
  EXPECT_EQ(objects, (std::vector<std::string>{"s3://bucket/p web-1/10", "s3://bucket/p web-2/10",
                                               "s3://bucket/p web-3/10"}));
  ASSERT_EQ(result.excluded.size(), 3u);
  EXPECT_EQ(result.excluded[0].why, Exclusion::kSameContents);
  EXPECT_EQ(result.diagnostics.entries().at(kSameContents).messages,
            (std::vector<std::string>{
                "s3://copy: web-1/10: has the same contents as s3://bucket/p: web-1/10, so both "
                "count once",
                "s3://bucket/p: web-1/11: has the same contents as s3://bucket/p: web-1/10, so "
                "both count once",
                "s3://bucket/p: web-4/10: has the same contents as s3://bucket/p: web-3/10, so "
                "both count once"}));
}

// Two places of one name: the same store behind another endpoint.
TEST_F(FetchTest, TakesNothingOfAnotherPlaceFromTheCache) {
  add("web-1", "10", profile("scan", 600));
  ASSERT_TRUE(fetch(request_));
  test::MemorySource other("s3://bucket/p", "s3://bucket/p at http://localhost");
  other.add("web-1/10", {{"host", "web-1"}}, profile("parse", 600));
  request_.sources = {&other};
  EXPECT_EQ(fetch(request_).value().found, 0u);
}

TEST_F(FetchTest, GivesTheSameBundleWhateverTheOrder) {
  for (const char* host : {"a", "b", "c", "d"})
    for (const char* hour : {"10", "11", "12"})
      add(host, hour, profile("scan", 600 + host[0] + hour[1]));
  request_.selection.max_profiles = 7;
  const std::string first = bundle_text(fetch(request_).value().bundle);
  std::reverse(source_.objects().begin(), source_.objects().end());
  EXPECT_EQ(bundle_text(fetch(request_).value().bundle), first);
  request_.jobs = 1;
  EXPECT_EQ(bundle_text(fetch(request_).value().bundle), first);
}

// 1 of 4 profiles of an hour stands for all of them; profiles that are missing do not change that.
TEST_F(FetchTest, WeighsForWhatWasNotChosenAndForWhatIsMissing) {
  for (const char* number : {"1", "2", "3", "4"})
    source_.add(std::string("web-1/") + number, {{"host", "web-1"}, {"hour", "2026-11-26T10"}},
                profile("scan", 600));
  add("web-2", "10", profile("scan", 600));
  for (const char* number : {"1", "2"})
    source_.fail_object(std::string("web-1/") + number, {ErrorKind::kIo, "refused"});
  const FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.missing(), 2u);
  ASSERT_EQ(result.profiles.size(), 3u);
  // 2, 2 and 1, of a mean of 5/3.
  EXPECT_EQ(result.profiles[0].weight, (Weight{6, 5}));
  EXPECT_EQ(result.profiles[2].weight, (Weight{3, 5}));
}

TEST_F(FetchTest, SaysWhatIsMissing) {
  add("web-1", "10", profile("scan", 600));
  add("web-2", "10", "<html>please log in</html>");
  add("web-3", "10", profile("scan", 600));
  source_.fail_object("web-3/10", {ErrorKind::kIo, "s3://bucket/p: web-3/10: connection reset"});
  FetchResult result = fetch(request_).value();
  ASSERT_EQ(result.excluded.size(), 2u);
  EXPECT_EQ(result.excluded[0].text,
            "s3://bucket/p: web-3/10: connection reset (recorded 2026-11-26T10:00:00Z)");
  EXPECT_EQ(result.excluded[1].text,
            "s3://bucket/p: web-2/10: is a web page and no profile (recorded "
            "2026-11-26T10:00:00Z)");
  request_.missing = MissingAction::kFail;
  EXPECT_EQ(error(),
            "2 of 3 profiles are missing (1 not-fetched, 1 damaged); the first: s3://bucket/p: "
            "web-3/10: connection reset (recorded 2026-11-26T10:00:00Z); ");
}

// Whatever a store lists as a profile should be one: an error that it answers with 200, say.
TEST_F(FetchTest, CountsWhateverIsNoProfileAsMissing) {
  add("web-0", "10", profile("scan", 600));
  add("web-1", "10", "");
  add("web-2", "10", R"({"error": "denied"})");
  add("web-3", "10", "upstream request timeout");
  add("web-4", "10", "<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>");
  add("web-5", "10", gzip("").value());
  // These are profiles, which are left out for what they are.
  add("web-6", "10", kIdle);
  add("web-7", "10",
      write_pprof(test::small_stacks({{.stack = {{"a"}}, .count = 9}}, "inuse_space", "bytes")));
  request_.limits.missing = .6;
  FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 1u);
  EXPECT_EQ(result.missing(), 5u);
  EXPECT_EQ(count_exclusions(result),
            (std::vector<std::pair<Exclusion, uint64_t>>{{Exclusion::kUnsupported, 3},
                                                         {Exclusion::kDamaged, 2},
                                                         {Exclusion::kEmpty, 1},
                                                         {Exclusion::kOtherType, 1}}));
  EXPECT_EQ(result.failed_limits,
            std::vector<std::string>{
                "62.5 % of the chosen profiles are missing, and at most 60.0 % are accepted"});
  request_.missing = MissingAction::kFail;
  EXPECT_TRUE(
      error().starts_with("5 of 8 profiles are missing (3 no-profile, 2 damaged); the "
                          "first: s3://bucket/p: web-1/10: is empty; was it cut short"))
      << error();
}

TEST_F(FetchTest, SaysThatAWindowHasNoSamples) {
  add("web-1", "10", kIdle);
  EXPECT_EQ(error(),
            "s3://bucket/p: web-1/10: no samples in this window (recorded 2026-11-26T10:00:00Z); ");
  add("web-2", "10", kIdle);
  request_.query.window = TimeWindow{1'795'687'200'000'000'000, 1'795'690'800'000'000'000};
  EXPECT_EQ(error(),
            "none of 2 profiles has samples in this window; the first: s3://bucket/p: web-1/10: no "
            "samples in this window (from 2026-11-26T10:00:00Z to 2026-11-26T11:00:00Z); ");
  EXPECT_FALSE(is_written());
}

TEST_F(FetchTest, SaysWhyNothingIsChosen) {
  request_.query.window = TimeWindow{1'795'687'200'000'000'000, 1'795'690'800'000'000'000};
  EXPECT_EQ(error(),
            "s3://bucket/p: no profiles are there, of any time; is the path, or the prefix, "
            "spelled right?");
  request_.query.window.reset();
  add("web-1", "10", profile("scan", 1));
  request_.query.labels = {{"host", "web-2"}};
  EXPECT_EQ(error(),
            "s3://bucket/p: the only profile is not what is asked for: 1 with other labels; ");
  add("web-3", "10", profile("scan", 1));
  EXPECT_EQ(error(),
            "s3://bucket/p: none of 2 profiles is what is asked for: 2 with other labels; ");
}

TEST_F(FetchTest, TakesLabelsFromTheProfiles) {
  StackProfile stacks =
      test::small_stacks({{.stack = {{"scan"}}, .count = 5, .host = "web-1"}}, "samples");
  source_.add("1", {}, write_pprof(stacks));
  source_.add("2", {}, profile("scan", 5));
  request_.query.labels = {{"host", "web-1"}};
  const FetchResult result = fetch(request_).value();
  ASSERT_EQ(result.profiles.size(), 1u);
  EXPECT_EQ(result.bundle.members[0].labels, (Labels{{"host", "web-1"}}));
  ASSERT_EQ(result.excluded.size(), 1u);
  EXPECT_EQ(result.excluded[0].text, "s3://bucket/p: 2: does not tell its host");
}

// Neither the bundle nor the result has what may name users.
TEST_F(FetchTest, StoresNoLabelsOfUsers) {
  StackProfile stacks = test::small_stacks(
      {{.stack = {{"scan", "/home/builder/src/scan.cc"}}, .count = 600, .host = "alice"}});
  const StringId user = stacks.strings.add("user_id");
  for (size_t set = 0; set < stacks.labels.size(); set++)
    for (StackLabel& label : stacks.labels.at(set)) label.key = user;
  stacks.normalize();
  source_.add("1", {{"host", "web-1"}, {"email", "bob"}}, gzip(write_pprof(stacks)).value());
  request_.trimmed_paths = {"/home/builder"};
  const FetchResult result = fetch(request_).value();
  const BundleMember& member = result.bundle.members[0];
  EXPECT_EQ(member.labels, (Labels{{"host", "web-1"}}));
  InputBytes input = InputBytes::open(path("b/" + member.path)).value();
  EXPECT_EQ(input.file().size(), member.size);
  EXPECT_EQ("sha256:" + Sha256::hex_of(input.file()), member.digest);
  const std::string contents(as_text(input.contents()));
  EXPECT_EQ(contents.find("alice"), contents.npos);
  EXPECT_EQ(contents.find("builder"), contents.npos);
  EXPECT_NE(contents.find("src/scan.cc"), contents.npos);
  EXPECT_EQ(bundle_text(result.bundle).find("bob"), std::string::npos);
  EXPECT_EQ(result.diagnostics.entries().at(kUserLabels).messages,
            (std::vector<std::string>{
                "s3://bucket/p: 1: left out labels that may name users: 'user_id' "
                "(\xFF{allow-label} KEY keeps one)",
                "the listing of s3://bucket/p: left out labels that may name users: 'email' "
                "(\xFF{allow-label} KEY keeps one)"}));
  request_.allowed_labels = {"email"};
  EXPECT_EQ(fetch(request_).value().bundle.members[0].labels,
            (Labels{{"email", "bob"}, {"host", "web-1"}}));
}

TEST_F(FetchTest, RefusesProfilesThatCountDifferentTime) {
  add("web-1", "10", profile("scan", 5));
  add("web-2", "10",
      write_pprof(test::small_stacks({{.stack = {{"a"}}, .count = 9}}, "cycles", "count")));
  EXPECT_EQ(error(),
            "the profiles count different things: cycles/count (1 profile), samples/count (1 "
            "profile); choose one with \xFF{sample-type}");
}

TEST_F(FetchTest, PrefersTimeOnTheCpu) {
  const std::string heap =
      write_pprof(test::small_stacks({{.stack = {{"a"}}, .count = 9}}, "inuse_space", "bytes"));
  add("web-1", "10", heap);
  EXPECT_EQ(fetch(request_).value().sample_type, "inuse_space/bytes");
  add("web-2", "10", profile("scan", 5));
  const FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.sample_type, "samples/count");
  ASSERT_EQ(result.excluded.size(), 1u);
  EXPECT_EQ(result.excluded[0].text,
            "s3://bucket/p: web-1/10: counts inuse_space/bytes, and not time on the CPU (recorded "
            "2026-11-26T10:00:00Z)");
  request_.query.sample_type = "inuse_space";
  EXPECT_EQ(fetch(request_).value().profiles.size(), 1u);
}

TEST_F(FetchTest, LeavesOutSmallOldBuilds) {
  add("web-1", "05", profile("scan", 10, kOld));
  for (const char* host : {"web-1", "web-2"})
    for (const char* hour : {"10", "11"}) add(host, hour, profile("scan", 600, kNew));
  const FetchResult result = fetch(request_).value();
  ASSERT_EQ(result.builds.size(), 2u);
  EXPECT_EQ(result.builds[0].id, kNew);
  EXPECT_EQ(result.builds[0].share, 1);
  EXPECT_EQ(result.builds[1].id, kOld);
  EXPECT_TRUE(result.builds[1].is_left_out);
  ASSERT_EQ(result.excluded.size(), 1u);
  EXPECT_EQ(result.excluded[0].text,
            std::string("s3://bucket/p: web-1/05: is of the build ") + kOld +
                ", which has 0.4 % of the samples and ended hours before a larger one (recorded "
                "2026-11-26T05:00:00Z)");
  request_.old_builds = OldBuildAction::kKeep;
  const FetchResult all = fetch(request_).value();
  EXPECT_EQ(all.profiles.size(), 5u);
  EXPECT_FALSE(all.builds[1].is_left_out);
}

// Its last profile is older than that of the other build, but only by chance.
TEST_F(FetchTest, KeepsCanaries) {
  constexpr int64_t kTen = 1'795'687'200'000'000'000, kMinute = 60'000'000'000;
  for (int i = 0; i < 4; i++)
    add("web-" + std::to_string(i), "10", profile("scan", 600, kOld, kTen + i * kMinute));
  add("canary", "10", profile("scan", 10, kNew, kTen + kMinute));
  FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 5u);
  EXPECT_TRUE(result.excluded.empty());
  // One second less than six hours.
  add("web-1", "16", profile("scan", 600, kOld, kTen + 361 * kMinute - 1'000'000'000));
  EXPECT_EQ(fetch(request_).value().profiles.size(), 6u);
  add("web-2", "16", profile("scan", 600, kOld, kTen + 361 * kMinute));
  result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 6u);
  ASSERT_EQ(result.excluded.size(), 1u);
  EXPECT_EQ(result.excluded[0].why, Exclusion::kSmallOldBuild);
}

TEST_F(FetchTest, KeepsSmallNewBuilds) {
  for (const char* hour : {"10", "11"}) add("web-1", hour, profile("scan", 600, kOld));
  add("web-1", "12", profile("scan", 10, kNew));
  EXPECT_EQ(fetch(request_).value().profiles.size(), 3u);
}

TEST_F(FetchTest, DropsOutliersWhenAsked) {
  for (int i = 0; i < 8; i++)
    add("web-" + std::to_string(i), "10", profile(i == 3 ? "spin" : "scan", 1000));
  FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 8u);
  EXPECT_TRUE(result.profiles[3].peers->is_outlier);
  request_.outliers = OutlierAction::kDrop;
  result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 7u);
  ASSERT_EQ(result.excluded.size(), 1u);
  EXPECT_EQ(result.excluded[0].text,
            "s3://bucket/p: web-3/10: overlaps by 0.0 % with the median of 7 others, where 100.0 % "
            "is expected; 100.0 % of its time is in spin (recorded 2026-11-26T10:00:00Z)");
}

TEST_F(FetchTest, WritesNoBundleWhenALimitIsNotKept) {
  add("web-1", "10", profile("scan", 600));
  request_.limits.hosts = 2;
  request_.limits.samples = 600;
  const FetchResult result = fetch(request_).value();
  EXPECT_FALSE(result.is_written);
  EXPECT_EQ(result.failed_limits, std::vector<std::string>{"1 host, and at least 2 are required"});
  EXPECT_FALSE(is_written());
}

TEST_F(FetchTest, TakesTheSourcesThatAnswer) {
  test::MemorySource broken("s3://other");
  broken.fail_listing({ErrorKind::kIo, "s3://other: connection refused"});
  add("web-1", "10", profile("scan", 600));
  request_.sources = {&broken, &source_};
  const FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 1u);
  EXPECT_EQ(result.diagnostics.entries().at("source-not-listed").messages,
            std::vector<std::string>{"s3://other: connection refused"});
  request_.sources = {&broken};
  EXPECT_EQ(error(), "s3://other: connection refused; ");
  request_.sources = {&broken, &source_};
  request_.missing = MissingAction::kFail;
  EXPECT_EQ(error(), "s3://other: connection refused; ");
}

constexpr int64_t kTen = 1'795'687'200'000'000'000, kHour = int64_t{3600} * 1'000'000'000;

// The time of a profile itself decides about the window, whatever its name and its upload say.
TEST_F(FetchTest, KeepsToTheWindowByTheTimesOfProfiles) {
  auto upload = [&](const std::string& name, int64_t uploaded, int64_t recorded) {
    SourceObject object;
    object.name = name;
    object.labels = {{"host", name}};
    object.time = uploaded;
    object.time_evidence = TimeEvidence::kModified;
    source_.add(object, profile("scan", 600, "", recorded));
  };
  upload("in", kTen + 3 * kHour - 1, kTen + kHour - 1);
  upload("late", kTen + kHour, kTen + kHour);
  upload("early", kTen, kTen - 1);
  upload("timeless-in", kTen + kHour - 1, 0);
  upload("timeless-late", kTen + kHour, 0);
  upload("much-later", kTen + 3 * kHour, kTen);
  add("by-name", "09", profile("scan", 600, "", kTen));
  add("by-name", "10", profile("scan", 600, "", kTen + kHour));
  request_.query.window = TimeWindow{kTen, kTen + kHour};
  // By the name alone, the hour that began at nine is not in this window.
  request_.query.window->begin -= 1;
  const FetchResult result = fetch(request_).value();
  std::set<std::string> names;
  for (const FetchedProfile& one : result.profiles) names.insert(one.candidate.object.name);
  EXPECT_EQ(names, (std::set<std::string>{"by-name/09", "early", "in", "timeless-in"}));
  EXPECT_EQ(result.not_asked.at(NotAsked::kWindow), 1u);
  ASSERT_EQ(result.excluded.size(), 3u);
  EXPECT_EQ(result.excluded[1].text,
            "s3://bucket/p: late: was recorded from 2026-11-26T11:00:00Z to 2026-11-26T11:00:00Z "
            "(from 2026-11-26T09:59:59.999999999Z to 2026-11-26T11:00:00Z)");
  EXPECT_EQ(result.excluded[2].text,
            "s3://bucket/p: timeless-late: tells no time, and its store tells "
            "2026-11-26T11:00:00Z (from 2026-11-26T09:59:59.999999999Z to 2026-11-26T11:00:00Z)");
}

TEST_F(FetchTest, EndsTheWindowWithTheLastHour) {
  add("web-1", "10", profile("scan", 600));
  add("web-1", "11", profile("scan", 600));
  EXPECT_EQ(fetch(request_).value().window, (TimeWindow{kTen, kTen + 2 * kHour}));
}

// Each half is right about its own hosts; hosts say nothing of one another.
TEST_F(FetchTest, ComparesHalvesOfHosts) {
  for (const char* host : {"web-1", "web-2"})
    for (const char* hour : {"10", "11", "12", "13"}) add(host, hour, profile(host, 600));
  FetchResult result = fetch(request_).value();
  EXPECT_TRUE(result.halves->by_host);
  EXPECT_EQ(result.halves->overlap, 0);
  request_.query.labels = {{"host", "web-1"}};
  result = fetch(request_).value();
  EXPECT_FALSE(result.halves->by_host);
  EXPECT_EQ(result.halves->overlap, 1);
}

// Hosts of each zone are in both halves, as they are among those that were chosen.
TEST_F(FetchTest, DividesTheHostsOfEachZone) {
  for (const char* zone : {"a", "b"})
    for (int host = 0; host < 4; host++)
      source_.add(zone + std::to_string(host),
                  {{"host", zone + std::to_string(host)}, {"zone", zone}}, profile(zone, 600));
  EXPECT_EQ(fetch(request_).value().halves->overlap, 1);
}

TEST_F(FetchTest, NamesTheObjectOfAFileOnce) {
  add("web-1", "10", profile("scan", 600));
  add("web-2", "10", profile("scan", 600));
  source_.fail_object("web-2/10", {ErrorKind::kIo, "p/web-2/10: was changed since it was listed"});
  EXPECT_EQ(fetch(request_).value().excluded[0].text,
            "s3://bucket/p: web-2/10: was changed since it was listed (recorded "
            "2026-11-26T10:00:00Z)");
  test::MemorySource one("dir:p/web-1.pb");
  one.add("web-1.pb", {}, "");
  request_.sources = {&one};
  EXPECT_EQ(error(), "dir:p/web-1.pb: is empty; was it cut short, or never finished?; ");
}

TEST_F(FetchTest, LooksForStartsBeforeTheWindow) {
  add("web-1", "10", profile("scan", 600));
  request_.query.window = TimeWindow{1'795'687'200'000'000'000, 1'795'690'800'000'000'000};
  request_.skip_after_start = 600'000'000'000;
  (void)fetch(request_);
  EXPECT_EQ(source_.query().window->begin, 1'795'686'600'000'000'000);
}

// What is larger than all may be together is not downloaded; nor is anything behind the limit.
TEST_F(FetchTest, KeepsToTheLimitOfBytes) {
  add("web-1", "10", profile("scan", 600));
  std::string large;
  for (int i = 0; i < 5000; i++) large += "main;f" + std::to_string(i) + " 1\n";
  add("web-2", "10", large);
  request_.selection.max_bytes = 10'000;
  const FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 1u);
  ASSERT_EQ(result.excluded.size(), 1u);
  EXPECT_EQ(result.excluded[0].text,
            "s3://bucket/p: web-2/10: has 63.9 kB, more than \xFF{max-bytes} of all profiles "
            "(recorded 2026-11-26T10:00:00Z)");
  EXPECT_EQ(source_.fetched(), std::vector<std::string>{"web-1/10"});
}

// The source sends half of it, and then all from the beginning.
TEST_F(FetchTest, CountsWhatIsSentAgainOnce) {
  const std::string contents = profile("scan", 600);
  add("web-1", "10", contents);
  request_.selection.max_bytes = contents.size();
  const FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 1u);
  EXPECT_EQ(result.downloaded, 1u);
  EXPECT_EQ(result.downloaded_bytes, contents.size());
}

// Files may have this many bytes while it is there, as if the disk was full then.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

// The profile is not what is missing, and others would not fit either.
TEST_F(FetchTest, EndsWhenTheCacheCannotBeWritten) {
  std::string large;
  for (int i = 0; i < 500; i++) large += "main;f" + std::to_string(i) + " 1\n";
  add("web-1", "10", large);
  add("web-2", "10", profile("scan", 600));
  std::string text;
  {
    const FullDisk disk(1000);
    text = error();
  }
  // A name by chance is between them.
  EXPECT_TRUE(text.starts_with("cache/tmp/")) << text;
  EXPECT_TRUE(text.ends_with(": cannot write: File too large; ")) << text;
  EXPECT_EQ(error(), "no error");
}

int64_t total_in(const std::string& path) {
  InputBytes input = InputBytes::open(path).value();
  Diagnostics diagnostics;
  StackProfile stacks = read_stack_profile(input, diagnostics).value();
  return total_of(stacks, 0);
}

TEST_F(FetchTest, MergesTheProfilesOfEachBuild) {
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

TEST_F(FetchTest, CountsTheSamplesOfEachBuildOfAMember) {
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

TEST_F(FetchTest, KeepsAllowedLabelsWhenItMerges) {
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

TEST_F(FetchTest, TellsWhatTheMergeWarnsOf) {
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
TEST_F(FetchTest, CanBeEndedWhileItMerges) {
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

TEST_F(FetchTest, NamesObjectsInErrorsOfTheMerge) {
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
TEST_F(FetchTest, KeepsTheWeightsBetweenBuildsWhenItMerges) {
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
}  // namespace pgo::fetch_test

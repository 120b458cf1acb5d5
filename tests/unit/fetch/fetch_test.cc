#include "pgo/fetch/fetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/base/bytes.h"
#include "pgo/base/gzip.h"
#include "pgo/base/sha256.h"
#include "pgo/fetch/fleet_figures.h"
#include "pgo/source/input_bytes.h"
#include "tests/data/memory_source.h"
#include "tests/data/small_stacks.h"
#include "tests/unit/fetch/fetch_fixture.h"
namespace pgo::fetch_test {
namespace {

namespace fs = std::filesystem;
using test::kIdle;
using test::kNew;
using test::kOld;
using test::profile;

using FetchTest = test::FetchTest;

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
            "s3://bucket/p: web-2/10: is a web page, not a profile (recorded "
            "2026-11-26T10:00:00Z)");
  EXPECT_EQ(result.diagnostics.entries().at("missing").messages,
            std::vector<std::string>{describe_missing(result)});
  EXPECT_EQ(result.diagnostics.entries().at("stratum-without-profile").messages,
            std::vector<std::string>{"2 of 3 strata have no profile in the bundle: all that were "
                                     "chosen are missing"});
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
  EXPECT_EQ(
      error(),
      "none of 2 profiles has samples in this window; the first: s3://bucket/p: web-1/10: no "
      "samples in this window (asked for: from 2026-11-26T10:00:00Z to 2026-11-26T11:00:00Z); ");
  EXPECT_FALSE(is_written());
}

TEST_F(FetchTest, SaysWhyNothingIsChosen) {
  request_.query.window = TimeWindow{1'795'687'200'000'000'000, 1'795'690'800'000'000'000};
  EXPECT_EQ(error(),
            "s3://bucket/p: found no profiles of any time; are the path and the prefix right?");
  request_.query.window.reset();
  add("web-1", "10", profile("scan", 1));
  request_.query.labels = {{"host", "web-2"}};
  EXPECT_EQ(error(),
            "s3://bucket/p: the only profile does not match the request: 1 with other labels; the "
            "values of 'host' that are there: web-1");
  add("web-3", "10", profile("scan", 1));
  EXPECT_EQ(
      error(),
      "s3://bucket/p: none of 2 profiles matches the request: 2 with other labels; the values "
      "of 'host' that are there: web-1, web-3");
  for (const char* name : {"b", "a", "f", "e", "c", "d"}) {
    SourceObject object;
    object.name = name;
    object.labels = {{"service", name}};
    source_.add(object, profile("scan", 1));
  }
  request_.query.labels = {{"service", "orders"}, {"host", "web-2"}};
  EXPECT_EQ(error(),
            "s3://bucket/p: none of 8 profiles matches the request: 8 with other labels; the "
            "services that are there: a, b, c, d, e and 1 more");
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
  EXPECT_EQ(result.excluded[0].text, "s3://bucket/p: 2: has no label 'host'");
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

// Fleets are compared by host: a path template that takes the wrong part shall not pass unnoticed.
TEST_F(FetchTest, WarnsOfSamplesThatContradictTheListing) {
  const std::string of_vm =
      gzip(write_pprof(test::small_stacks({{.stack = {{"scan"}}, .count = 600, .host = "vm"}})))
          .value();
  source_.add("1", {{"host", "web-1"}}, of_vm);
  source_.add("2", {{"host", "vm"}}, profile("scan", 600));
  source_.add("3", {{"zone", "a"}}, profile("scan", 600));
  const FetchResult result = fetch(request_).value();
  EXPECT_EQ(result.bundle.members[0].labels, (Labels{{"host", "web-1"}}));
  EXPECT_EQ(result.diagnostics.entries().at(kContradictedLabels).messages,
            std::vector<std::string>{"s3://bucket/p: 1: is listed with the host web-1, but its "
                                     "samples have the host vm; it counts as web-1"});
}

TEST_F(FetchTest, RefusesProfilesThatCountDifferentTime) {
  add("web-1", "10", profile("scan", 5));
  add("web-2", "10",
      write_pprof(test::small_stacks({{.stack = {{"a"}}, .count = 9}}, "cycles", "count")));
  EXPECT_EQ(error(),
            "the profiles count different things: cycles/count (1 profile), samples/count (1 "
            "profile); choose one with \xFF{sample-type}");
}

// An address profile of one sample.
std::string addresses(const std::string& event, uint64_t pc) {
  AddressProfile profile;
  BinaryCounts& counts = profile.binaries.emplace_back();
  counts.id = *BuildId::from_hex(kNew);
  counts.path_hint = "/srv/queryd";
  counts.pc_samples = {{ElfAddr{pc}, 1, 1000}};
  profile.samples.seen = profile.samples.used = 1;
  profile.events = {{event, 1, 4'000'000, false}};
  return write_address_profile(profile).value();
}

TEST_F(FetchTest, TakesSingleStepsAndClockSamplesTogether) {
  add("web-1", "10", addresses("stepped-branches:u", 0x10));
  add("web-2", "10", addresses("cpu-clock", 0x20));
  const FetchResult both = fetch(request_).value();
  EXPECT_EQ(both.profiles.size(), 2u);
  EXPECT_EQ(both.sample_type, "cpu-clock and stepped-branches:u");
  add("web-3", "10", addresses("cycles:u", 0x30));
  EXPECT_EQ(error(),
            "the profiles count different things: cpu-clock (1 profile), cycles:u (1 profile), "
            "stepped-branches:u (1 profile); choose one with \xFF{sample-type}");
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
  EXPECT_EQ(result.builds[0].path, "server");
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
  EXPECT_EQ(result.diagnostics.entries().at("outlier").messages,
            std::vector<std::string>{
                "s3://bucket/p: web-3/10: overlaps by 0.0 % with the median of 7 others, where "
                "100.0 % is expected; 100.0 % of its time is in spin"});
  request_.outliers = OutlierAction::kDrop;
  result = fetch(request_).value();
  EXPECT_EQ(result.profiles.size(), 7u);
  EXPECT_FALSE(result.diagnostics.entries().contains("outlier"));
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

}  // namespace
}  // namespace pgo::fetch_test

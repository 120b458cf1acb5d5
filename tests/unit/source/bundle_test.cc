#include "pgo/source/bundle.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "tests/data/temporary_files.h"

namespace pgo::bundle_test {
namespace {

using nlohmann::json;

const std::string kDigest = "sha256:" + std::string(64, 'a');
constexpr int64_t kHour = int64_t{3'600'000'000'000};

BundleMember member(const std::string& path, Weight weight = {}) {
  BundleMember result;
  result.path = path;
  result.size = 12;
  result.digest = kDigest;
  result.source = "dir:/srv";
  result.object = "web-1/é.pb";
  result.labels = {{"host", "web-1"}, {"zone", "a"}};
  result.window = TimeWindow{495'000 * kHour, 495'001 * kHour};
  result.window_evidence = TimeEvidence::kName;
  result.weight = weight;
  result.builds = {"0102", "ff"};
  result.build_samples = {70, 30};
  result.samples = 100;
  result.accounting = Accounting{.seen = 100, .used = 90};
  (*result.accounting)[Dropped::kKernel] = 10;
  return result;
}

Bundle bundle_of(std::vector<BundleMember> members) {
  return {"pgo 1.0", {"dir:/srv"}, {{"service", "queryd"}}, std::move(members)};
}

TEST(Bundle, HasPlainFields) {
  EXPECT_EQ(bundle_text(bundle_of({member("web-1.pb", {3, 4})})), R"({
 "members": [
  {
   "accounting": {
    "dropped": {
     "kernel": 10
    },
    "pending": 0,
    "seen": 100,
    "used": 90
   },
   "build_samples": [
    70,
    30
   ],
   "builds": [
    "0102",
    "ff"
   ],
   "digest": ")" + kDigest + R"(",
   "labels": {
    "host": "web-1",
    "zone": "a"
   },
   "object": "web-1/é.pb",
   "path": "web-1.pb",
   "samples": 100,
   "size": 12,
   "source": "dir:/srv",
   "weight": 3,
   "window": {
    "evidence": "name",
    "from": "2026-06-21T00:00:00Z",
    "to": "2026-06-21T01:00:00Z"
   }
  }
 ],
 "query": {
  "service": "queryd"
 },
 "sources": [
  "dir:/srv"
 ],
 "tool_version": "pgo 1.0",
 "version": 1,
 "weight_denominator": 4
}
)");
}

TEST(Bundle, ReadsWhatItWrites) {
  BundleMember plain;
  plain.path = "b/c.pb";
  plain.digest = kDigest;
  plain.merged = MergedProfiles{3, {{"host", {{"web-1", 2}, {"web-2", 1}}}}};
  const Bundle bundle = bundle_of({member("a.pb", {1, 3}), plain, member("c.pb", {5, 7})});
  Result<Bundle> read = parse_bundle(bundle_text(bundle), "x");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, bundle);
  EXPECT_EQ(parse_bundle(bundle_text(bundle_of({})), "x").value(), bundle_of({}));
}

TEST(Bundle, IsWrittenTheSameInAnyOrder) {
  EXPECT_EQ(bundle_text(bundle_of({member("b"), member("a", {1, 2})})),
            bundle_text(bundle_of({member("a", {1, 2}), member("b")})));
}

TEST(Bundle, GivesWeightsACommonDenominator) {
  const Bundle bundle = bundle_of({member("a", {1, 2}), member("b", {6, 8}), member("c", {5, 3})});
  const json text = json::parse(bundle_text(bundle));
  EXPECT_EQ(text["weight_denominator"], 12);
  EXPECT_EQ(text["members"][0]["weight"], 6);
  EXPECT_EQ(text["members"][1]["weight"], 9);
  EXPECT_EQ(text["members"][2]["weight"], 20);
  EXPECT_EQ(whole_weights(bundle), (std::vector<uint64_t>{6, 9, 20}));
  EXPECT_EQ(whole_weights(bundle_of({member("a", {4, 3}), member("b", {2, 3})})),
            (std::vector<uint64_t>{2, 1}));
  EXPECT_EQ(whole_weights(bundle_of({})), std::vector<uint64_t>{});
  // In lowest terms.
  EXPECT_EQ(parse_bundle(bundle_text(bundle), "x").value().members[1].weight, (Weight{3, 4}));
}

TEST(Bundle, RoundsWeightsWithoutACommonDenominator) {
  // The product of these primes is beyond 10^9.
  const Bundle bundle = bundle_of({member("a", {1, 999'983}), member("b", {1, 999'979}),
                                   member("c", {1'000'000, 999'961}), member("d", {1, 1'000'000})});
  const json text = json::parse(bundle_text(bundle));
  EXPECT_EQ(text["weight_denominator"], 999'961);
  EXPECT_EQ(text["members"][2]["weight"], 1'000'000);
  EXPECT_EQ(text["members"][0]["weight"], 1);
  EXPECT_EQ(text["members"][3]["weight"], 1);
  EXPECT_TRUE(parse_bundle(bundle_text(bundle), "x"));
  const Bundle large = bundle_of(
      {member("a", {1'000'000, 3}), member("b", {1, 999'983}), member("c", {1, 999'979})});
  EXPECT_EQ(json::parse(bundle_text(large))["weight_denominator"], 3);
  EXPECT_TRUE(parse_bundle(bundle_text(large), "x"));
}

TEST(Bundle, ReplacesWhatIsNoUtf8) {
  BundleMember odd = member("a");
  odd.object = "x\xff";
  EXPECT_EQ(parse_bundle(bundle_text(bundle_of({odd})), "x").value().members[0].object,
            "x\xEF\xBF\xBD");
}

// What is wrong with a bundle of one member, after a change.
std::string error_after(const std::function<void(json&)>& change) {
  json bundle = json::parse(bundle_text(bundle_of({member("a.pb")})));
  change(bundle);
  Result<Bundle> read = parse_bundle(bundle.dump(), "x");
  return read ? "" : read.error().message;
}

TEST(Bundle, LeavesOutFieldsThatItDoesNotKnow) {
  EXPECT_EQ(error_after([](json& bundle) {
              bundle["more"] = {1};
              bundle["members"][0]["more"] = 2;
              bundle["members"][0]["accounting"]["dropped"] = {{"a-new-reason", 10}};
            }),
            "");
}

TEST(Bundle, RefusesPathsThatLeaveTheDirectory) {
  for (const char* path : {"../a.pb", "/etc/passwd", "a/../../b", "a//b", "./a", "a/", "", "..",
                           "bundle.json", "a\nb", "a/.", "\x7f"})
    EXPECT_EQ(error_after([&](json& bundle) { bundle["members"][0]["path"] = path; }),
              std::string("x: is not a bundle: member 1 has a path that is none below the "
                          "directory: ") +
                  path);
  for (const char* path : {"a", "..a", "a/b/c.pb.gz", "a b+c=%d/é.pb", "sub/bundle.json"})
    EXPECT_TRUE(is_member_path(path)) << path;
  EXPECT_FALSE(is_member_path(std::string(5000, 'a')));
}

TEST(Bundle, SaysWhatIsWrong) {
  const std::string prefix = "x: is not a bundle: ";
  EXPECT_EQ(error_after([](json& bundle) { bundle["members"].push_back(bundle["members"][0]); }),
            prefix + "member 2 has the path of another, a.pb");
  auto changed = [](const char* key, const json& value) {
    return error_after([&](json& bundle) { bundle["members"][0][key] = value; });
  };
  EXPECT_EQ(changed("size", -1),
            prefix + "'size' of member 1 is not a whole number from 0 to 4611686018427387904");
  EXPECT_EQ(changed("digest", "sha256:12"),
            prefix + "'digest' of member 1 is not 'sha256:' and 64 hexadecimal digits");
  EXPECT_EQ(changed("labels", {{"host", 1}}),
            prefix + "'labels' of member 1 is not an object of texts");
  EXPECT_EQ(changed("weight", 0),
            prefix + "'weight' of member 1 is not a whole number from 1 to 1000000000000000");
  EXPECT_EQ(changed("weight", 1'000'001),
            prefix + "the weight of member 1, 1000001/1, has a part above 1000000");
  EXPECT_EQ(changed("builds", {"xyz"}),
            prefix + "'builds' of member 1 has an entry that is not a build ID");
  EXPECT_EQ(changed("builds", 1), prefix + "'builds' of member 1 is not a list of texts");
  EXPECT_EQ(changed("build_samples", {1}),
            prefix + "'build_samples' of member 1 is not as long as 'builds'");
  EXPECT_EQ(changed("build_samples", {1, -1}),
            prefix + "'build_samples' of member 1 is not a list of whole numbers");
  EXPECT_EQ(changed("merged", {{"profiles", 1}}),
            prefix + "'labels' of 'merged' of member 1 is not an object of objects");
  EXPECT_EQ(changed("merged", {{"profiles", 1}, {"labels", {{"host", {{"a", 0}}}}}}),
            prefix +
                "'a' of the label 'host' of member 1 is not a whole number from 1 to "
                "18446744073709551615");
  EXPECT_EQ(changed("window", 1), prefix + "the window of member 1 is not an object");
  EXPECT_EQ(changed("window", {{"from", "now"}}),
            prefix + "'from' of the window of member 1 is not a time such as 2026-11-26T13:00:00Z");
  EXPECT_EQ(changed("window", {{"from", "2026-01-02"}, {"to", "2026-01-01"}, {"evidence", "name"}}),
            prefix + "the window of member 1 ends before it begins");
  EXPECT_EQ(
      changed("accounting",
              {{"seen", 2}, {"used", 1}, {"pending", 0}, {"dropped", json::object()}}),
      prefix + "the accounting of member 1: seen 2, but used, pending and dropped add up to 1");
  EXPECT_EQ(error_after([](json& bundle) { bundle["members"] = 1; }),
            prefix + "'members' of the bundle is not a list of at most 1048576");
  EXPECT_EQ(error_after([](json& bundle) { bundle["members"][0] = 7; }),
            prefix + "member 1 is not an object");
  EXPECT_EQ(error_after([](json& bundle) { bundle["sources"] = {1}; }),
            prefix + "'sources' of the bundle is not a list of texts");
  EXPECT_EQ(
      error_after([](json& bundle) { bundle["weight_denominator"] = 0; }),
      prefix + "'weight_denominator' of the bundle is not a whole number from 1 to 1000000000");
  EXPECT_EQ(
      error_after([](json& bundle) { bundle.erase("version"); }),
      prefix + "'version' of the bundle is not a whole number from 1 to 18446744073709551615");
  for (const auto& [text, problem] :
       {std::pair("", "it is not valid JSON"), std::pair("{", "it is not valid JSON"),
        std::pair("[]", "the bundle is not an object"),
        std::pair("\"\xff\"", "it is not valid JSON")})
    EXPECT_EQ(parse_bundle(text, "x").error().message, prefix + problem) << text;
  EXPECT_EQ(parse_bundle(std::string(1'000'000, '['), "x").error().message,
            prefix + "it is nested more than 32 levels deep");
}

TEST(Bundle, CountsTheProfilesOfAMergedMember) {
  BundleMember merged = member("a");
  merged.merged = MergedProfiles{3, {{"version", {{"1", 2}, {"2", 1}}}}};
  const Origins origins = merged.origins();
  EXPECT_EQ(origins.profiles, 3u);
  EXPECT_EQ(origins.labels.at("zone").of, (decltype(Origins::Values::of){{"a", 3}}));
  EXPECT_EQ(origins.labels.at("version").of, (decltype(Origins::Values::of){{"1", 2}, {"2", 1}}));
  EXPECT_EQ(origins.labels.at("version").profiles, 3u);
  EXPECT_EQ(member("a").origins().profiles, 1u);
}

TEST(Bundle, RefusesANewerVersion) {
  json bundle = json::parse(bundle_text(bundle_of({})));
  bundle["version"] = 2;
  Result<Bundle> read = parse_bundle(bundle.dump(), "x/bundle.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(read.error().message,
            "x/bundle.json: is a bundle of version 2, and this pgo reads version 1");
  EXPECT_EQ(read.error().advice, "use a newer pgo, or fetch the profiles again");
}

class ReadBundle : public test::TemporaryFiles {};

TEST_F(ReadBundle, FindsTheBundleOfADirectory) {
  EXPECT_EQ(read_bundle(path("none")).value(), std::nullopt);
  EXPECT_EQ(read_bundle(directory()).value(), std::nullopt);
  write("bundle.json", bundle_text(bundle_of({member("a")})));
  EXPECT_EQ(read_bundle(directory()).value(), bundle_of({member("a")}));
  EXPECT_EQ(read_bundle(directory() + "/").value(), bundle_of({member("a")}));
}

TEST_F(ReadBundle, SaysWhichFileIsNone) {
  write("a/bundle.json", "{}");
  EXPECT_EQ(relative(read_bundle(path("a")).error().message),
            "a/bundle.json: is not a bundle: 'version' of the bundle is not a whole number from 1 "
            "to 18446744073709551615");
  write("b/bundle.json/x", "");
  EXPECT_EQ(relative(read_bundle(path("b")).error().message),
            "b/bundle.json: is not a bundle: it is not a regular file");
  write("c/bundle.json", "");
  std::filesystem::resize_file(path("c/bundle.json"), (64 << 20) + 1);
  EXPECT_EQ(relative(read_bundle(path("c")).error().message),
            "c/bundle.json: is not a bundle: it is larger than 64 MB");
}

}  // namespace
}  // namespace pgo::bundle_test

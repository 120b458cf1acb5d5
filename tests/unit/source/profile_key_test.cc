#include "pgo/source/profile_key.h"

#include <gtest/gtest.h>

#include "pgo/base/text_bytes.h"
#include "pgo/base/time_text.h"
#include "tests/data/memory_source.h"

namespace pgo::profile_key_test {
namespace {

// The digest of "contents" begins with this.
const std::string kId = "d1b2a59fbea7";

OutgoingProfile profile(Labels labels) {
  OutgoingProfile made;
  made.shown = "a.pb";
  made.labels = std::move(labels);
  made.time = parse_time("2026-11-26T13:20:00").value();
  made.file = as_bytes("contents");
  made.extension = ".pb.gz";
  return made;
}

std::string key_of(const Labels& labels) {
  const Result<std::string> key = profile_key(profile(labels));
  return key ? *key : key.error().message;
}

TEST(ProfileKey, TellsLabelsHourAndContents) {
  EXPECT_EQ(key_of({}), "hour=2026-11-26T13/" + kId + ".pb.gz");
  EXPECT_EQ(key_of({{"host", "web-1"}, {"service", "q"}, {"zone", "a"}}),
            "service=q/hour=2026-11-26T13/host=web-1,zone=a," + kId + ".pb.gz");
  EXPECT_EQ(key_of({{"host", "../a b"}, {"service", ".q"}, {"version", "1/2"}}),
            "service=.q/version=1%2F2/hour=2026-11-26T13/host=..%2Fa%20b," + kId + ".pb.gz");
  // One service, and one version.
  EXPECT_NE(key_of({{"service", "1"}}), key_of({{"version", "1"}}));
}

TEST(ProfileKey, GivesLabelsBack) {
  const int64_t hour = parse_time("2026-11-26T13:00").value();
  for (const Labels& labels :
       {Labels{}, Labels{{"host", "web-1"}}, Labels{{"host", "web.eu.example"}, {"service", "q"}},
        Labels{{"a=b,c/d%", "=,/%\xc3\xa9\n"}, {"version", "1/2"}, {"empty", ""}}})
    EXPECT_EQ(parse_profile_key(key_of(labels)), (ProfileKey{labels, hour, kId})) << key_of(labels);
  EXPECT_EQ(parse_profile_key("hour=2026-11-26T13/" + kId + ".perf.data"),
            (ProfileKey{{}, hour, kId}));
}

TEST(ProfileKey, IsNoLongerThanFileSystemsTake) {
  EXPECT_EQ(key_of({{"note", std::string(300, 'x')}}),
            "a.pb: its labels make a name of 324 bytes, and file systems take 255");
  EXPECT_EQ(key_of({{"service", std::string(300, 'x')}}),
            "a.pb: its labels make a name of 308 bytes, and file systems take 255");
}

TEST(ProfileKey, IsNoNameOfOthers) {
  const std::string hour = "hour=2026-11-26T13/";
  for (const std::string& path : std::vector<std::string>{
           kId + ".pb.gz", hour + "notes.txt", hour + "web-1.pb.gz", hour + "host=web-1.pb.gz",
           hour + kId, "hour=2026-11-26/" + kId + ".pb.gz", "hour=2026-11-26 13/" + kId + ".pb.gz",
           "hour=2026-11-26T25/" + kId + ".pb.gz", "2026-11-26T13/" + kId + ".pb.gz",
           hour + kId + "0.pb.gz", hour + "D1B2A59FBEA7.pb.gz", hour + "x/" + kId + ".pb.gz",
           hour + "a=1,a=2," + kId + ".pb", hour + "a=%2," + kId + ".pb",
           hour + "a=%2g," + kId + ".pb", "version=1/service=q/" + hour + kId + ".pb",
           "backup/service=q/" + hour + kId + ".pb.gz"})
    EXPECT_FALSE(parse_profile_key(path)) << path;
}

TEST(ProfileKey, LabelsObjectsOfSources) {
  auto memory = std::make_unique<test::MemorySource>("memory");
  memory->add("backup/" + key_of({{"service", "q"}, {"host", "web/1"}}), {}, "contents");
  memory->add("notes.txt", {}, "mine");
  const std::unique_ptr<Source> source = with_profile_keys(std::move(memory));
  Diagnostics diagnostics;
  const std::vector<SourceObject> objects = source->list({}, diagnostics).value();
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].labels, (Labels{{"host", "web/1"}, {"service", "q"}}));
  EXPECT_EQ(objects[0].time, parse_time("2026-11-26T13:00").value());
  EXPECT_TRUE(objects[1].labels.empty());
}

}  // namespace
}  // namespace pgo::profile_key_test

#include "pgo/source/profile_key.h"

#include <gtest/gtest.h>

#include "pgo/base/text_bytes.h"
#include "pgo/base/time_text.h"

namespace pgo::profile_key_test {
namespace {

// The digest of "contents" begins with this.
const std::string kId = "d1b2a59fbea7";

OutgoingProfile profile(Labels labels) {
  OutgoingProfile made;
  made.labels = std::move(labels);
  made.time = parse_time("2026-11-26T13:20:00").value();
  made.file = as_bytes("contents");
  made.extension = ".pb.gz";
  return made;
}

TEST(ProfileKey, TellsLabelsHourAndContents) {
  EXPECT_EQ(profile_key(profile({})), "2026-11-26T13/" + kId + ".pb.gz");
  EXPECT_EQ(profile_key(profile({{"host", "web-1"}, {"service", "q"}, {"zone", "a"}})),
            "q/2026-11-26T13/web-1-" + kId + ".pb.gz");
  EXPECT_EQ(profile_key(profile({{"host", "../a b"}, {"service", ".q"}, {"version", "1/2"}})),
            "_q/1_2/2026-11-26T13/_._a_b-" + kId + ".pb.gz");
}

TEST(ProfileKey, IsReadAgain) {
  const int64_t hour = parse_time("2026-11-26T13").value_or(parse_time("2026-11-26T13:00").value());
  for (const Labels& labels :
       {Labels{}, Labels{{"host", "web-1"}}, Labels{{"host", "web.eu.example"}, {"service", "q"}}})
    EXPECT_EQ(parse_profile_key(profile_key(profile(labels)))->hour, hour);
  const std::string name = "2026-11-26T13/" + kId + ".perf.data";
  EXPECT_EQ(parse_profile_key(name)->hour, hour);
  EXPECT_EQ(parse_profile_key(name)->digest, kId);
}

TEST(ProfileKey, IsNoNameOfOthers) {
  for (const std::string& path : std::vector<std::string>{
           kId + ".pb.gz", "2026-11-26T13/notes.txt", "2026-11-26T13/web-1.pb.gz",
           "2026-11-26T13/web-" + kId, "2026-11-26/" + kId + ".pb.gz",
           "2026-11-26 13/" + kId + ".pb.gz", "2026-11-26T25/" + kId + ".pb.gz",
           "2026-11-26T13/" + kId + "0.pb.gz", "2026-11-26T13/D1B2A59FBEA7.pb.gz",
           "2026-11-26T13/x/" + kId + ".pb.gz", "backup/q/1/2026-11-26T13/" + kId + ".pb.gz"})
    EXPECT_FALSE(parse_profile_key(path)) << path;
}

}  // namespace
}  // namespace pgo::profile_key_test

#include "pgo/stores/live/live_location.h"

#include <gtest/gtest.h>

namespace pgo::live_location_test {
namespace {

using live::LiveLocation;
using live::parse_live_location;

using Hosts = std::vector<std::string>;

std::string error_of(std::string_view text) {
  Result<LiveLocation> location = parse_live_location(text);
  return location ? "parsed as " + location->shown() : location.error().message;
}

std::string profile_text(const Result<LiveLocation>& location) {
  if (!location) return location.error().message;
  return location->path + " " + location->query + " " + std::to_string(location->seconds);
}

// "PATH QUERY SECONDS" of a location with one host.
std::string profile_of(const std::string& path) {
  return profile_text(parse_live_location("pprof+http://web" + path));
}

// The same, after a profile was chosen.
std::string chosen_profile(const std::string& path, const std::string& sample_type) {
  return profile_text(
      choose_profile(parse_live_location("pprof+http://web" + path).value(), sample_type));
}

TEST(LiveLocation, HasHostsAndAPath) {
  const LiveLocation location =
      parse_live_location("pprof+https://web-1:6060,[::1]:6060,web-3/debug/pprof/heap?gc=1")
          .value();
  EXPECT_EQ(location.scheme, "https");
  EXPECT_EQ(location.hosts, (Hosts{"web-1:6060", "[::1]:6060", "web-3"}));
  EXPECT_EQ(location.path, "/debug/pprof/heap");
  EXPECT_EQ(location.query, "gc=1");
  EXPECT_EQ(location.seconds, 0);
  EXPECT_EQ(location.shown(), "pprof+https://web-1:6060,[::1]:6060,web-3/debug/pprof/heap");
}

TEST(LiveLocation, RecordsTheCpuForThirtySecondsByDefault) {
  EXPECT_EQ(chosen_profile("", ""), "/debug/pprof/profile seconds=30 30");
  EXPECT_EQ(chosen_profile("/", "cpu"), "/debug/pprof/profile seconds=30 30");
  EXPECT_EQ(chosen_profile("?seconds=5", ""), "/debug/pprof/profile seconds=5 5");
  EXPECT_EQ(profile_of("?seconds=5"), " seconds=5 5");
  EXPECT_EQ(profile_of("/debug/pprof/profile?x=y"), "/debug/pprof/profile x=y&seconds=30 30");
  EXPECT_EQ(profile_of("/pprof/profile?a=1&seconds=7&b"), "/pprof/profile a=1&seconds=7&b 7");
  EXPECT_EQ(profile_of("/pprof/contention"), "/pprof/contention seconds=30 30");
  EXPECT_EQ(profile_of("/admin/debug/pprof/profile"), "/admin/debug/pprof/profile seconds=30 30");
}

TEST(LiveLocation, HasAPathForEachSampleType) {
  EXPECT_EQ(chosen_profile("", "alloc_space"), "/debug/pprof/allocs  0");
  EXPECT_EQ(chosen_profile("?seconds=5", "inuse_objects"), "/debug/pprof/heap seconds=5 5");
  EXPECT_EQ(chosen_profile("/debug/pprof/mutex", "delay"), "/debug/pprof/mutex  0");
  EXPECT_EQ(chosen_profile("/debug/pprof/heap", "cpu"), "/debug/pprof/heap  0");
}

TEST(LiveLocation, TakesOtherProfilesAtOnce) {
  for (const char* path : {"/debug/pprof/heap", "/debug/pprof/allocs", "/debug/pprof/block",
                           "/debug/pprof/mutex", "/pprof/heap", "/pprof/growth"})
    EXPECT_EQ(profile_of(path), std::string(path) + "  0");
  EXPECT_EQ(profile_of("/debug/pprof/mutex?seconds=10"), "/debug/pprof/mutex seconds=10 10");
}

TEST(LiveLocation, FetchesTheProfileInsteadOfAPageOfBrpc) {
  EXPECT_EQ(profile_of("/hotspots/cpu?view=a.cpu&seconds=10&text"), "/pprof/profile seconds=10 10");
  EXPECT_EQ(profile_of("/hotspots/cpu"), "/pprof/profile seconds=30 30");
  EXPECT_EQ(profile_of("/hotspots/contention"), "/pprof/contention seconds=30 30");
  EXPECT_EQ(profile_of("/hotspots/heap?text"), "/pprof/heap  0");
  EXPECT_EQ(profile_of("/hotspots/growth"), "/pprof/growth  0");
}

TEST(LiveLocation, TakesListsOfHosts) {
  auto parts = [](std::string_view text) {
    const LiveLocation location = parse_live_location(text).value();
    std::string shown;
    for (const std::string& host : location.hosts) shown += host + " ";
    return shown + location.path;
  };
  EXPECT_EQ(parts("pprof+http://@hosts.txt"), "@hosts.txt ");
  EXPECT_EQ(parts("pprof+http://@/etc/web/hosts.txt?seconds=5"), "@/etc/web/hosts.txt ");
  EXPECT_EQ(parts("pprof+http://@/etc/hosts.txt/debug/pprof/heap"),
            "@/etc/hosts.txt /debug/pprof/heap");
  EXPECT_EQ(parts("pprof+http://web-1,@/var/pprof/hosts/pprof/heap"),
            "web-1 @/var/pprof/hosts /pprof/heap");
  EXPECT_EQ(parts("pprof+http://@/debug/pprof/list/hotspots/cpu"),
            "@/debug/pprof/list /pprof/profile");
  EXPECT_EQ(parts("pprof+http://sd+http://sd:8080/targets/debug/pprof/allocs"),
            "sd+http://sd:8080/targets /debug/pprof/allocs");
  EXPECT_EQ(parts("pprof+http://dns+web.internal:6060,web-9/debug/pprof/heap"),
            "dns+web.internal:6060 web-9 /debug/pprof/heap");
}

TEST(LiveLocation, ShowsNoSecret) {
  EXPECT_EQ(parse_live_location("pprof+http://web:1?token=secret&seconds=5").value().shown(),
            "pprof+http://web:1?seconds=5");
  EXPECT_EQ(
      error_of("pprof+http://me:hunter2@web/debug/pprof/heap?token=secret"),
      "pprof+http://web/debug/pprof/heap?token=...: a host has a user or a password; put them "
      "into ~/.netrc");
}

TEST(LiveLocation, ShowsNoPartOfAPassword) {
  EXPECT_EQ(error_of("pprof+http://me:hun?ter2@web/debug/pprof/heap"),
            "pprof+http://web/debug/pprof/heap: write '@' as %40 behind '?'; a user and a password "
            "belong into "
            "~/.netrc");
}

TEST(LiveLocation, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("http://web/x?token=secret"),
            "http://web/x?token=...: does not begin with pprof+http:// or pprof+https://");
  EXPECT_EQ(error_of("pprof+http:///debug/pprof/heap"),
            "pprof+http:///debug/pprof/heap: a host has no name");
  EXPECT_EQ(error_of("pprof+http://a,,b"), "pprof+http://a,,b: a host has no name");
  for (const char* seconds : {"", "0", "-1", "1.5", "abc", "3601", "99999999999"})
    EXPECT_EQ(error_of(std::string("pprof+http://web?seconds=") + seconds),
              "pprof+http://web: seconds is not a whole number from 1 to 3600");
  EXPECT_EQ(error_of("pprof+http://web/a b"),
            "http://host/a b: a URL has no spaces, control characters or letters outside of ASCII; "
            "percent-encode them");
}

TEST(LiveLocation, IsKnownByItsStart) {
  EXPECT_TRUE(live::is_live_location("pprof+https://web"));
  EXPECT_FALSE(live::is_live_location("https://web"));
  EXPECT_FALSE(live::is_live_location("pprof+ftp://web"));
}

}  // namespace
}  // namespace pgo::live_location_test

#include "pgo/fetch/fetch.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

#include "tests/data/memory_source.h"
#include "tests/unit/fetch/fetch_fixture.h"
namespace pgo::fetch_cache_test {
namespace {

using test::profile;

using FetchCacheTest = test::FetchTest;

TEST_F(FetchCacheTest, FetchesOnlyOnce) {
  add("web-1", "10", profile("scan", 600));
  add("web-2", "10", profile("scan", 700));
  ASSERT_TRUE(fetch(request_));
  source_.objects()[0].version = "2";
  const FetchResult again = fetch(request_).value();
  EXPECT_EQ(again.downloaded, 1u);
  EXPECT_EQ(again.found, 1u);
  EXPECT_EQ(source_.fetched(), (std::vector<std::string>{"web-1/10", "web-2/10", "web-1/10"}));
}

// Two places of one name: the same store behind another endpoint.
TEST_F(FetchCacheTest, TakesNothingOfAnotherPlaceFromTheCache) {
  add("web-1", "10", profile("scan", 600));
  ASSERT_TRUE(fetch(request_));
  test::MemorySource other("s3://bucket/p", "s3://bucket/p at http://localhost");
  other.add("web-1/10", {{"host", "web-1"}}, profile("parse", 600));
  request_.sources = {&other};
  EXPECT_EQ(fetch(request_).value().found, 0u);
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
TEST_F(FetchCacheTest, EndsWhenTheCacheCannotBeWritten) {
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

// Whatever thread meets the full disk first, its error is what is said, and not that others did
// not begin.
TEST_F(FetchCacheTest, EndsWhenTheBundleCannotBeWritten) {
  for (int host = 0; host < 40; host++) {
    std::string large = "main;host" + std::to_string(host) + " 1\n";
    for (int i = 0; i < 500; i++) large += "main;f" + std::to_string(i) + " 1\n";
    add("web-" + std::to_string(host), "10", large);
  }
  request_.jobs = 4;
  request_.output = "";
  EXPECT_EQ(error(), "no error");  // all are in the cache now
  request_.output = path("b");
  {
    const FullDisk disk(1000);
    const std::string text = error();
    EXPECT_NE(text.find("File too large"), text.npos) << text;
  }
  EXPECT_FALSE(is_written());
  EXPECT_EQ(error(), "no error");
}

}  // namespace
}  // namespace pgo::fetch_cache_test

#include "pgo/delivery/delivery.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "pgo/delivery/kept_file.h"
#include "tests/data/temporary_files.h"

namespace pgo::delivery_test {
namespace {

TEST(Delivery, FillsPlaceholders) {
  const Labels values = {{"host", "web-1"}, {"hour", "2026-11-26T13"}};
  EXPECT_EQ(fill_placeholders("q/{hour}/{host}.addr", values).value(),
            "q/2026-11-26T13/web-1.addr");
  EXPECT_EQ(fill_placeholders("q.addr", values).value(), "q.addr");
  const Result<std::string> unknown = fill_placeholders("{zone}.addr", values);
  EXPECT_EQ(unknown.error().message, "\xFF{output} {zone}.addr: there is no {zone}");
  EXPECT_EQ(unknown.error().advice, "use {host}, {hour}, or a key of \xFF{label}");
  EXPECT_EQ(fill_placeholders("{host", values).error().message,
            "\xFF{output} {host: '}' is missing");
}

class KeptFileTest : public test::TemporaryFiles {
 protected:
  KeptFileTest() : before_(std::filesystem::current_path()) {}
  ~KeptFileTest() override { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

TEST_F(KeptFileTest, HasTheTimeOfItsRecordingAndIsForItsOwner) {
  std::filesystem::current_path(path(""));
  constexpr int64_t kTime = 1795698000 * int64_t{1'000'000'000};  // 2026-11-26T13:00:00Z
  const Result<std::string> kept = keep_file({"counts", ".addr", kTime + 123});
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(*kept, "unsent-20261126T130000Z-" + std::to_string(::getpid()) + ".addr");
  struct stat status{};
  ASSERT_EQ(::stat(kept->c_str(), &status), 0);
  EXPECT_EQ(status.st_mtim.tv_sec, kTime / 1'000'000'000);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
  EXPECT_EQ(std::filesystem::file_size(*kept), 6u);
}

TEST_F(KeptFileTest, IsAmongTemporaryFilesWhereTheDirectoryIsGone) {
  std::filesystem::create_directory(path("gone"));
  std::filesystem::current_path(path("gone"));
  std::filesystem::remove(path("gone"));
  const char* before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("TMPDIR", path("").c_str(), 1);
  const Result<std::string> kept = keep_file({"counts", ".perf.data", 0});
  if (before == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", old.c_str(), 1);
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(std::filesystem::path(*kept).filename(),
            "unsent-19700101T000000Z-" + std::to_string(::getpid()) + ".perf.data");
  // In a directory that nobody else may write to.
  const std::filesystem::path directory = std::filesystem::path(*kept).parent_path();
  EXPECT_EQ(directory.parent_path(), std::filesystem::path(path("")).parent_path());
  EXPECT_EQ(std::filesystem::status(directory).permissions(), std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace pgo::delivery_test

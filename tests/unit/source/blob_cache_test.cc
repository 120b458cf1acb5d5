#include "pgo/source/blob_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "tests/data/temporary_files.h"

namespace pgo::blob_cache_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAbc =
    "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t mode_of(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

size_t files_in(const std::string& directory) {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

class BlobCacheTest : public test::TemporaryFiles {
 protected:
  BlobCache open(uint64_t max_bytes = 1000) const {
    return BlobCache::open(path("cache"), {.max_bytes = max_bytes}).value();
  }
  static Blob add(const BlobCache& cache, std::string_view key, std::string_view text) {
    BlobWriter writer = cache.write().value();
    EXPECT_TRUE(writer.append(bytes_of(text)));
    return writer.commit(key).value();
  }
  // As if it had last been used `hours` ago.
  static void age(const Blob& blob, int hours) { age(blob.path, hours); }
  static void age(const std::string& path, int hours) {
    const timespec time{::time(nullptr) - hours * 3600, 0};
    const timespec times[2] = {time, time};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
};

TEST_F(BlobCacheTest, FindsByDigest) {
  const BlobCache cache = open();
  EXPECT_FALSE(cache.find_digest(kAbc, 3));
  const Blob written = add(cache, "", "abc");
  const std::optional<Blob> found = cache.find_digest(kAbc, 3);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, written.path);
  EXPECT_FALSE(cache.find_digest(kAbc, 4));
  EXPECT_FALSE(cache.find_digest("sha256:../../x", 3));
  fs::permissions(written.path, fs::perms::owner_all);
  std::ofstream(written.path) << "abd";
  EXPECT_FALSE(cache.find_digest(kAbc, 3));
}

TEST_F(BlobCacheTest, KeepsWhatIsPinned) {
  const BlobCache cache = open(3);
  ASSERT_TRUE(cache.pin(kAbc));  // before it is there
  const Blob abc = add(cache, "", "abc"), other = add(cache, "", "def");
  age(abc, 3);
  age(other, 2);
  ASSERT_TRUE(cache.trim());
  EXPECT_TRUE(fs::exists(abc.path));
  EXPECT_FALSE(fs::exists(other.path));
  EXPECT_FALSE(cache.pin("sha256:../../x"));
}

TEST_F(BlobCacheTest, ForgetsPinsThatAreNotRenewed) {
  const BlobCache cache = open(0);
  const Blob abc = add(cache, "", "abc"), other = add(cache, "", "def");
  const std::string pin = path("cache/pinned/") + (kAbc + 7);
  for (const Blob& blob : {abc, other}) {
    ASSERT_TRUE(cache.pin(blob.digest));
    age(path("cache/pinned/" + blob.digest.substr(7)), 91 * 24);
    age(blob, 91 * 24);
  }
  ASSERT_TRUE(cache.pin(kAbc));
  ASSERT_TRUE(cache.trim());
  EXPECT_TRUE(fs::exists(abc.path));
  EXPECT_FALSE(fs::exists(other.path));
  EXPECT_EQ(files_in(path("cache/pinned")), 1u);
  age(pin, 89 * 24);
  ASSERT_TRUE(cache.trim());
  EXPECT_TRUE(fs::exists(abc.path));
  age(pin, 91 * 24);
  ASSERT_TRUE(cache.trim());
  EXPECT_FALSE(fs::exists(abc.path));
}

TEST_F(BlobCacheTest, FindsWhatWasWritten) {
  const BlobCache cache = open();
  EXPECT_FALSE(cache.find("s3://b\na\n1"));
  BlobWriter writer = cache.write().value();
  ASSERT_TRUE(writer.append(bytes_of("a")));
  ASSERT_TRUE(writer.append(bytes_of("bc")));
  EXPECT_EQ(writer.size(), 3u);
  const Blob written = writer.commit("s3://b\na\n1").value();
  EXPECT_EQ(written.digest, kAbc);
  EXPECT_EQ(relative(written.path), std::string("cache/blobs/sha256/") + (kAbc + 7));
  const std::optional<Blob> found = open().find("s3://b\na\n1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, written.path);
  EXPECT_EQ(found->digest, kAbc);
  EXPECT_EQ(found->size, 3u);
  EXPECT_EQ(contents(found->path), "abc");
  EXPECT_FALSE(cache.find("s3://b\na\n2"));
}

TEST_F(BlobCacheTest, KeepsTheContentsOfTwoKeysOnce) {
  const BlobCache cache = open();
  EXPECT_EQ(add(cache, "a", "abc").path, add(cache, "b", "abc").path);
  EXPECT_TRUE(cache.find("a"));
  EXPECT_TRUE(cache.find("b"));
  EXPECT_EQ(files_in(path("cache/blobs/sha256")), 1u);
  EXPECT_EQ(files_in(path("cache/tmp")), 0u);
  // Without a key it is kept by its digest alone.
  add(cache, "", "def");
  EXPECT_EQ(files_in(path("cache/blobs/sha256")), 2u);
  EXPECT_EQ(files_in(path("cache/keys")), 2u);
}

TEST_F(BlobCacheTest, ForgetsWhatCameBeforeARestart) {
  const BlobCache cache = open();
  BlobWriter writer = cache.write().value();
  ASSERT_TRUE(writer.append(bytes_of("half of a longer text")));
  ASSERT_TRUE(writer.restart());
  EXPECT_EQ(writer.size(), 0u);
  ASSERT_TRUE(writer.append(bytes_of("abc")));
  const Blob blob = writer.commit("a").value();
  EXPECT_EQ(blob.digest, kAbc);
  EXPECT_EQ(contents(blob.path), "abc");
}

TEST_F(BlobCacheTest, LeavesNothingOfWhatWasNotCommitted) {
  const BlobCache cache = open();
  {
    BlobWriter writer = cache.write().value();
    ASSERT_TRUE(writer.append(bytes_of("abc")));
    EXPECT_EQ(files_in(path("cache/tmp")), 1u);
  }
  EXPECT_EQ(files_in(path("cache/tmp")), 0u);
  EXPECT_EQ(files_in(path("cache/blobs/sha256")), 0u);
}

TEST_F(BlobCacheTest, IsReadableForItsUserOnly) {
  const Blob blob = add(open(), "a", "abc");
  for (const char* part : {"cache", "cache/blobs", "cache/blobs/sha256", "cache/keys"})
    EXPECT_EQ(mode_of(path(part)), 0700u) << part;
  EXPECT_EQ(mode_of(blob.path), 0400u);
  EXPECT_EQ(mode_of(path("cache/lock")), 0600u);
}

TEST_F(BlobCacheTest, CanBeReadWhereItCannotBeWritten) {
  const Blob blob = add(open(), "a", "abc");
  age(blob, 3);
  std::vector<fs::path> directories{path(""), path("cache")};
  for (const auto& entry : fs::recursive_directory_iterator(path("cache")))
    if (entry.is_directory()) directories.push_back(entry.path());
  for (const fs::path& directory : directories)
    fs::permissions(directory, static_cast<fs::perms>(0555));
  for (const auto& entry : fs::recursive_directory_iterator(path("cache")))
    if (entry.is_regular_file()) fs::permissions(entry.path(), static_cast<fs::perms>(0444));
  const bool is_root = ::geteuid() == 0;  // which may write everywhere
  ASSERT_EQ(is_root ? ::seteuid(65534) : 0, 0);
  {
    const BlobCache cache = open(0);
    EXPECT_TRUE(cache.find("a"));
    EXPECT_TRUE(cache.find_digest(kAbc, 3));
    EXPECT_TRUE(cache.pin(kAbc));
    EXPECT_TRUE(cache.trim());
    EXPECT_TRUE(fs::exists(blob.path));
    const Result<BlobWriter> writer = cache.write();
    ASSERT_FALSE(writer);
    EXPECT_EQ(relative(writer.error().message),
              "cache: cannot create a file in this cache: Permission denied");
  }
  ASSERT_EQ(is_root ? ::seteuid(0) : 0, 0);
  for (const fs::path& directory : directories)
    fs::permissions(directory, static_cast<fs::perms>(0755));
}

TEST_F(BlobCacheTest, TakesABlobOfAnotherSizeForNone) {
  const BlobCache cache = open();
  const Blob blob = add(cache, "a", "abc");
  fs::permissions(blob.path, fs::perms::owner_all);
  std::ofstream(blob.path) << "ab";
  EXPECT_FALSE(cache.find("a"));
  EXPECT_EQ(contents(add(cache, "a", "abc").path), "abc");
  EXPECT_TRUE(cache.find("a"));
}

TEST_F(BlobCacheTest, ReplacesADamagedBlobOfTheSameSize) {
  const BlobCache cache = open();
  const Blob blob = add(cache, "a", "abc");
  fs::permissions(blob.path, fs::perms::owner_all);
  EXPECT_EQ(cache.find_damaged(blob.digest, blob.size), std::nullopt);
  std::ofstream(blob.path) << "abd";
  EXPECT_FALSE(cache.find("a"));
  EXPECT_EQ(cache.find_damaged(blob.digest, blob.size), blob.path);
  EXPECT_EQ(contents(add(cache, "b", "abc").path), "abc");
  EXPECT_TRUE(cache.find("a"));
  EXPECT_TRUE(cache.find("b"));
}

TEST_F(BlobCacheTest, TakesADamagedKeyForNone) {
  const BlobCache cache = open();
  add(cache, "a", "abc");
  const std::string key = fs::directory_iterator(path("cache/keys"))->path();
  const std::string good = contents(key);
  EXPECT_EQ(good, std::string(kAbc) + " 3\n");
  for (const std::string& damaged :
       {std::string(), good.substr(0, 70), good.substr(0, 73), good.substr(0, 71) + " 3",
        good + good, std::string(kAbc) + " -3\n", std::string(kAbc) + " 3 \n",
        std::string(kAbc) + " 99999999999999999999\n",
        "sha256:../../../../../../../../../../../../../../../../../../etc/passwd 3\n" + good}) {
    fs::remove(key);
    std::ofstream(key) << damaged;
    EXPECT_FALSE(cache.find("a")) << damaged;
  }
  fs::remove(key);
  std::ofstream(key) << good;
  EXPECT_TRUE(cache.find("a"));
}

TEST_F(BlobCacheTest, RemovesWhatWasUsedLongestAgo) {
  const BlobCache cache = open(7);
  const Blob a = add(cache, "a", "aaa"), b = add(cache, "b", "bbb"), c = add(cache, "c", "ccc");
  age(a, 5);
  age(b, 7);
  age(c, 6);
  ASSERT_TRUE(cache.trim());
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
  EXPECT_EQ(files_in(path("cache/keys")), 2u);
}

TEST_F(BlobCacheTest, CountsAFindAsUse) {
  const BlobCache cache = open(7);
  const Blob a = add(cache, "a", "aaa"), b = add(cache, "b", "bbb"), c = add(cache, "c", "ccc");
  for (const Blob& blob : {a, b, c}) age(blob, blob.path == a.path ? 9 : 5);
  ASSERT_TRUE(cache.find("a"));
  ASSERT_TRUE(cache.trim());
  EXPECT_TRUE(cache.find("a"));
  EXPECT_EQ(files_in(path("cache/blobs/sha256")), 2u);
}

TEST_F(BlobCacheTest, KeepsWhatIsPinnedOrWasUsedRecently) {
  const BlobCache cache = open(0);
  const Blob pinned = add(cache, "a", "aaa"), old = add(cache, "b", "bbb");
  add(cache, "c", "ccc");
  age(pinned, 48);
  age(old, 24);
  write("cache/pinned/" + pinned.digest.substr(7), "");
  ASSERT_TRUE(cache.trim());
  EXPECT_TRUE(cache.find("a"));
  EXPECT_FALSE(cache.find("b"));
  EXPECT_TRUE(cache.find("c"));
}

TEST_F(BlobCacheTest, KeepsWhatWasUsedSinceItWasOpened) {
  const BlobCache small = open(0);
  auto files_of_lease = [&] { return files_in(path("cache/leases")); };
  const Blob blob = add(small, "a", "aaa"), other = add(small, "b", "bbb");
  age(blob, 3);
  age(other, 5);
  {
    const BlobCache other_fetch = open();  // of four hours ago
    ASSERT_EQ(files_of_lease(), 2u);
    const timespec time{::time(nullptr) - 4 * 3600, 0};
    const timespec times[2] = {time, time};
    for (const auto& lease : fs::directory_iterator(path("cache/leases")))
      ASSERT_EQ(::utimensat(AT_FDCWD, lease.path().c_str(), times, 0), 0);
    ASSERT_TRUE(small.trim());
    EXPECT_TRUE(fs::exists(blob.path));
    EXPECT_FALSE(fs::exists(other.path));
    EXPECT_EQ(files_in(path("cache/keys")), 1u);
  }
  EXPECT_EQ(files_of_lease(), 1u);
  write("cache/leases/of-a-killed-one", "");
  fs::last_write_time(path("cache/leases/of-a-killed-one"),
                      fs::file_time_type::clock::now() - std::chrono::hours(4));
  ASSERT_TRUE(open(0).trim());
  EXPECT_EQ(files_of_lease(), 1u);
}

TEST_F(BlobCacheTest, RemovesKeysWithoutABlob) {
  const BlobCache cache = open(1000);
  add(cache, "a", "aaa");
  fs::remove(add(cache, "b", "bbb").path);
  ASSERT_TRUE(cache.trim());
  EXPECT_EQ(files_in(path("cache/keys")), 1u);
}

TEST_F(BlobCacheTest, RemovesNothingBelowItsLimit) {
  const BlobCache cache = open(3);
  age(add(cache, "a", "aaa"), 48);
  ASSERT_TRUE(cache.trim());
  EXPECT_TRUE(cache.find("a"));
}

// A child writes half a blob and is killed; its file goes, and that of a live writer stays.
TEST_F(BlobCacheTest, RemovesTheFilesOfProcessesThatWereKilled) {
  const BlobCache cache = open();
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    BlobWriter writer = cache.write().value();
    const bool written = static_cast<bool>(writer.append(bytes_of("half")));
    if (::write(ready[1], "x", 1) != 1 || !written) ::_exit(1);
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  BlobWriter writer = cache.write().value();
  ASSERT_TRUE(writer.append(bytes_of("abc")));
  open();
  EXPECT_EQ(files_in(path("cache/tmp")), 2u);
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  open();
  EXPECT_EQ(files_in(path("cache/tmp")), 1u);
  EXPECT_EQ(contents(writer.commit("a").value().path), "abc");
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(BlobCacheTest, ServesSeveralAtOnce) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; thread++)
    threads.emplace_back([this, thread] {
      const BlobCache cache = open(0);
      for (int i = 0; i < 20; i++) {
        const std::string text = "blob " + std::to_string(i);
        const Blob blob = add(cache, text, text);
        EXPECT_TRUE(cache.find(text)) << thread;
        EXPECT_EQ(contents(blob.path), text);
        EXPECT_TRUE(cache.trim());  // all were used within the last hour
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(files_in(path("cache/blobs/sha256")), 20u);
  EXPECT_EQ(files_in(path("cache/keys")), 20u);
  EXPECT_EQ(files_in(path("cache/tmp")), 0u);
}

TEST_F(BlobCacheTest, SaysWhatIsInItsWay) {
  write("file", "x");
  Result<BlobCache> cache = BlobCache::open(path("file"));
  ASSERT_FALSE(cache);
  EXPECT_EQ(relative(cache.error().message),
            "file/blobs: cannot make the directory of the cache: Not a directory");
  const Result<BlobCache> below = BlobCache::open(path("file/home/cache"));
  ASSERT_FALSE(below);
  EXPECT_EQ(relative(below.error().message),
            "file/home/cache: cannot make the directory of the cache: Not a directory");
  EXPECT_EQ(cache.error().advice, "name another directory with \xFF{cache} or $PRODPGO_CACHE");
  EXPECT_EQ(cache.error().kind, ErrorKind::kIo);
}

TEST(DefaultCacheDirectory, FollowsTheEnvironment) {
  ::setenv("PRODPGO_CACHE", "/own", 1);
  ::setenv("XDG_CACHE_HOME", "/xdg", 1);
  const char* home = std::getenv("HOME");
  const std::string before = home == nullptr ? "" : home;
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(default_cache_directory().value(), "/own");
  ::setenv("PRODPGO_CACHE", "own", 1);
  const Result<std::string> relative = default_cache_directory();
  ASSERT_FALSE(relative);
  EXPECT_EQ(relative.error().message, "PRODPGO_CACHE is 'own', which is a relative path");
  EXPECT_EQ(relative.error().advice,
            "set it to an absolute one, so that each program finds the same cache");
  ::unsetenv("PRODPGO_CACHE");
  EXPECT_EQ(default_cache_directory().value(), "/xdg/prodpgo");
  for (const char* xdg : {"", "xdg"}) {
    ::setenv("XDG_CACHE_HOME", xdg, 1);
    EXPECT_EQ(default_cache_directory().value(), "/home/me/.cache/prodpgo");
  }
  ::unsetenv("HOME");
  Result<std::string> none = default_cache_directory();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "there is no place for the cache: PRODPGO_CACHE, XDG_CACHE_HOME and HOME are not set");
  EXPECT_EQ(none.error().advice, "set PRODPGO_CACHE to a directory");
  ::unsetenv("XDG_CACHE_HOME");
  if (!before.empty()) ::setenv("HOME", before.c_str(), 1);
}

}  // namespace
}  // namespace pgo::blob_cache_test

#include "pgo/fetch/bundle_writer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <set>

#include "tests/data/temporary_files.h"

namespace pgo::bundle_writer_test {
namespace {

namespace fs = std::filesystem;

class BundleWriterTest : public test::TemporaryFiles {
 protected:
  Result<void> write_bundle(const std::string& name, const std::string& member) {
    PGO_TRY(BundleWriter writer, BundleWriter::begin(path(name)));
    PGO_CHECK(writer.add_contents("profiles/" + member, "contents"));
    Bundle bundle;
    BundleMember one;
    one.path = "profiles/" + member;
    one.size = 8;
    one.digest = "sha256:" + std::string(64, '0');
    bundle.members = {one};
    return writer.commit(bundle);
  }
  // All files below the directory of the test.
  std::string files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(directory()))
      if (entry.is_regular_file()) names.insert(relative(entry.path().string()));
    std::string text;
    for (const std::string& name : names) text += name + "\n";
    return text;
  }
};

TEST_F(BundleWriterTest, ReplacesABundleWhole) {
  ASSERT_TRUE(write_bundle("b", "old"));
  ASSERT_TRUE(write_bundle("b", "new"));
  EXPECT_EQ(files(), "b/bundle.json\nb/profiles/new\n");
  EXPECT_EQ(read_bundle(path("b")).value()->members[0].path, "profiles/new");
}

TEST_F(BundleWriterTest, TakesAnEmptyDirectoryAndATrailingSlash) {
  fs::create_directory(path("b"));
  ASSERT_TRUE(write_bundle("b/", "new"));
  EXPECT_EQ(files(), "b/bundle.json\nb/profiles/new\n");
}

// A member is a file of its own: the cache does not change with it, nor the other way round.
TEST_F(BundleWriterTest, CopiesFiles) {
  const std::string blob = write("blob", std::string(300'000, 'x'));
  ASSERT_EQ(::chmod(blob.c_str(), 0400), 0);
  const mode_t mask = ::umask(027);
  {
    BundleWriter writer = BundleWriter::begin(path("b")).value();
    ASSERT_TRUE(writer.add_file("profiles/x", blob));
    ASSERT_TRUE(writer.commit({}));
  }
  ::umask(mask);
  struct stat of_blob{}, of_member{};
  ASSERT_EQ(::stat(blob.c_str(), &of_blob), 0);
  ASSERT_EQ(::stat(path("b/profiles/x").c_str(), &of_member), 0);
  EXPECT_EQ(of_member.st_size, 300'000);
  EXPECT_EQ(of_member.st_mode & 07777, mode_t{0640});
  EXPECT_EQ(of_member.st_nlink, 1u);
  EXPECT_NE(of_member.st_ino, of_blob.st_ino);
}

TEST_F(BundleWriterTest, LeavesNothingWhenItIsNotCommitted) {
  {
    Result<BundleWriter> writer = BundleWriter::begin(path("b"));
    ASSERT_TRUE(writer && writer->add_contents("profiles/x", "contents"));
  }
  EXPECT_EQ(files(), "");
  EXPECT_FALSE(fs::exists(path("b")));
}

TEST_F(BundleWriterTest, RefusesOtherDirectoriesAndFiles) {
  write("other/precious.txt", "x");
  EXPECT_EQ(text_of(check_bundle_target(path("other")).error()),
            "other is a directory with other files, and not a bundle; name another with "
            "\xFF{output}");
  EXPECT_FALSE(write_bundle("other", "new"));
  write("file", "x");
  EXPECT_EQ(text_of(check_bundle_target(path("file")).error()),
            "file is a file, and a bundle is a directory; name another with \xFF{output}");
  EXPECT_EQ(text_of(check_bundle_target(path("nowhere/b")).error()),
            "cannot write nowhere/b: nowhere: No such file or directory; ");
  EXPECT_EQ(files(), "file\nother/precious.txt\n");
}

// A conversion of a bundle may well be written into it.
TEST_F(BundleWriterTest, DeletesNoOtherFilesInABundle) {
  ASSERT_TRUE(write_bundle("b", "a/old"));
  write("b/server.prof", "x");
  write("b/profiles/a/notes", "x");
  const std::string before = files();
  EXPECT_EQ(text_of(check_bundle_target(path("b/")).error()),
            "b/profiles/a/notes is not part of the bundle, and would be deleted with it; move it "
            "elsewhere, or name another directory with \xFF{output}");
  EXPECT_FALSE(write_bundle("b", "new"));
  EXPECT_EQ(files(), before);
  fs::remove(path("b/profiles/a/notes"));
  EXPECT_EQ(check_bundle_target(path("b")).error().message,
            path("b/server.prof") + " is not part of the bundle, and would be deleted with it");
  fs::remove(path("b/server.prof"));
  fs::create_directories(path("b/results/today"));
  EXPECT_EQ(check_bundle_target(path("b")).error().message,
            path("b/results") + " is not part of the bundle, and would be deleted with it");
  fs::remove_all(path("b/results"));
  // A member that is gone is nobody's file.
  fs::remove(path("b/profiles/a/old"));
  ASSERT_TRUE(write_bundle("b", "new"));
  EXPECT_EQ(files(), "b/bundle.json\nb/profiles/new\n");
}

TEST(MemberPath, IsPlainAndUnique) {
  const std::string path = member_path("s3://b/p", "p/a b+c=%d/\xC3\xA9 1.pb.gz");
  EXPECT_EQ(path.substr(0, 9), "profiles/");
  EXPECT_EQ(path.substr(25), "/p/a_b_c=_d/___1.pb.gz");
  EXPECT_TRUE(is_member_path(path));
  EXPECT_NE(member_path("s3://b/p", "a/x"), member_path("s3://b/p", "b/x"));
  EXPECT_NE(member_path("s3://b/p", "x"), member_path("s3://b/q", "x"));
  EXPECT_EQ(member_path("s", std::string(5000, 'x') + ".pb.gz").size(), 9u + 16 + 1 + 100);
  EXPECT_EQ(member_path("s", "a//../.hidden/").substr(25), "/a/_./_hidden");
  EXPECT_TRUE(is_member_path(member_path("s", "..")));
  EXPECT_TRUE(is_member_path(member_path("s", "/")));
  EXPECT_TRUE(is_member_path(member_path("s", "")));
  std::string deep;
  for (int i = 0; i < 1000; i++) deep += "d/";
  EXPECT_LT(member_path("s", deep + "file").size(), 100u);
}

// A directory for each member takes as long to make as its file.
TEST(MemberPath, KeepsObjectsOfADirectoryTogether) {
  const auto directory = [](const std::string& source, const std::string& object) {
    const std::string path = member_path(source, object);
    EXPECT_EQ(path.substr(25), "/" + object);
    return path.substr(0, 25);
  };
  const std::string hour = directory("s3://b/p", "h1/web-1.pb.gz");
  EXPECT_EQ(directory("s3://b/p", "h1/web-2.pb.gz"), hour);
  EXPECT_NE(directory("s3://b/p", "h2/web-1.pb.gz"), hour);
  EXPECT_NE(directory("s3://b/q", "h1/web-1.pb.gz"), hour);
  // A store may have both; a directory cannot.
  EXPECT_NE(directory("s3://b/p", "h1"), hour);
  EXPECT_NE(directory("s3://b/p", "h1/web-1.pb.gz/x"), hour);
  // Both would have the same name.
  for (const char* object : {"h1/a b", "h1//a_b", "/h1/a_b", "h1/a_b/"}) {
    const std::string path = member_path("s3://b/p", object);
    EXPECT_EQ(path.substr(25, 7), "/h1/a_b");
    EXPECT_NE(path.substr(0, 25), directory("s3://b/p", "h1/a_b"));
  }
}

}  // namespace
}  // namespace pgo::bundle_writer_test

#include "pgo/refresh/pinned_comparison.h"

#include <gtest/gtest.h>

namespace pgo::pinned_comparison_test {
namespace {

BoltProfile bolt(const std::string& library, const std::string& build, const std::string& path) {
  BoltProfile profile;
  profile.library = library;
  profile.build = build;
  profile.path = path;
  return profile;
}

ProfileFile file(FileKind kind, const std::string& name, const std::string& library = "",
                 const std::string& bolt_of = "") {
  ProfileFile one;
  one.kind = kind;
  one.name = name;
  one.library = library;
  one.bolt_of = bolt_of;
  if (kind == FileKind::kBolt) one.configuration = "clang";
  return one;
}

class HasSameFiles : public testing::Test {
 protected:
  void SetUp() override {
    made_.compile_profile = "/run/q.prof";
    made_.bolt = {bolt("", "01", "/run/q.fdata"), bolt("libq.so", "02", "/run/q.libq.so.fdata")};
    pinned_.files = {file(FileKind::kLlvm, "q.prof"), file(FileKind::kBolt, "q.fdata", "", "01"),
                     file(FileKind::kBolt, "q.libq.so.fdata", "libq.so", "02"),
                     file(FileKind::kReport, "q.json")};
  }
  bool has() const { return has_same_files(pinned_, made_, "clang"); }

  ConvertedFiles made_;
  LockEntry pinned_;
};

TEST_F(HasSameFiles, Has) {
  EXPECT_TRUE(has());
  EXPECT_FALSE(has_same_files(pinned_, made_, "clang-lto"));
  made_.compile_profile = "/run/q.proftext";
  EXPECT_FALSE(has());
}

TEST_F(HasSameFiles, ALibraryComesOrGoes) {
  made_.bolt.pop_back();
  EXPECT_FALSE(has());
  made_.bolt.push_back(bolt("libr.so", "02", "/run/q.libr.so.fdata"));
  EXPECT_FALSE(has());
}

TEST_F(HasSameFiles, ALibraryWasBuiltAgain) {
  made_.bolt[1].build = "03";
  EXPECT_FALSE(has());
}

TEST_F(HasSameFiles, ARecordedBuildIsMissing) {
  made_.bolt[1].prebolt.emplace();
  pinned_.files.push_back(file(FileKind::kPrebolt, "q.prebolt"));
  EXPECT_FALSE(has()) << "that is the program's";
  pinned_.files.push_back(file(FileKind::kPrebolt, "q.libq.so.prebolt", "libq.so"));
  EXPECT_TRUE(has());
}

}  // namespace
}  // namespace pgo::pinned_comparison_test

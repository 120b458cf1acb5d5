#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "pgo/base/mapped_file.h"
#include "pgo/source/input_files.h"
#include "tests/data/bundle_files.h"
#include "tests/data/temporary_files.h"

namespace pgo::input_bundle_test {
namespace {

namespace fs = std::filesystem;

class InputBundle : public test::TemporaryFiles {
 protected:
  std::string error_of(const std::string& name) const {
    Result<std::vector<InputFile>> found = find_input_files({path(name)});
    return found ? "" : text_of(found.error());
  }
};

TEST_F(InputBundle, StandsForItsMembers) {
  test::write_bundle(path("q"), {{"b.pb", "b", {1, 2}, {{"host", "web-2"}}},
                                 {"sub/a.pb", "aa", {3, 2}, {{"host", "web-1"}}}});
  write("q/other.pb", "no member");
  write("plain.pb", "plain");
  Result<std::vector<InputFile>> files = find_input_files({path("q"), path("plain.pb")});
  ASSERT_TRUE(files) << files.error().message;
  ASSERT_EQ(files->size(), 3u);
  const InputFile &plain = (*files)[0], &b = (*files)[1], &a = (*files)[2];
  EXPECT_EQ(relative(b.path), "q/b.pb");
  EXPECT_FALSE(b.from_directory);
  EXPECT_EQ(b.weight, (RelativeWeight{1, 2}));
  EXPECT_EQ(b.labels(), (Labels{{"host", "web-2"}}));
  EXPECT_EQ(relative(a.path), "q/sub/a.pb");
  EXPECT_EQ(a.weight, (RelativeWeight{3, 2}));
  EXPECT_EQ(a.bundle->bundle.query, (Labels{{"service", "queryd"}}));
  EXPECT_EQ(plain.weight, RelativeWeight());
  EXPECT_TRUE(plain.labels().empty());
  EXPECT_EQ(plain.bundle, nullptr);
  const auto bundles = bundles_of(*files);
  ASSERT_EQ(bundles.size(), 1u);
  EXPECT_EQ(relative(bundles[0]->directory), "q");
}

TEST_F(InputBundle, IsRefusedInsideADirectoryOfOtherFiles) {
  test::write_bundle(path("all/monday"), {{"a.pb", "a"}});
  write("all/b.pb", "b");
  EXPECT_EQ(
      error_of("all"),
      "all/monday: is a bundle in the directory all; name each bundle as an input of its own");
  // Another file of this name is one of the files.
  write("other/a/bundle.json", "{}");
  EXPECT_EQ(error_of("other"), "");
}

TEST_F(InputBundle, WeighsOneOnAverage) {
  const Bundle bundle = test::bundle_of(
      {{"a", "", {1, 2}, {}}, {"b", "", {1, 4}, {}}, {"c", "", {9, 4}, {}}, {"d", "", {1, 1}, {}}});
  EXPECT_EQ(relative_weights(bundle),
            (std::vector<RelativeWeight>{{1, 2}, {1, 4}, {9, 4}, {1, 1}}));
  const Bundle equal = test::bundle_of({{"a", "", {3, 7}, {}}, {"b", "", {3, 7}, {}}});
  EXPECT_EQ(relative_weights(equal), (std::vector<RelativeWeight>{{}, {}}));
  EXPECT_TRUE(relative_weights(test::bundle_of({})).empty());
}

TEST_F(InputBundle, RoundsWeightsWithLargeParts) {
  std::vector<test::BundleFile> files;
  for (uint64_t i = 0; i < 1000; i++)
    files.push_back({"m" + std::to_string(i), "", {1'000'000 - i, 999'983}, {}});
  double sum = 0;
  for (const RelativeWeight& weight : relative_weights(test::bundle_of(files))) {
    EXPECT_LE(weight.numerator, RelativeWeight::kMaxPart);
    EXPECT_LE(weight.denominator, RelativeWeight::kMaxPart);
    sum += weight.value();
  }
  EXPECT_NEAR(sum, 1000, 1e-6);
}

TEST_F(InputBundle, IsFoundByAPatternAndInAList) {
  test::write_bundle(path("q1"), {{"a.pb", "a"}});
  write("list", path("q1") + "\n");
  for (const std::string& argument : {path("q*"), "@" + path("list"), path("q1/")}) {
    Result<std::vector<InputFile>> files = find_input_files({argument});
    ASSERT_TRUE(files);
    ASSERT_EQ(files->size(), 1u);
    EXPECT_TRUE((*files)[0].bundle) << argument;
    EXPECT_EQ(relative((*files)[0].path), "q1/a.pb");
  }
}

TEST_F(InputBundle, RefusesMembersThatAreNotWhatItSays) {
  test::write_bundle(path("q"), {{"a.pb", "abc"}});
  fs::resize_file(path("q/a.pb"), 2);
  EXPECT_EQ(error_of("q"), "q/a.pb: has 2 bytes, and its bundle says 3; fetch the profiles again");
  fs::remove(path("q/a.pb"));
  EXPECT_EQ(error_of("q"), "q/a.pb: is missing, and its bundle names it; fetch the profiles again");
  fs::create_directory(path("q/a.pb"));
  EXPECT_EQ(error_of("q"), "q/a.pb: is not a regular file, and its bundle names it; ");
  fs::remove(path("q/a.pb"));
  write("outside", "abc");
  fs::create_symlink("../outside", path("q/a.pb"));
  EXPECT_EQ(error_of("q"), "q/a.pb: is a link that leaves its bundle; ");
  fs::remove(path("q/a.pb"));
  write("q/inside", "abc");
  fs::create_symlink("inside", path("q/a.pb"));
  EXPECT_EQ(error_of("q"), "");
  fs::create_directory(path("empty"));
  std::ofstream(path("empty/bundle.json")) << bundle_text(test::bundle_of({}));
  EXPECT_EQ(error_of("empty"), "empty: this bundle has no members; ");
  write("broken/bundle.json", "{");
  EXPECT_EQ(error_of("broken"), "broken/bundle.json: is not a bundle: it is not valid JSON; ");
}

TEST_F(InputBundle, IsNotTakenForADirectoryThatALinkLeadsOutOf) {
  test::write_bundle(path("q"), {{"sub/a.pb", "abc"}});
  fs::rename(path("q/sub"), path("moved"));
  fs::create_directory_symlink(path("moved"), path("q/sub"));
  EXPECT_EQ(error_of("q"), "q/sub/a.pb: is a link that leaves its bundle; ");
}

TEST_F(InputBundle, HasDigestsThatReadersCheck) {
  test::write_bundle(path("q"), {{"a.pb", "abc"}});
  const InputFile file = find_input_files({path("q")}).value()[0];
  EXPECT_TRUE(check_digest(file, MappedFile::open(file.path).value().bytes()));
  write("q/a.pb", "abd");
  Result<void> changed = check_digest(file, MappedFile::open(file.path).value().bytes());
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().kind, ErrorKind::kInput);
  EXPECT_EQ(text_of(changed.error()),
            "q/a.pb: was changed: its SHA-256 digest is not what its bundle says; fetch the "
            "profiles again");
  InputFile plain;
  plain.path = file.path;
  EXPECT_TRUE(check_digest(plain, {}));
}

}  // namespace
}  // namespace pgo::input_bundle_test

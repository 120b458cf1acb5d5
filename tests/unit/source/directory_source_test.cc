#include "pgo/source/directory_source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>

#include "pgo/base/time_text.h"
#include "pgo/source/bundle.h"
#include "pgo/source/name_labels.h"
#include "tests/data/temporary_files.h"

namespace pgo::directory_source_test {
namespace {

class Received final : public ObjectSink {
 public:
  Result<void> begin(size_t object) override {
    contents[object].clear();
    return ok();
  }
  Result<void> append(size_t object, Bytes bytes) override {
    if (refused == object) return fail(ErrorKind::kInput, "enough");
    contents[object] += as_text(bytes);
    return ok();
  }
  void end(size_t object, Result<void> outcome) override {
    outcomes[object] = outcome ? "" : outcome.error().message;
  }

  std::map<size_t, std::string> contents, outcomes;
  std::optional<size_t> refused;
};

class DirectorySourceTest : public test::TemporaryFiles {
 protected:
  std::unique_ptr<Source> open(const std::string& name, const DirectoryOptions& options = {}) {
    return DirectorySource::open(path(name), options).value();
  }
  std::vector<SourceObject> list(Source& source) {
    Result<std::vector<SourceObject>> objects = source.list({}, diagnostics_);
    return objects ? *objects : std::vector<SourceObject>();
  }
  std::string put(const std::string& name, std::string_view contents, int64_t time) {
    write(name, contents);
    const timespec times[2] = {{time, 5}, {time, 5}};
    EXPECT_EQ(::utimensat(AT_FDCWD, path(name).c_str(), times, 0), 0);
    return path(name);
  }
  Diagnostics diagnostics_;
};

TEST_F(DirectorySourceTest, ListsTheFilesOfATree) {
  put("p/b/x.pb", "12345", 1000);
  put("p/a.pb", "1", 2000);
  put("p/.hidden", "1", 2000);
  put("p/.git/x", "1", 2000);
  std::unique_ptr<Source> source = open("p/");
  EXPECT_EQ(relative(source->name()), "dir:p");
  const std::vector<SourceObject> objects = list(*source);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(
      objects[0],
      (SourceObject{"a.pb", {}, 2'000'000'000'005, TimeEvidence::kModified, 1, "1-2000000000005"}));
  EXPECT_EQ(objects[1],
            (SourceObject{
                "b/x.pb", {}, 1'000'000'000'005, TimeEvidence::kModified, 5, "5-1000000000005"}));
  EXPECT_TRUE(diagnostics_.entries().empty());
}

TEST_F(DirectorySourceTest, TakesLabelsAndTheHourFromPaths) {
  put("p/queryd/2026-11-26T13/web-1.pb", "1", 1000);
  put("p/queryd/night/web-2.pb", "1", 1000);
  put("p/README", "1", 1000);
  std::unique_ptr<Source> source = open("p", {.path_template = "{service}/{hour}/{host}.pb"});
  const std::vector<SourceObject> objects = list(*source);
  ASSERT_EQ(objects.size(), 3u);
  EXPECT_EQ(objects[0].name, "README");
  EXPECT_TRUE(objects[0].labels.empty());
  EXPECT_EQ(objects[1].labels,
            (Labels{{"service", "queryd"}, {"hour", "2026-11-26T13"}, {"host", "web-1"}}));
  EXPECT_EQ(format_time(objects[1].time), "2026-11-26T13:00:00Z");
  EXPECT_EQ(objects[1].time_evidence, TimeEvidence::kName);
  EXPECT_EQ(objects[2].time_evidence, TimeEvidence::kModified);
  ASSERT_EQ(diagnostics_.entries().size(), 2u);
  EXPECT_EQ(relative(diagnostics_.entries().at(kNoTemplateMatch).messages[0]),
            "dir:p: 1 of 3 names does not end like {service}/{hour}/{host}.pb, so it gives no "
            "labels: README");
  EXPECT_EQ(relative(diagnostics_.entries().at(kNoHourInName).messages[0]),
            "dir:p: {hour} is not a date and hour, such as 2026-11-26T13, in 1 of 3 names, so the "
            "time that the source has is used instead: queryd/night/web-2.pb");
}

TEST_F(DirectorySourceTest, ListsTheMembersOfABundle) {
  BundleMember member;
  member.path = "a.pb";
  member.size = 3;
  member.digest = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  member.labels = {{"host", "web-1"}};
  member.window = TimeWindow{1'000'000'000, 2'000'000'000};
  member.window_evidence = TimeEvidence::kStore;
  write("p/bundle.json", bundle_text({"pgo", {}, {}, {member}}));
  write("p/a.pb", "abc");
  write("p/other", "x");
  std::unique_ptr<Source> source = open("p");
  const std::vector<SourceObject> objects = list(*source);
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(
      objects[0],
      (SourceObject{
          "a.pb", {{"host", "web-1"}}, 1'000'000'000, TimeEvidence::kStore, 3, member.digest}));
  Received received;
  source->fetch(objects, received);
  EXPECT_EQ(received.contents[0], "abc");
}

// As it is where a bundle is an input.
TEST_F(DirectorySourceTest, ChecksTheMembersOfABundle) {
  Bundle bundle;
  for (const char* name : {"changed", "link", "longer", "missing"}) {
    BundleMember& member = bundle.members.emplace_back();
    member.path = name;
    member.size = 3;
    member.digest = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  }
  write("p/bundle.json", bundle_text(bundle));
  write("p/changed", "abd");
  write("p/longer", "abcd");
  std::filesystem::create_symlink(write("outside", "abc"), path("p/link"));
  std::unique_ptr<Source> source = open("p");
  Received received;
  source->fetch(list(*source), received);
  for (auto& [object, outcome] : received.outcomes) outcome = relative(outcome);
  EXPECT_EQ(received.outcomes,
            (std::map<size_t, std::string>{
                {0, "p/changed: was changed: its SHA-256 digest is not what its bundle says"},
                {1, "p/link: is a link that leaves its bundle"},
                {2, "p/longer: has 4 bytes, and its bundle says 3"},
                {3, "p/missing: is missing, and its bundle names it"}}));
}

// An earlier fetch wrote it there.
TEST_F(DirectorySourceTest, LeavesOutBundlesInADirectory) {
  write("p/a.pb", "abc");
  write("p/q.bundle/bundle.json", bundle_text({}));
  write("p/q.bundle/profiles/1/a.pb", "abc");
  write("p/other/bundle.json", "{}");
  std::unique_ptr<Source> source = open("p");
  const std::vector<SourceObject> objects = list(*source);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects[0].name, "a.pb");
  EXPECT_EQ(objects[1].name, "other/bundle.json");
  EXPECT_EQ(relative(diagnostics_.entries().at(kBundleInDirectory).messages.at(0)),
            "dir:p: left out the bundle p/q.bundle, whose profiles may come from here; to fetch "
            "it, name it as a source");
}

TEST_F(DirectorySourceTest, HasOneIdentityWhateverItsPath) {
  write("p/a.pb", "abc");
  write("q/a.pb", "abc");
  std::filesystem::create_symlink(path("p"), path("link"));
  const std::string identity = open("p")->identity();
  EXPECT_EQ(relative(identity), "dir:p");
  EXPECT_EQ(open("./p/")->identity(), identity);
  EXPECT_EQ(open("link")->identity(), identity);
  EXPECT_EQ(open("q/../p")->identity(), identity);
  EXPECT_NE(open("q")->identity(), identity);
}

TEST_F(DirectorySourceTest, RefusesABundleWhoseWeightsDiffer) {
  BundleMember one, two;
  one.path = "a.pb";
  two.path = "b.pb";
  one.digest = two.digest = "sha256:" + std::string(64, '0');
  one.weight = two.weight = {3, 2};
  write("p/bundle.json", bundle_text({"pgo", {}, {}, {one, two}}));
  std::unique_ptr<Source> source = open("p");
  EXPECT_EQ(list(*source).size(), 2u);
  two.weight = {1, 2};
  write("p/bundle.json", bundle_text({"pgo", {}, {}, {one, two}}));
  const Result<std::vector<SourceObject>> objects = source->list({}, diagnostics_);
  ASSERT_FALSE(objects);
  EXPECT_EQ(objects.error().kind, ErrorKind::kUnsupported);
  EXPECT_EQ(relative(text_of(objects.error())),
            "dir:p: is a bundle of profiles with different weights, and a bundle that is fetched "
            "loses its weights; give the path of the bundle itself to the commands that read "
            "profiles, or fetch from the store again");
}

TEST_F(DirectorySourceTest, FetchesWhatWasChosen) {
  const std::string large(1'000'000, 'x');
  write("p/a", "aaa");
  write("p/b", large);
  write("p/c", "");
  write("p/d", "ddd");
  std::unique_ptr<Source> source = open("p");
  std::vector<SourceObject> objects = list(*source);
  ASSERT_EQ(objects.size(), 4u);
  std::swap(objects[0], objects[1]);
  Received received;
  received.refused = 3;
  source->fetch(objects, received);
  EXPECT_EQ(received.contents[0], large);
  EXPECT_EQ(received.contents[1], "aaa");
  EXPECT_EQ(received.contents[2], "");
  EXPECT_EQ(received.outcomes,
            (std::map<size_t, std::string>{{0, ""}, {1, ""}, {2, ""}, {3, "enough"}}));
}

TEST_F(DirectorySourceTest, SaysWhatChangedSinceItWasListed) {
  write("p/a", "aaa");
  write("p/b", "bbb");
  std::unique_ptr<Source> source = open("p");
  const std::vector<SourceObject> objects = list(*source);
  put("p/a", "aaa", 1000);
  std::filesystem::remove(path("p/b"));
  Received received;
  source->fetch(objects, received);
  EXPECT_EQ(relative(received.outcomes[0]), "p/a: was changed since it was listed");
  EXPECT_EQ(relative(received.outcomes[1]), "p/b: cannot open: No such file or directory");
  EXPECT_TRUE(received.contents.empty());
}

TEST_F(DirectorySourceTest, MayBeOneFile) {
  write("p/web-1.pb", "abc");
  std::unique_ptr<Source> source = open("p/web-1.pb", {.path_template = "{host}.pb"});
  const std::vector<SourceObject> objects = list(*source);
  ASSERT_EQ(objects.size(), 1u);
  EXPECT_EQ(objects[0].name, "web-1.pb");
  EXPECT_EQ(objects[0].labels, (Labels{{"host", "web-1"}}));
  Received received;
  source->fetch(objects, received);
  EXPECT_EQ(received.contents[0], "abc");
}

TEST_F(DirectorySourceTest, RefusesWhatItCannotAnswer) {
  EXPECT_EQ(text_of(DirectorySource::open(path("none")).error()),
            "none: there is no such file or directory; check the path; 'pgo upload' makes a "
            "directory");
  EXPECT_EQ(relative(DirectorySource::open(write("file", "") + "/none").error().message),
            "file/none: cannot open: Not a directory");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(relative(DirectorySource::open(path("pipe")).error().message),
            "pipe: is neither a directory nor a regular file");
  write("p/a", "");
  write("p/b", "");
  EXPECT_EQ(DirectorySource::open(path("p"), {.path_template = "x"}).error().kind,
            ErrorKind::kUsage);
  std::unique_ptr<Source> source = open("p", {.max_files = 1});
  EXPECT_EQ(relative(source->list({}, diagnostics_).error().message),
            "dir:p: has more than 1 files");
  std::filesystem::create_directory(path("empty"));
  EXPECT_TRUE(list(*open("empty")).empty());
}

}  // namespace
}  // namespace pgo::directory_source_test
